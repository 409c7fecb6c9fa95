import type { Answer } from '../../mock/contract/questions.ts';
import { everythingPermitted } from '../client/permissions.ts';
import { observe, type QuestionResult } from '../questions/observe.ts';
import { probes } from '../questions/probes/index.ts';
import { inRun } from '../runner/run.ts';
import type { ConformingDeployment } from './conforming/index.ts';
import { expectedAnswersOf } from './expected-answers.ts';
import { describeOutcome } from './round-trip.ts';
import { responseTimeoutMs } from './suite-result.ts';

/** What `observe` reported, compared with the expected answers. */
export type Comparison = {
  readonly right: number;
  /** Answers that differ from the expected ones. */
  readonly wrong: readonly string[];
  /** Questions that have an answer, and were reported as undecided. */
  readonly undecided: readonly string[];
};

/** The result of observing one conforming deployment. */
export type Score = Comparison & {
  readonly id: string;
  /** Leads that the deployment still holds. */
  readonly leftoverLeads: number;
};

export const scoreDeployment = async ({ id, start, requirements }: ConformingDeployment): Promise<Score> => {
  const { from: sender } = { ...requirements.mail } as { from?: unknown };
  const running = await start();
  try {
    const { results } = await inRun(
      {
        ...running,
        permissions: everythingPermitted,
        timeout: responseTimeoutMs,
        ...(typeof sender === 'string' ? { sender } : {}),
      },
      'observe',
      (shared) => observe(shared, probes),
    );
    return { id, ...compareAnswers(results, expectedAnswersOf(id)), leftoverLeads: running.leads() };
  } finally {
    await running.close();
  }
};

/** Where no answer is expected, none is right. */
export const compareAnswers = (
  results: readonly QuestionResult[],
  expected: Readonly<Partial<Record<string, Answer>>>,
): Comparison => {
  const isRight = (result: QuestionResult): boolean => {
    const known = expected[result.question.id];
    return result.status === 'answered' ? result.answer === known : known === undefined;
  };
  const linesOf = (isAnswered: boolean): string[] =>
    results
      .filter((result) => !isRight(result) && (result.status === 'answered') === isAnswered)
      .map(
        (result) =>
          `${result.question.id} is ${expected[result.question.id] ?? 'none of the answers'}, found ${describeOutcome(result)}`,
      );
  return { right: results.filter(isRight).length, wrong: linesOf(true), undecided: linesOf(false) };
};
