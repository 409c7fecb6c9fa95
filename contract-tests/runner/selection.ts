import { readFileSync } from 'node:fs';
import { describeUnknown } from '../../mock/contract/questions.ts';
import { describeReadError } from '../../mock/contract/system-errors.ts';
import { formerIds } from '../checks/former-ids.ts';
import { scenarios } from '../checks/scenarios.ts';
import { ConfigurationError } from '../client/errors.ts';
import { isObject, type JsonObject } from '../exchange/exchange.ts';
import type { Check } from '../facts/check.ts';
import { notReached } from './verdict.ts';

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
export const noSuchCheck = (pattern: string, checks: readonly Check[]): string => {
  const known = withGroups(checks.map(({ id }) => id));
  return describeUnknown(
    'check or group of checks',
    pattern,
    known,
    'email-leads contract --list lists them all',
  );
};

/** Whether a pattern matches a check, as `matchesId` does. */
export const matches = (pattern: string, { id }: Check): boolean => matchesId(pattern, id);

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
