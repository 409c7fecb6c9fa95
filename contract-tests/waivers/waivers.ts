import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { parseFileFor, UsageError } from '../../mock/contract/system-errors.ts';
import { checks } from '../checks/index.ts';
import { matchesId, noSuchCheck } from '../checks/patterns.ts';
import type { Check } from '../facts/check.ts';
import type { Failure } from '../facts/fact.ts';
import type { Verdict } from '../runner/verdict.ts';

/** A known finding that does not fail the run, and the reason. */
export type Waiver = {
  /** Id of a check, or a pattern: `leads.add`, `leads.*.auth`. */
  readonly check: string;
  /** What the finding shows, as in a report (`finding.fingerprint`); without one the waiver is for every difference. */
  readonly fingerprint?: string;
  readonly reason: string;
  /** Last day on which the waiver applies, such as `2026-03-31`, in UTC. */
  readonly until?: string;
  /** The finding comes and goes: a run without it does not make the waiver unneeded. */
  readonly intermittent?: boolean;
};

export const isDay = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\d$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(value).toISOString().startsWith(value);

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

/** The fields of a waiver: what is valid, and what a message demands. */
const fields: Readonly<
  Record<keyof Waiver, readonly [isValid: (value: unknown) => boolean, demand: string]>
> = {
  check: [isText, 'the id of a check'],
  fingerprint: [
    (value) => value === undefined || isText(value),
    'a text, in quotes if it consists of digits',
  ],
  reason: [isText, 'a text'],
  until: [(value) => value === undefined || isDay(value), 'a day like 2026-03-31'],
  intermittent: [(value) => value === undefined || typeof value === 'boolean', 'true or false'],
};

/** What is wrong with an entry of a waivers file. */
const problemOf = (entry: Readonly<Record<string, unknown>>): string | undefined => {
  const stray = Object.keys(entry).find((name) => !Object.hasOwn(fields, name));
  if (stray !== undefined)
    return `${JSON.stringify(stray)} is not a field of a waiver; the fields are ${Object.keys(fields).join(', ')}`;
  const wrong = Object.entries(fields).find(([name, [isValid]]) => !isValid(entry[name]));
  if (wrong) return `"${wrong[0]}" must be ${wrong[1][1]}`;
  const { check } = entry as Waiver;
  return checks.some(({ id }) => matchesId(check, id)) ? undefined : noSuchCheck(check, checks);
};

/**
 * Reads a waivers file, YAML or JSON: a list of `{check, reason, fingerprint?, until?, intermittent?}`.
 * @throws UsageError for an unreadable file, an invalid entry or an unknown check id
 */
export const readWaivers = (file: string): Waiver[] => {
  // Loaded only when needed: loading takes a tenth of the time of a run on the mock, and few runs have waivers.
  const { parse } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
  // A file whose last waiver was removed is empty, or has comments only.
  const content: unknown = parseFileFor(file, (bytes) => parse(bytes.toString())) ?? [];
  if (!Array.isArray(content))
    throw new UsageError(`${file} must contain a list of waivers: "- check: ID" and "reason: TEXT" each`);
  return waiversIn(file, content);
};

/**
 * The entries of a list of waivers.
 * @param source the file or the option that contains the list, for messages
 * @throws UsageError for an invalid entry or an unknown check id
 */
export const waiversIn = (source: string, entries: readonly unknown[]): Waiver[] =>
  entries.map((entry, index) => {
    const waiver = typeof entry === 'object' ? { ...entry } : {};
    const problem = problemOf(waiver);
    if (problem !== undefined) throw new UsageError(`${source}, waiver ${index + 1}: ${problem}`);
    return waiver as Waiver;
  });

/** The statuses that a waiver applies to: findings, also intermittent ones, and checks that this deployment leaves undecided. */
const waivable: ReadonlySet<Verdict['status']> = new Set(['fail', 'warn', 'unstable', 'inconclusive']);

const isExpired = ({ until }: Waiver, today: string): boolean => until !== undefined && until < today;

/** Why a waiver of the check does not apply to a finding; `undefined` if it does. */
const describeMismatch = (waiver: Waiver, { check, failure }: Verdict, today: string): string | undefined => {
  const { fingerprint, reason } = waiver;
  const isOther =
    fingerprint !== undefined && (failure === undefined || fingerprint !== fingerprintOf(check, failure));
  if (isOther) return `for another difference (${fingerprint}): ${reason}`;
  return isExpired(waiver, today) ? `expired after ${waiver.until}: ${reason}` : undefined;
};

/**
 * Marks waived findings. A waiver is unused if its checks passed; if they did not run, it is neither used nor unused. A waiver
 * that has expired, or that is for another difference, does not apply, and the finding says so.
 * @param today the day such as `2026-03-31`, in UTC
 */
export const applyWaivers = (
  verdicts: readonly Verdict[],
  waivers: readonly Waiver[],
  today: string,
): { verdicts: Verdict[]; unused: string[] } => {
  const mark = (verdict: Verdict): Verdict => {
    const matching = waivers.filter((waiver) => matchesId(waiver.check, verdict.check.id));
    if (!waivable.has(verdict.status) || matching.length === 0) return verdict;
    const notes = matching.map((waiver) => describeMismatch(waiver, verdict, today));
    const valid = matching[notes.indexOf(undefined)];
    return valid ? { ...verdict, waived: valid.reason } : { ...verdict, waiverNote: String(notes[0]) };
  };
  const isUnused = (waiver: Waiver): boolean => {
    const matching = verdicts.filter(({ check }) => matchesId(waiver.check, check.id));
    const passed = matching.some(({ status }) => status === 'pass');
    return passed && !matching.some(({ status }) => waivable.has(status));
  };
  const unused = waivers.filter(
    (waiver) => waiver.intermittent !== true && !isExpired(waiver, today) && isUnused(waiver),
  );
  return { verdicts: verdicts.map(mark), unused: unused.map(({ check }) => check) };
};

/** A text with one word for all that is in quotes. The last quote may be missing: long texts are cut. */
const withoutQuotes = (text: string): string => {
  const parts = text.replace(/\\./gs, '').split('"');
  return parts.map((part, index) => (index % 2 === 0 ? part : 'TEXT')).join('');
};

/** A text without what differs from run to run: values in quotes, numbers, and words with digits. */
export const shapeOf = (text: string): string =>
  withoutQuotes(text)
    .replace(/a different text of \d+ characters/g, 'TEXT')
    .replace(/[\p{L}\p{N}_.:-]+/gu, (word) => (/\d/.test(word) ? '#' : word));

/**
 * What a finding shows, in 12 hexadecimal digits: its check, the operation, the key, the status, the place in the response, and the
 * kind of the difference. It is the same in every run that shows the same difference, and another one for a different one.
 */
export const fingerprintOf = ({ id }: Pick<Check, 'id'>, failure: Failure): string => {
  const { actual, pointer, exchange } = failure;
  const place = pointer?.replaceAll(/\/\d+(?=\/|$)/g, '/#');
  const { operation, credentials, status } = exchange ?? {};
  const parts = [id, operation, credentials, status, place, shapeOf(actual)];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12);
};
