import schema from './report.schema.json' with { type: 'json' };
import type { Report } from './report.ts';

/** The schema, written beside the report so that `$schema` leads somewhere without a network. */
export const schemaFile = 'report.schema.json';

export const schemaText = (): string => `${JSON.stringify(schema, null, 2)}\n`;

/** The report as JSON in the order of its schema: two reports compare line by line. */
export const jsonReport = (report: Report): string =>
  `${JSON.stringify({ $schema: `./${schemaFile}`, ...(inOrder(report, schema) as Report) }, null, 2)}\n`;

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly [keyword: string]: unknown;
};

const inOrder = (value: unknown, { properties = {}, items = {} }: Schema): unknown => {
  if (Array.isArray(value)) return value.map((item) => inOrder(item, items));
  if (value === null || typeof value !== 'object') return value;
  const named = Object.keys(properties);
  const others = Object.keys(value)
    .filter((name) => !named.includes(name))
    .sort();
  const fields = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    [...named, ...others]
      .filter((name) => fields[name] !== undefined)
      .map((name) => [name, inOrder(fields[name], properties[name] ?? {})]),
  );
};
