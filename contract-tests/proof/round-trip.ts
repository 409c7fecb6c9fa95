import { type Arbitrary, constantFrom, integer, oneof, record } from 'fast-check';
import { type Answer, type Answers, findQuestion, listQuestions } from '../../mock/contract/questions.ts';
import { checks } from '../checks/index.ts';
import { everythingPermitted } from '../client/permissions.ts';
import { observe, type QuestionResult } from '../questions/observe.ts';
import { probes } from '../questions/probes/index.ts';
import { inRun, runContract } from '../runner/run.ts';
import { summarise } from '../runner/summary.ts';
import { embeddedTarget, type Target } from '../session/target.ts';
import type { ConformingDeployment } from './conforming/index.ts';
import { expectedAnswersOf } from './expected-answers.ts';
import { responseTimeoutMs } from './suite-result.ts';

const rangeOrLiteral = (space: Answer): Arbitrary<Answer> => {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(String(space)) ?? [];
  return from === undefined ? constantFrom(space) : integer({ min: Number(from), max: Number(to) });
};

/** Any answers to all observable questions, each part of an answer space as likely as the others. */
export const arbitraryAnswers: Arbitrary<Partial<Answers>> = record(
  Object.fromEntries(
    listQuestions()
      .filter(({ observable }) => observable)
      .map(({ id, answers }) => [id, oneof(...answers.map(rangeOrLiteral))]),
  ),
) as Arbitrary<Partial<Answers>>;

/**
 * The same answers without those that violate a derived fact, which the suite rightly reports: a server error, and a
 * success for a lead or a template that does not exist.
 */
export const withoutViolations = (answers: Readonly<Partial<Answers>>): Partial<Answers> =>
  Object.fromEntries(
    Object.entries(answers).map(([id, answer]) => [id, violatesFact(id, answer) ? 422 : answer]),
  );

const violatesFact = (id: string, answer: Answer): boolean =>
  (id.endsWith('-status') && Number(answer) >= 500) ||
  (/unknown-(lead|template)-status$/.test(id) && answer === 'accepted');

/** The observed answer, or why there is none. */
export const describeOutcome = (result: QuestionResult): string =>
  result.status === 'answered' ? String(result.answer) : `${result.status}: ${result.reason}`;

const withMock = async <Result>(
  answers: Readonly<Partial<Answers>>,
  use: (target: Target) => Promise<Result>,
): Promise<Result> => {
  const target = await embeddedTarget(answers);
  try {
    return await use(target);
  } finally {
    await target.close();
  }
};

/** Questions whose observed answer differs from the configured one; the claim is `[]`. */
export const roundTrip = (answers: Readonly<Partial<Answers>>): Promise<string[]> =>
  withMock(answers, (target) => observedDifferences(target, answers));

/** What `contract --strict` reports for a mock with these answers, which must not violate a derived fact themselves. */
export const strictFindings = (answers: Readonly<Partial<Answers>>): Promise<string[]> =>
  withMock(answers, collectStrictFindings);

const observedDifferences = async (
  target: Target,
  answers: Readonly<Partial<Answers>>,
): Promise<string[]> => {
  const { results, leftoverLeads } = await inRun(
    { ...target, permissions: everythingPermitted, timeout: responseTimeoutMs },
    'observe',
    (shared) => observe(shared, probes),
  );
  const wrong = results.flatMap((result) => {
    const configured = answers[result.question.id] ?? findQuestion(result.question.id)?.assumed;
    return result.status === 'answered' && result.answer === configured
      ? []
      : [`${result.question.id} is ${configured}, found ${describeOutcome(result)}`];
  });
  return leftoverLeads.length === 0 ? wrong : [...wrong, `${leftoverLeads.length} leads left behind`];
};

const collectStrictFindings = async (target: Target): Promise<string[]> => {
  const run = await runContract({
    ...target,
    permissions: everythingPermitted,
    timeout: responseTimeoutMs,
    checks,
  });
  const { exitCode, headline } = summarise(run, true);
  if (exitCode === 0) return [];
  const reasons = run.verdicts
    .filter(({ status }) => status !== 'pass' && status !== 'skipped')
    .map(({ check, status, reason }) => `${check.id} ${status}: ${reason}`);
  return [`exit ${exitCode}: ${headline}`, ...reasons];
};

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
