import type { RunResult, Status, Verdict } from './engine.ts';
import type { AnswerVerdict } from './gate.ts';
import type { Survey } from './survey.ts';

/** Exit codes of `contract`, in order of precedence. */
export const exitCodes = {
  usage: 2,
  broken: 1,
  couldNotTest: 3,
  drift: 4,
  conforms: 0,
  interrupted: 130,
} as const;

export type Summary = {
  readonly exitCode: number;
  /** The verdict in one line. */
  readonly headline: string;
  readonly counts: Readonly<Record<Status | 'waived', number>>;
};

const plural = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${count} ${many}`;

/**
 * What a run comes down to. A defect of the suite is not a broken promise: it counts as "could not test".
 * @param unusedWaivers checks that are waived and pass all the same: the waiver has to go
 * @param answers what became of the answers of a profile, where one gates
 */
export const summarise = (
  { verdicts, survey, interrupted }: RunResult,
  strict: boolean,
  unusedWaivers: readonly string[] = [],
  answers: readonly AnswerVerdict[] = [],
): Summary => {
  const counts = count(verdicts);
  const conclude = (exitCode: number, headline: string): Summary => ({ exitCode, headline, counts });
  if (interrupted) return conclude(exitCodes.interrupted, 'interrupted');
  const broken = counts.fail + (strict ? counts.warn : 0);
  if (broken > 0) {
    const claims = `${plural(broken, 'claim is', 'claims are')} broken`;
    const address = nothingThere(survey) ? '; no operation that was asked for is there: check the URL' : '';
    return conclude(exitCodes.broken, `does not conform: ${claims}${address}`);
  }
  if (unusedWaivers.length > 0) {
    return conclude(
      exitCodes.broken,
      `${plural(unusedWaivers.length, 'waiver is', 'waivers are')} no longer needed: ${unusedWaivers.join(', ')}`,
    );
  }
  if (counts.error > 0) {
    return conclude(
      exitCodes.couldNotTest,
      `could not test: ${plural(counts.error, 'check', 'checks')} failed in the suite itself`,
    );
  }
  const unanswered = verdicts.filter((verdict) => verdict.unanswered).length;
  if (unanswered > 0)
    return conclude(
      exitCodes.couldNotTest,
      `could not test: ${plural(unanswered, 'check', 'checks')} got no answer`,
    );
  const untested = [...survey].flatMap(([operation, finding]) =>
    finding.inconclusive === undefined ? [] : [operation],
  );
  if (untested.length > 0) return conclude(exitCodes.couldNotTest, `could not test: ${untested.join(', ')}`);
  const pinned = answers.filter(({ state }) => state === 'pinned');
  const drifted = pinned.filter(({ status }) => status === 'drift');
  if (drifted.length > 0) {
    const ids = drifted.map(({ question }) => question).join(', ');
    return conclude(
      exitCodes.drift,
      `drift: ${drifted.length} of ${plural(pinned.length, 'pinned answer', 'pinned answers')} changed: ${ids}`,
    );
  }
  const matching = pinned.filter(({ status }) => status === 'match').length;
  if (verdicts.every(({ status }) => status === 'skipped' || status === 'inconclusive'))
    return conclude(exitCodes.couldNotTest, 'could not test: no check could be run');
  const remarks = [
    ...(answers.length > 0
      ? [`${matching} of ${plural(pinned.length, 'pinned answer', 'pinned answers')} matching`]
      : []),
    ...(counts.skipped > 0 ? [`${counts.skipped} of ${verdicts.length} checks skipped`] : []),
    ...(counts.warn > 0 ? [plural(counts.warn, 'warning', 'warnings')] : []),
    ...(counts.waived > 0 ? [plural(counts.waived, 'waived finding', 'waived findings')] : []),
  ];
  return conclude(
    exitCodes.conforms,
    remarks.length > 0 ? `conforms, with ${remarks.join(', ')}` : 'conforms',
  );
};

// What a wrong base URL looks like.
const nothingThere = (survey: Survey): boolean => {
  const asked = [...survey.values()].filter(({ skipped }) => skipped === undefined);
  return asked.length > 0 && asked.every(({ absent }) => absent);
};

/** A waived finding counts as waived and as nothing else. */
const count = (verdicts: readonly Verdict[]): Record<Status | 'waived', number> => {
  const counts = { pass: 0, fail: 0, warn: 0, unstable: 0, inconclusive: 0, skipped: 0, error: 0, waived: 0 };
  for (const { status, waived } of verdicts) counts[waived === undefined ? status : 'waived'] += 1;
  return counts;
};
