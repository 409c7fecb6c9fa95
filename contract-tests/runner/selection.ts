import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describeUnknown } from '../../mock/contract/questions.ts';
import { describeReadError } from '../../mock/contract/system-errors.ts';
import { formerIds } from '../checks/former-ids.ts';
import { scenarios } from '../checks/scenarios.ts';
import { ConfigurationError } from '../client/errors.ts';
import { isObject, type JsonObject } from '../client/exchange.ts';
import type { Check } from '../session/check.ts';
import { notReached, type Verdict } from './verdict.ts';

/** Why a check has no result if nothing could be tested. */
export const notStarted = 'the run did not start';

/** Whether a segment of a pattern matches one of an id; `*` stands for any characters. */
const matchesSegment = (pattern: string, segment: string): boolean => {
  const parts = pattern.split(/\*+/).map((text) => text.replace(/\W/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(segment);
};

/**
 * Whether a pattern matches an id: it is the id, a former one, or a prefix up to a dot. A `*` in it stands for any characters of one
 * segment.
 */
export const matchesId = (pattern: string, id: string): boolean => {
  if (Object.hasOwn(formerIds, pattern)) return formerIds[pattern]?.includes(id) === true;
  const [wanted, segments] = [pattern.replace(/\.$/, '').split('.'), id.split('.')];
  return wanted.every((one, at) => segments[at] !== undefined && matchesSegment(one, segments[at]));
};

/** The ids and their groups, such as `leads.update`: everything that a pattern may match. */
export const withGroups = (ids: readonly string[]): string[] => [
  ...new Set(ids.flatMap((id) => id.split('.').map((_, at, parts) => parts.slice(0, at + 1).join('.')))),
];

/** The error for a pattern that matches no check, with similar names. */
const noSuchCheck = (pattern: string, checks: readonly Check[]): string => {
  const known = withGroups(checks.map(({ id }) => id));
  return describeUnknown(
    'check or group of checks',
    pattern,
    known,
    'email-leads contract --list lists them all',
  );
};

const matches = (pattern: string, { id }: Check): boolean => matchesId(pattern, id);

/**
 * The checks that `only` matches and `skip` does not; both accept what `matchesId` does.
 * @throws ConfigurationError for a pattern that matches no check, or if no check is left
 */
export const selectChecks = (
  all: readonly Check[],
  only: readonly string[],
  skip: readonly string[],
): Check[] => {
  for (const pattern of [...only, ...skip]) {
    if (!all.some((check) => matches(pattern, check)))
      throw new ConfigurationError(noSuchCheck(pattern, all));
  }
  const chosen = all.filter(
    (check) =>
      (only.length === 0 || only.some((pattern) => matches(pattern, check))) &&
      !skip.some((pattern) => matches(pattern, check)),
  );
  if (chosen.length === 0) throw new ConfigurationError('--only and --skip leave no check to run');
  return chosen;
};

/** The checks that a run has time for. One that is named is run, whatever it costs. */
export const selectDue = (
  selected: readonly Check[],
  only: readonly string[],
  isThorough: boolean,
): Check[] => {
  const due = selected.filter(({ thorough, id }) => isThorough || !thorough || only.includes(id));
  return due.length > 0 ? due : [...selected];
};

/** A known finding that does not fail the run, and the reason. */
export type Waiver = {
  /** Id of a check, or a pattern of ids. */
  readonly check: string;
  readonly reason: string;
  /** Last day on which the waiver applies, such as `2026-03-31`, in UTC. */
  readonly until?: string;
  /** The finding comes and goes: a run without it does not make the waiver unneeded. */
  readonly intermittent?: boolean;
};

/**
 * Reads a waivers file, YAML or JSON: a list of `{check, reason, until?, intermittent?}`.
 * @throws ConfigurationError for an unreadable file, an invalid entry or an unknown check id
 */
export const readWaivers = (file: string, checks: readonly Check[]): Waiver[] => {
  // A file whose last waiver was removed is empty, or has comments only.
  const content = read(file) ?? [];
  if (!Array.isArray(content))
    throw new ConfigurationError(
      `${file} must contain a list of waivers: "- check: ID" and "reason: TEXT" each`,
    );
  return content.map((entry: unknown, index) => {
    const { check, reason, until, intermittent, ...rest } = { ...(entry as object) } as Record<
      string,
      unknown
    >;
    const place = `${file}, waiver ${index + 1}`;
    if (typeof check !== 'string')
      throw new ConfigurationError(`${place}: "check" must be the id of a check`);
    if (!checks.some((known) => matches(check, known)))
      throw new ConfigurationError(`${place}: ${noSuchCheck(check, checks)}`);
    if (typeof reason !== 'string' || reason.trim() === '')
      throw new ConfigurationError(`${place}: ${check} needs a "reason"`);
    if (until !== undefined && !isDay(until))
      throw new ConfigurationError(`${place}: "until" must be a day like 2026-03-31`);
    if (intermittent !== undefined && typeof intermittent !== 'boolean')
      throw new ConfigurationError(`${place}: "intermittent" must be true or false`);
    const [stray] = Object.keys(rest);
    if (stray !== undefined)
      throw new ConfigurationError(
        `${place}: ${JSON.stringify(stray)} is not a field of a waiver; the fields are check, reason, until and intermittent`,
      );
    return {
      check,
      reason,
      ...(until === undefined ? {} : { until }),
      ...(intermittent === undefined ? {} : { intermittent }),
    };
  });
};

const isDay = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\d$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(value).toISOString().startsWith(value);

const read = (file: string): unknown => {
  // Loaded only when needed: loading takes a tenth of the time of a run on the mock, and few runs have waivers.
  const { parse } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ConfigurationError(describeReadError(file, error));
  }
};

/** The statuses that a waiver applies to: findings, also intermittent ones, and checks that this deployment leaves undecided. */
const waivable: ReadonlySet<Verdict['status']> = new Set(['fail', 'warn', 'unstable', 'inconclusive']);

/**
 * Marks waived findings. A waiver is unused if its checks passed; if they did not run, it is neither used nor unused. An
 * expired waiver applies to nothing, and the finding mentions that it expired.
 * @param today the day such as `2026-03-31`, in UTC
 */
export const applyWaivers = (
  verdicts: readonly Verdict[],
  waivers: readonly Waiver[],
  today: string,
): { verdicts: Verdict[]; unused: string[] } => {
  const isExpired = ({ until }: Waiver): boolean => until !== undefined && until < today;
  const mark = (verdict: Verdict): Verdict => {
    const matching = waivers.filter(({ check }) => matches(check, verdict.check));
    if (!waivable.has(verdict.status) || matching.length === 0) return verdict;
    const valid = matching.find((waiver) => !isExpired(waiver));
    if (valid) return { ...verdict, waived: valid.reason };
    const [{ until = '', reason = '' } = {}] = matching;
    return { ...verdict, expiredWaiver: `expired after ${until}: ${reason}` };
  };
  const isUnused = ({ check: pattern }: Waiver): boolean => {
    const matching = verdicts.filter(({ check }) => matches(pattern, check));
    const passed = matching.some(({ status }) => status === 'pass');
    return passed && !matching.some(({ status }) => waivable.has(status));
  };
  const unused = waivers.filter(
    (waiver) => waiver.intermittent !== true && !isExpired(waiver) && isUnused(waiver),
  );
  return { verdicts: verdicts.map(mark), unused: unused.map(({ check }) => check) };
};

/** Statuses of checks to repeat, and the reasons for a skip that mean that the run ended before the check. */
const repeated: ReadonlySet<unknown> = new Set(['fail', 'warn', 'inconclusive', 'unstable', 'error']);
const unreached: ReadonlySet<unknown> = new Set([notReached, notStarted]);

/**
 * The checks that failed or were undecided in a report, and the checks that got the responses which showed a failure.
 * @throws ConfigurationError for a file that is not a report, or if there is nothing to repeat
 */
export const selectFailed = (selected: readonly Check[], file: string): Check[] => {
  const ids = new Set<unknown>();
  for (const entry of checksIn(file)) {
    const { id, status, waived, reason, finding } = entry;
    if (waived !== undefined || !(repeated.has(status) || unreached.has(reason))) continue;
    ids.add(id);
    const exchanges = isObject(finding) && Array.isArray(finding.exchanges) ? finding.exchanges : [];
    const sender = exchanges.at(-1)?.request?.check;
    ids.add(sender);
    const decided = scenarios.find((scenario) => scenario.id === sender)?.decides ?? [];
    // A scenario runs when a check needs it that facts decide.
    if (!decided.some((one) => one === id)) ids.add(decided[0]);
  }
  const chosen = selected.filter(({ id }) =>
    [...ids].some((one) => typeof one === 'string' && matchesId(one, id)),
  );
  if (chosen.length === 0)
    throw new ConfigurationError(`${file} has no check that failed or was left undecided: nothing to repeat`);
  return chosen;
};

const checksIn = (file: string): readonly JsonObject[] => {
  let report: unknown;
  try {
    report = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ConfigurationError(`--only-failed ${describeReadError(file, error)}`);
  }
  if (!isObject(report) || report.report_version !== 1 || !Array.isArray(report.checks))
    throw new ConfigurationError(`--only-failed ${file} is not a report.json of this suite (--report json)`);
  return report.checks.filter(isObject);
};
