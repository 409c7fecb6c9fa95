import { plural } from '../exchange/describe.ts';
import { excerpt } from '../exchange/exchange.ts';
import { groupBy } from '../exchange/lists.ts';
import type { components } from '../generated/report.ts';
import type { Discovery } from '../session/outcome.ts';
import type { RunResult } from './check-runner.ts';
import type { Run } from './run.ts';
import { notReached, type Status, type Verdict } from './verdict.ts';

/** Exit codes of `contract`. */
export const exitCodes = {
  usage: 2,
  broken: 1,
  couldNotTest: 3,
  drift: 4,
  conforms: 0,
  interrupted: 130,
} as const;

type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export type Summary = {
  readonly exitCode: ExitCode;
  /** The verdict in one line. */
  readonly headline: string;
  readonly counts: Readonly<Record<Status | 'waived', number>>;
};

/** A run without checks, as a base to extend: no requests. */
export const emptyResult = {
  verdicts: [],
  discovery: new Map(),
  interrupted: false,
  troubles: [],
  adaptations: [],
  exchanges: [],
  requests: 0,
  mailsRequested: 0,
  waitedMs: 0,
  leftoverLeads: [],
} satisfies Partial<Run>;

/** Whether a check was tried but is undecided, and not waived: such a check prevents exit code 0. */
export const isUndecided = ({ status, waived }: Pick<Verdict, 'status' | 'waived'>): boolean =>
  waived === undefined && (status === 'inconclusive' || status === 'error');

/** What counts of a check: a verdict, or what a report says of it. */
type Result = Pick<Verdict, 'status' | 'reason' | 'waived'>;

/** What a run comes to, as far as a summary needs it. */
type Judged = Pick<RunResult, 'discovery' | 'interrupted' | 'troubles'> & {
  readonly verdicts: readonly Result[];
};

/** The number of undecided checks with the most frequent cause; `undefined` if all are decided. */
const undecidedText = ({ verdicts, troubles }: Judged): string | undefined => {
  const undecided = verdicts.filter(isUndecided);
  if (undecided.length === 0) return undefined;
  const reasons = [...groupBy(undecided, ({ reason = '' }) => reason)];
  const [[frequent] = ['']] = reasons.sort(([, left], [, right]) => right.length - left.length);
  const cause = troubles.length > 0 ? troubles.join('; and ') : oneLine(frequent);
  return `${undecided.length} of ${plural(verdicts.length, 'check')} undecided, because ${cause}`;
};

const oneLine = (text: string): string => excerpt(text, 300);

/**
 * Summarises a run. Exit code 0 means that everything was tested: an undecided check leads
 * to "could not test", whatever the reason.
 * @param unusedWaivers checks that are waived although they pass: the waiver must be removed
 * @param answers the comparison with the answers of a profile, if there is one
 */
export const summarise = (
  run: Judged,
  strict: boolean,
  unusedWaivers: readonly string[] = [],
  answers: readonly AnswerVerdict[] = [],
): Summary => {
  const { verdicts, discovery, interrupted } = run;
  const counts = count(verdicts);
  const checks = plural(verdicts.length, 'check');
  const unreached = verdicts.filter(({ status, reason }) => status === 'skipped' && reason === notReached);
  const broken = counts.fail + (strict ? counts.warn : 0);
  const absent = countIfAllAbsent(discovery);
  const noOperation = 'none of the requested operations exists: check the URL';
  const undecided = undecidedText(run);
  const unneeded =
    unusedWaivers.length > 0 &&
    `${plural(unusedWaivers.length, 'waiver is', 'waivers are')} no longer needed: ${unusedWaivers.join(', ')}`;

  const pinned = answers.filter(({ state }) => state === 'pinned');
  const pins = plural(pinned.length, 'pinned answer');
  const withStatus = (...statuses: AnswerVerdict['status'][]): readonly AnswerVerdict[] =>
    pinned.filter(({ status }) => statuses.includes(status));
  const drifted = withStatus('drift');
  const unasked = withStatus('inconclusive', 'unstable');
  const skipped = withStatus('skipped');

  /** In order of precedence. A single operation may be absent; if several are, and no other one exists, the base URL is wrong. */
  const conclusions: readonly (readonly [applies: boolean, ExitCode, ...parts: Part[]])[] = [
    [interrupted, exitCodes.interrupted, `interrupted: ${unreached.length} of ${checks} not reached`],
    [broken > 0 && absent > 1, exitCodes.couldNotTest, `could not test: ${noOperation}`],
    [
      broken > 0,
      exitCodes.broken,
      `does not conform: ${plural(broken, 'claim is', 'claims are')} broken`,
      absent === 1 && noOperation,
      undecided,
      unneeded,
    ],
    [unneeded !== false, exitCodes.broken, unneeded, undecided],
    [undecided !== undefined, exitCodes.couldNotTest, `not everything could be tested: ${undecided}`],
    [
      verdicts.every(({ status }) => status === 'skipped'),
      exitCodes.couldNotTest,
      'could not test: no check could be run',
    ],
    [
      unasked.length > 0,
      exitCodes.couldNotTest,
      `not everything could be tested: ${unasked.length} of ${pins} undecided, because ${reasonOf(unasked)}: ${idsOf(unasked)}`,
      drifted.length > 0 && `${drifted.length} changed: ${idsOf(drifted)}`,
    ],
    [
      drifted.length > 0,
      exitCodes.drift,
      `drift: ${drifted.length} of ${pins} changed: ${idsOf(drifted)}${notAsked(skipped)}`,
    ],
    [
      pinned.length > 0 && skipped.length === pinned.length,
      exitCodes.couldNotTest,
      `could not test: none of ${pins} could be asked, because ${reasonOf(skipped)}`,
    ],
  ];
  const concluded = conclusions.find(([applies]) => applies);
  if (concluded) {
    const [, exitCode, ...parts] = concluded;
    return { exitCode, headline: parts.filter(Boolean).join('; '), counts };
  }
  const matching =
    pinned.length === 0
      ? 'a profile that pins no answer, so that nothing can drift'
      : `${withStatus('match').length} of ${pins} matching${notAsked(skipped)}`;
  // An unstable check is no failure, even with --strict, because the document does not state how soon a change is visible.
  const remarks = [
    answers.length > 0 && matching,
    counts.unstable > 0 && `${plural(counts.unstable, 'check')} unstable (passed only after a retry)`,
    counts.skipped > 0 && `${counts.skipped} of ${checks} skipped`,
    counts.warn > 0 &&
      `${plural(counts.warn, 'warning')} (derived facts are broken; with --strict they are failures)`,
    counts.waived > 0 && plural(counts.waived, 'waived finding'),
  ].filter(Boolean);
  const headline = remarks.length > 0 ? `conforms, with ${remarks.join(', ')}` : 'conforms';
  return { exitCode: exitCodes.conforms, headline, counts };
};

/** A part of a verdict, if it applies. */
type Part = string | false | undefined;

const idsOf = (answers: readonly AnswerVerdict[]): string =>
  answers.map(({ question }) => question).join(', ');

const reasonOf = ([first]: readonly AnswerVerdict[]): string => oneLine(first?.reason ?? '');

const notAsked = (skipped: readonly AnswerVerdict[]): string =>
  skipped.length === 0
    ? ''
    : ` (${skipped.length} not asked, because ${reasonOf(skipped)}: ${idsOf(skipped)})`;

/** The number of requested operations if none of them exists, which is the sign of a wrong base URL; otherwise 0. */
const countIfAllAbsent = (discovery: Discovery): number => {
  const results = [...discovery.values()].filter(({ skipped }) => skipped === undefined);
  return results.every(({ absent }) => absent) ? results.length : 0;
};

/** Counts verdicts by status. A waived finding counts only as waived. */
const count = (verdicts: readonly Result[]): Record<Status | 'waived', number> => {
  const counts = { pass: 0, fail: 0, warn: 0, unstable: 0, inconclusive: 0, skipped: 0, error: 0, waived: 0 };
  for (const { status, waived } of verdicts) counts[waived === undefined ? status : 'waived'] += 1;
  return counts;
};

/**
 * The comparison of an answer in a profile with the deployment. Only `drift` fails the run: a pinned answer that changed.
 * `observed` is information: the current value of an answer that is not pinned.
 */
export type AnswerVerdict = components['schemas']['Report']['answers'][number];
