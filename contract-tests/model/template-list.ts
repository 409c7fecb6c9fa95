import { type Exchange, itemsOf, type JsonObject, textOf } from '../exchange/exchange.ts';
import { routes } from '../exchange/operations.ts';

export const isTemplateList = ({ operation, path, outcome, credentials }: Exchange): boolean =>
  operation === 'listTemplates' &&
  outcome === 'success' &&
  credentials === 'key' &&
  routes.listTemplates.paths.includes(path);

/** A template for comparison: lists may name its variables in any order. */
export const stateOf = ({ name, body, variables }: JsonObject): string =>
  JSON.stringify([name, body, Array.isArray(variables) ? [...variables].sort() : variables]);

/** What a list shows, in the forms in which lists are compared. */
export type Reading = {
  readonly list: Exchange;
  /** The state of each template, by its id. */
  readonly states: ReadonlyMap<string, string>;
  readonly ids: ReadonlySet<string>;
  /** The ids of each name and body. */
  readonly byText: ReadonlyMap<string, readonly unknown[]>;
  /** All ids as one text. */
  readonly key: string;
};

export const readList = (list: Exchange): Reading => {
  const states = new Map<string, string>();
  const byText = new Map<string, unknown[]>();
  for (const item of itemsOf(list)) {
    const text = JSON.stringify([item.name, item.body]);
    states.set(textOf(item.id), stateOf(item));
    byText.set(text, [...(byText.get(text) ?? []), item.id]);
  }
  const ids = new Set(states.keys());
  return { list, states, ids, byText, key: [...ids].sort().join('\n') };
};
