import type { Call, Exchange } from '../exchange/exchange.ts';
import { createModel } from '../model/model.ts';
import { type Judgement, judge } from './judge.ts';

/** What may be true after the exchanges of a run, and what they show. */
export type History = ReturnType<typeof createHistory>;

export const createHistory = () => {
  const model = createModel();
  const judged: Judgement[] = [];
  return {
    model,
    judged: judged as readonly Judgement[],
    /** Adds what a comparison of two requests has shown, which no single exchange shows. */
    add: (judgement: Judgement): void => void judged.push(judgement),
    /**
     * A request is about to be sent, and may take effect from now on.
     * @returns what to call when it has ended, with the exchange if there is one
     */
    begin: (call: Call, at: number): ((exchange?: Exchange) => void) => {
      const end = model.begin(call, at);
      return (exchange) => {
        end();
        if (exchange) judged.push({ exchange, results: judge(exchange, model) });
      };
    },
  };
};
