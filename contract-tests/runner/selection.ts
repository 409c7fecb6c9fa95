import { describeUnknown } from '../../mock/contract/questions.ts';
import { formerIds } from '../checks/former-ids.ts';
import { scenarios } from '../checks/scenarios.ts';
import { ConfigurationError } from '../client/errors.ts';
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

/** What a report says about a check. */
type EarlierResult = {
  readonly id: string;
  readonly status: string;
  readonly waived?: string;
  readonly reason?: string;
  readonly finding?: { readonly exchanges?: readonly { readonly request: { readonly check?: string } }[] };
};

/**
 * The checks that failed or were undecided in an earlier run, and the checks that got the responses which showed a failure.
 * @throws ConfigurationError if there is nothing to repeat
 */
export const selectFailed = (selected: readonly Check[], earlier: readonly EarlierResult[]): Check[] => {
  const ids = new Set<string>();
  for (const { id, status, waived, reason, finding } of earlier) {
    if (waived !== undefined || !(repeated.has(status) || unreached.has(reason))) continue;
    ids.add(id);
    const sender = finding?.exchanges?.at(-1)?.request.check;
    if (sender === undefined) continue;
    ids.add(sender);
    const decides = scenarios.find((scenario) => scenario.id === sender)?.decides ?? [];
    const [first] = decides;
    // A scenario runs when a check needs it that facts decide.
    if (first !== undefined && !decides.includes(id)) ids.add(first);
  }
  const chosen = selected.filter((check) => [...ids].some((id) => matches(id, check)));
  if (chosen.length === 0)
    throw new ConfigurationError('it has no check that failed or was left undecided: nothing to repeat');
  return chosen;
};
