import type { Exchange } from '../exchange/exchange.ts';
import type { Result } from '../facts/fact.ts';
import type { Model } from '../model/model.ts';
import { facts } from './facts.ts';

/** What one exchange shows. */
export type Judgement = { readonly exchange: Exchange; readonly results: readonly Result[] };

/**
 * Judges one exchange, whichever source it comes from: a run, a proxy, a recording. What requests until then may have changed must
 * be in the model; what the response shows is entered afterwards.
 */
export const judge = (exchange: Exchange, model: Model): readonly Result[] => {
  const results = facts.flatMap((fact) => fact(exchange, model));
  model.note(exchange);
  return results;
};

/** Items that match, and the others. */
export const divide = <Item>(items: readonly Item[], matches: (item: Item) => boolean): [Item[], Item[]] => [
  items.filter(matches),
  items.filter((item) => !matches(item)),
];
