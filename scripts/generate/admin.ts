// The operations of the admin API as a table, from its own document.
import { listNouns } from '../../mock/admin/admin.ts';
import { adminDocument } from '../../mock/admin/openapi.ts';

type Described = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly summary?: string }>>>>;
};

export const adminTable = (): string => {
  const { paths } = adminDocument(listNouns('0.0.0'), '0.0.0') as unknown as Described;
  const rows = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, { summary = '' }]) => `| \`${method.toUpperCase()} /__admin${path}\` | ${summary} |`,
    ),
  );
  return ['| Request | What it does |', '|---|---|', ...rows].join('\n');
};
