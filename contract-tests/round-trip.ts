import { type Answers, findQuestion } from '../mock/questions.ts';
import { checks } from './checks/index.ts';
import { type Found, observe } from './observe.ts';
import { everythingPermitted } from './permissions.ts';
import { probes } from './probes/index.ts';
import { inRun, runContract } from './run.ts';
import { embeddedTarget, type Target } from './target.ts';
import { summarise } from './verdict.ts';

/** The answer found, or why there is none. */
export const outcomeOf = (found: Found): string =>
  found.status === 'answered' ? String(found.answer) : `${found.status}: ${found.reason}`;

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

/** Questions whose observed answer is not what the mock was told, with what came instead; `[]` is what is claimed. */
export const roundTrip = (answers: Readonly<Partial<Answers>>): Promise<string[]> =>
  withMock(answers, (target) => observedDifferences(target, answers));

/** What `contract --strict` finds fault with in a mock of these answers, which must break no fact themselves. */
export const strictFindings = (answers: Readonly<Partial<Answers>>): Promise<string[]> =>
  withMock(answers, findings);

const observedDifferences = async (
  target: Target,
  answers: Readonly<Partial<Answers>>,
): Promise<string[]> => {
  const { found, leftovers } = await inRun(
    { ...target, permissions: everythingPermitted },
    'observe',
    (shared) => observe(shared, probes),
  );
  const wrong = found.flatMap((one) => {
    const told = answers[one.question.id] ?? findQuestion(one.question.id)?.assumed;
    return one.status === 'answered' && one.answer === told
      ? []
      : [`${one.question.id} is ${told}, found ${outcomeOf(one)}`];
  });
  return leftovers.length === 0 ? wrong : [...wrong, `${leftovers.length} leads left behind`];
};

const findings = async (target: Target): Promise<string[]> => {
  const run = await runContract({ ...target, permissions: everythingPermitted, checks });
  const { exitCode, headline } = summarise(run, true);
  if (exitCode === 0) return [];
  const reasons = run.verdicts
    .filter(({ status }) => status !== 'pass' && status !== 'skipped')
    .map(({ check, status, reason }) => `${check.id} ${status}: ${reason}`);
  return [`exit ${exitCode}: ${headline}`, ...reasons];
};
