import { type Arbitrary, constantFrom, integer, oneof, record } from 'fast-check';
import { type Answer, type Answers, listQuestions } from '../../mock/contract/questions.ts';
import { checks } from '../checks/index.ts';
import { everythingPermitted } from '../client/permissions.ts';
import { observe, type QuestionResult } from '../questions/observe.ts';
import { probes } from '../questions/probes/index.ts';
import { inRun, type TargetOptions } from '../runner/run.ts';
import { summarise } from '../runner/summary.ts';
import { embeddedTarget, type Target } from '../session/target.ts';
import type { ConformingDeployment } from './conforming/index.ts';
import { expectedAnswersOf } from './expected-answers.ts';
import { describeResult, outcomeOf, responseTimeoutMs, runContract, targetOf } from './suite-result.ts';

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

type Expected = Readonly<Partial<Record<string, Answer>>>;

const permitted = { permissions: everythingPermitted, timeout: responseTimeoutMs };

/** How the answers that `observe` reports differ from the expected ones; where none is expected, none is right. */
export const differencesIn = (results: readonly QuestionResult[], expected: Expected): string[] =>
  results.flatMap((result) => {
    const { id } = result.question;
    const answer = result.status === 'answered' ? result.answer : undefined;
    const found = result.status === 'answered' ? result.answer : `${result.status}: ${result.reason}`;
    return answer === expected[id]
      ? []
      : [`${id} is ${expected[id] ?? 'none of the answers'}, found ${found}`];
  });

const observedDifferences = async (
  target: Pick<TargetOptions, 'url' | 'key' | 'sender'>,
  expected: Expected,
): Promise<string[]> => {
  const options = { ...target, ...permitted };
  const observed = await inRun(options, 'observe', (shared) => observe(shared, probes));
  const left = observed.leftoverLeads.map((id) => `the lead ${id} is left behind`);
  return [...differencesIn(observed.results, expected), ...left];
};

const assumed: Expected = Object.fromEntries(
  listQuestions().map((question) => [question.id, question.assumed]),
);

/** Differences between the configured answers of a mock and the observed ones; the claim is `[]`. */
export const roundTrip = (answers: Readonly<Partial<Answers>>): Promise<string[]> =>
  withMock(answers, (target) => observedDifferences(target, { ...assumed, ...answers }));

/** The same for a conforming server, whose answers are known; and the leads that it still holds. */
export const differencesOf = async ({ id, start, requirements }: ConformingDeployment): Promise<string[]> => {
  const running = await start();
  try {
    const differences = await observedDifferences(targetOf(running, requirements), expectedAnswersOf(id));
    return running.leads() === 0 ? differences : [...differences, `${running.leads()} leads left behind`];
  } finally {
    await running.close();
  }
};

/** What `contract --strict` reports for a mock with these answers, which must not violate a derived fact themselves. */
export const strictFindings = (answers: Readonly<Partial<Answers>>): Promise<string[]> =>
  withMock(answers, async (target) => {
    const run = await runContract({ ...target, ...permitted, checks });
    const { exitCode, headline } = summarise(run, true);
    return exitCode === 0 ? [] : [`exit ${exitCode}`, describeResult({ headline, ...outcomeOf(run) })];
  });
