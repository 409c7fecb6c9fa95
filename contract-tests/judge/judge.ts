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

/**
 * Judges the exchanges of a run, in which requests are pending at the same time.
 * @param onJudged called for each exchange as soon as it is judged
 */
export const createJudge = (model: Model, onJudged: (judgement: Judgement) => void) => {
  const pending = new Set<{ readonly at: number; readonly path: string }>();
  /** Ended, and not yet entered in the model; and not yet judged. */
  let toEnter: Exchange[] = [];
  let toJudge: Exchange[] = [];
  const waiting: (() => void)[] = [];

  /** Judges what no pending request can change any more. */
  const flush = (): void => {
    const mayChange = (exchange: Exchange): boolean =>
      [...pending].some(({ at, path }) => path === exchange.path && at < exchange.receivedAt);
    const [later, due] = divide(toJudge, mayChange);
    toJudge = later;
    for (const exchange of due.sort((left, right) => left.receivedAt - right.receivedAt)) {
      const [before, after] = divide(toEnter, ({ sentAt }) => sentAt <= exchange.receivedAt);
      toEnter = after;
      for (const other of before.sort((left, right) => left.sentAt - right.sentAt)) model.enter(other);
      onJudged({ exchange, results: judge(exchange, model) });
    }
    for (const resume of waiting.splice(0)) resume();
  };

  return {
    /**
     * A request is about to be sent. Exchanges with the same path that end while it is pending are judged when it has ended,
     * because it may have taken effect before.
     * @returns what to call when it has ended, with the exchange if there is one
     */
    begin: (at: number, path: string): ((exchange?: Exchange) => void) => {
      const request = { at, path };
      pending.add(request);
      return (exchange) => {
        pending.delete(request);
        if (exchange) {
          toEnter.push(exchange);
          toJudge.push(exchange);
        }
        flush();
      };
    },
    /** Resolves when everything is judged that has ended until now. */
    settled: async (): Promise<void> => {
      const last = Math.max(...toJudge.map(({ receivedAt }) => receivedAt));
      while (toJudge.some(({ receivedAt }) => receivedAt <= last))
        await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
};

/** Items that match, and the others. */
export const divide = <Item>(items: readonly Item[], matches: (item: Item) => boolean): [Item[], Item[]] => [
  items.filter(matches),
  items.filter((item) => !matches(item)),
];
