import type { OperationId } from '../../mock/contract/operation-id.ts';
import type { Exchange } from '../client/exchange.ts';

/** The result of discovery for one operation. */
export type DiscoveryResult = {
  readonly failure?: Failure;
  /** The failure is that the operation does not exist. */
  readonly absent?: true;
  readonly inconclusive?: string;
  readonly skipped?: string;
};

/** The check has nothing to inspect on this deployment, or lacks a permission. */
export class CheckSkipped extends Error {}

/** The responses of the deployment do not show whether the claim holds. */
export class CheckInconclusive extends Error {}

/** The run has stopped, because no request succeeds any more. */
export class RunStopped extends CheckInconclusive {}

/**
 * The error for a check that cannot use an operation: skipped if the operation is known not
 * to work, inconclusive if that is unknown.
 */
export const cannotUse = (
  reason: string,
  capability: { readonly isUndecided?: boolean } | undefined,
): CheckSkipped | CheckInconclusive =>
  capability?.isUndecided ? new CheckInconclusive(reason) : new CheckSkipped(reason);

/** What a request may show of an earlier one. */
export type Effect = 'text changed' | 'lead gone' | 'refused';

/** How a claim is broken. */
export type Failure = {
  readonly expected: string;
  readonly actual: string;
  /** The exchange that shows the failure, for the curl command that replays it. */
  readonly exchange?: Exchange | undefined;
  /** JSON Pointer to the place in the response, if there is one. */
  readonly pointer?: string;
  /** How often it was seen, if not always. */
  readonly seen?: string;
  /** The response is correct the next time, so that a right one in a replay shows nothing. */
  readonly sporadic?: true;
  /** What it shows, if its check depends on the request before, so that it may belong to another check the next time. */
  readonly effect?: Effect;
  /** The history shows it more than once: it needs no rerun, and perhaps none could show it again. */
  readonly isRepeated?: true;
  /** Requests of other checks that may have caused the failure: a replay sends them too. */
  readonly causes?: readonly Exchange[];
};

/** What was found instead, and how often. */
export const describeActual = ({ actual, seen }: Pick<Failure, 'actual' | 'seen'>): string =>
  seen === undefined ? actual : `${actual} (${seen})`;

/** The field of a lead that is found changed, as `data.note`. */
export const changedField = ({ expected }: Pick<Failure, 'expected'>): string | undefined =>
  /^(data\.\w+) unchanged/.exec(expected)?.[1];

export type Discovery = Map<OperationId, DiscoveryResult>;

/** Length of the common prefix of two texts, in UTF-16 units. */
export const sharedStart = (left: string, right: string): number => {
  let at = 0;
  while (at < Math.min(left.length, right.length) && left[at] === right[at]) at += 1;
  return at;
};

/** Length of the common suffix of two texts, in UTF-16 units. */
const sharedEnd = (left: string, right: string): number => sharedStart(reversed(left), reversed(right));

const reversed = (text: string): string => text.split('').reverse().join('');

/** Whether two texts look the same: composed and decomposed letters, different kinds of blanks. */
const alike = (left: string, right: string): boolean => lookalikeForm(left) === lookalikeForm(right);

const lookalikeForm = (text: string): string => text.normalize('NFKC').replaceAll(/[\s\p{Cf}]+/gu, ' ');

const escaped = (text: string): string =>
  text.replaceAll(/[^\n\r\t -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Formats two texts for a finding, expected and actual. If they look the same, the
 * difference is escaped: `e\u0301` and `\u00e9`.
 */
export const describeDifference = (expected: string, actual: unknown): [expected: string, actual: string] => {
  if (typeof actual !== 'string' || !alike(expected, actual)) return [show(expected), show(actual)];
  const start = sharedStart(expected, actual);
  const end = sharedEnd(expected.slice(start), actual.slice(start));
  const written = (text: string): string =>
    `"${betweenQuotes(text.slice(0, start))}${betweenQuotes(escaped(text.slice(start, text.length - end)))}${betweenQuotes(text.slice(text.length - end))}"`;
  return [written(expected), written(actual)];
};

const betweenQuotes = (text: string): string => JSON.stringify(text).slice(1, -1).replaceAll('\\\\u', '\\u');

/** Whether the common prefix and suffix are at least two thirds of the text. */
const isSimilar = (left: string, right: string): boolean => {
  const shared = sharedStart(left, right);
  const rest = sharedEnd(left.slice(shared), right.slice(shared));
  return shared + rest >= Math.max(8, (left.length * 2) / 3);
};

/**
 * Describes a value of a response: shown if it belongs to this run, otherwise only its length, because it may be customer data.
 * @param expected the expected value; a similar text also belongs to this run
 */
export const describeValue = (value: unknown, expected = ''): string =>
  typeof value !== 'string' || value === '' || /contract.?test/i.test(value) || isSimilar(value, expected)
    ? show(value)
    : `a different text of ${value.length} characters`;

/** The type of a value that may be personal data: `a number`, `null`. */
export const typeName = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};

/** Formats a value for a finding. */
export const show = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};
