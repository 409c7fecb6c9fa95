import type { RunResult, Verdict } from './engine.ts';

/** Exit codes of `contract`, in order of precedence. */
export const exitCodes = { usage: 2, broken: 1, couldNotTest: 3, conforms: 0, interrupted: 130 } as const;

export type Summary = {
  readonly exitCode: number;
  /** The verdict in one line. */
  readonly headline: string;
  readonly counts: Readonly<Record<Verdict['status'], number>>;
};

/** What a run comes down to. A defect of the suite is not a broken promise: it counts as "could not test". */
export const summarise = ({ verdicts, survey, interrupted }: RunResult, strict: boolean): Summary => {
  const counts = { pass: 0, fail: 0, warn: 0, unstable: 0, inconclusive: 0, skipped: 0, error: 0 };
  for (const { status } of verdicts) counts[status] += 1;
  const broken = counts.fail + (strict ? counts.warn : 0);
  const untested = [...survey]
    .filter(([, finding]) => finding.inconclusive !== undefined)
    .map(([operation]) => operation);
  if (interrupted) return { exitCode: exitCodes.interrupted, headline: 'interrupted', counts };
  if (broken > 0) {
    const facts = broken === 1 ? '1 fact is broken' : `${broken} facts are broken`;
    return { exitCode: exitCodes.broken, headline: `does not conform: ${facts}`, counts };
  }
  if (counts.error > 0)
    return {
      exitCode: exitCodes.couldNotTest,
      headline: `could not test: ${counts.error} checks failed in the suite itself`,
      counts,
    };
  if (untested.length > 0)
    return { exitCode: exitCodes.couldNotTest, headline: `could not test: ${untested.join(', ')}`, counts };
  const warnings =
    counts.warn > 0 ? `, with ${counts.warn === 1 ? '1 warning' : `${counts.warn} warnings`}` : '';
  return { exitCode: exitCodes.conforms, headline: `conforms${warnings}`, counts };
};
