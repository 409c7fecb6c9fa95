import type { Exchange } from '../exchange/exchange.ts';
import { createModel } from '../model/model.ts';
import { divide } from './divide.ts';
import { type Judgement, judge } from './judge.ts';

/** What may be true after the exchanges of a run, and what they show. */
export type History = ReturnType<typeof createHistory>;

export const createHistory = () => {
  const model = createModel();
  const judged: Judgement[] = [];
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
      judged.push({ exchange, results: judge(exchange, model) });
    }
    for (const resume of waiting.splice(0)) resume();
  };

  return {
    model,
    judged: judged as readonly Judgement[],
    /** Adds what a comparison of two requests has shown, which no single exchange shows. */
    add: (judgement: Judgement): void => void judged.push(judgement),
    judge: {
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
    },
  };
};
