import { createModel, type Model } from '../model/model.ts';
import { facts } from './facts.ts';
import { createJudge, type Judge, type Judgement } from './judge.ts';

/** What may be true after the exchanges of a run, and what they show. */
export type History = {
  readonly model: Model;
  readonly judge: Judge;
  readonly judged: readonly Judgement[];
  /** Adds what a comparison of two requests has shown, which no single exchange shows. */
  readonly add: (judgement: Judgement) => void;
};

export const createHistory = (): History => {
  const model = createModel();
  const judged: Judgement[] = [];
  const add = (judgement: Judgement): void => void judged.push(judgement);
  return { model, judged, add, judge: createJudge(model, facts, add) };
};
