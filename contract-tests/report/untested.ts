import type { Check } from '../check.ts';
import type { Run } from '../run.ts';
import { type Summary, summarise } from '../verdict.ts';

type Options = Pick<Run, 'runId' | 'startedAt' | 'redact' | 'leftovers'> & {
  readonly checks: readonly Check[];
  readonly exitCode: number;
  readonly headline: string;
};

/** A run that came to nothing, so that it has reports too: no check ran, and the reason is the verdict. */
export const untested = ({
  checks,
  exitCode,
  headline,
  startedAt,
  ...rest
}: Options): { run: Run; summary: Summary } => {
  const run: Run = {
    ...rest,
    startedAt,
    durationMs: Math.max(0, Date.now() - Date.parse(startedAt)),
    verdicts: checks.map((check) => ({ check, status: 'skipped', reason: 'the run came to nothing' })),
    survey: new Map(),
    interrupted: false,
    exchanges: [],
    mailsRequested: 0,
  };
  return { run, summary: { ...summarise(run, false), exitCode, headline } };
};
