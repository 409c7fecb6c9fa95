import { createModel } from '../model/model.ts';
import { createJudge, type Judgement } from './judge.ts';

/** What may be true after the exchanges of a run, and what they show. */
export type History = ReturnType<typeof createHistory>;

export const createHistory = () => {
  const model = createModel();
  const judged: Judgement[] = [];
  /** Adds what a comparison of two requests has shown, which no single exchange shows. */
  const add = (judgement: Judgement): void => void judged.push(judgement);
  return { model, judged: judged as readonly Judgement[], add, judge: createJudge(model, add) };
};
