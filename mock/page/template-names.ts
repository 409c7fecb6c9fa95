import { useMemo } from 'preact/hooks';
import { useLoaded } from './workspace.ts';

type List = { readonly templates: readonly { readonly id: string; readonly name: string }[] };

/** Names of the templates by id: what people know them by. */
export const useTemplateNames = (): ReadonlyMap<string, string> => {
  const { data } = useLoaded<List>('/templates', ['templates']);
  return useMemo(() => new Map(data?.templates.map(({ id, name }) => [id, name])), [data]);
};
