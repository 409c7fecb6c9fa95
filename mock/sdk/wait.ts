import { copyOf } from '../contract/document.ts';
import type { Message, MessageFilter } from '../mail/template.ts';
import { contentsOf, type MailContents } from '../mail/text.ts';
import { parseJson } from '../runtime/json-parts.ts';
import { checkFields, milliseconds, whole } from '../validation/arguments.ts';
import type { JournalEntry, RequestFilter } from '../workspace/journal-entry.ts';
import type { WaitOptions, WaitResult } from '../workspace/waiters.ts';
import type { CapturedMessage, ReceivedRequest, WaitForNoneOptions, WaitForOptions } from './workspace.ts';

/** A copy of a message with its text, links and codes, which are computed on first access: a list may have a thousand mails. */
export const toCapturedMessage = (message: Message): CapturedMessage => {
  let cached: MailContents | undefined;
  const contents = (): MailContents => {
    cached ??= contentsOf(message.html);
    return cached;
  };
  return Object.defineProperties(copyOf(message), {
    text: { enumerable: true, get: () => contents().text },
    links: { enumerable: true, get: () => [...contents().links] },
    codes: { enumerable: true, get: () => [...contents().codes] },
  }) as CapturedMessage;
};

/** An entry of the journal with the parsed JSON body of the request. */
export const toReceivedRequest = ({ request, ...rest }: JournalEntry): ReceivedRequest => ({
  ...rest,
  request: { ...request, json: parseJson(request.body) },
});

/** Below the timeout of test runners, four or five seconds, so that the error message here is seen. */
const defaultTimeoutMs = 3000;

type Wait = (options: WaitOptions) => Promise<WaitResult>;

const waitErrors: Readonly<Record<Exclude<WaitResult, 'matched' | 'timeout'>, string>> = {
  reset: 'the workspace was reset during the wait',
  dropped: 'the workspace was dropped: too many are in use',
  stopping: 'the mock was closed during the wait',
  'client-closed': 'the wait was aborted',
  'limit-reached': 'too many open waits and event streams',
};

/**
 * Waits for matching items.
 * @param describeMisses describes the items that arrived instead
 * @throws Error after the timeout
 */
export const waitFor = async (
  wait: Wait,
  options: WaitForOptions,
  describeMisses: () => string,
): Promise<void> => {
  checkFields('the options of waitFor', options, { timeout: milliseconds, count: whole(1) });
  const { timeout = defaultTimeoutMs, count = 1 } = options;
  const result = await wait({ timeoutMs: timeout, count });
  if (result === 'matched') return;
  const times = count === 1 ? '' : ` ${count} times`;
  throw new Error(
    result === 'timeout' ? `not found${times} within ${timeout} ms: ${describeMisses()}` : waitErrors[result],
  );
};

/**
 * Waits for the absence of matching items until the time is over.
 * @param describeFound describes the matching items
 * @throws Error as soon as an item matches
 */
export const waitForNone = async (
  wait: Wait,
  options: WaitForNoneOptions,
  describeFound: () => string,
): Promise<void> => {
  checkFields('the options of waitForNone', options, { timeout: milliseconds });
  const result = await wait({ timeoutMs: options.timeout ?? 1000 });
  if (result === 'timeout') return;
  throw new Error(
    result === 'matched' ? `found, but none was expected: ${describeFound()}` : waitErrors[result],
  );
};

/**
 * The error message of a wait: the expected items, the items that arrived instead, and possible reasons.
 * @param misses empty if no items arrived
 */
export const describeMisses = (filter: string, misses: string, explanations: readonly string[]): string =>
  [`${filter}; ${misses === '' ? 'there was nothing' : `the nearest are ${misses}`}`, ...explanations].join(
    '\n  ',
  );

const maxListed = 3;
const maxSubjectLength = 80;

const cut = (subject: string): string =>
  subject.length > maxSubjectLength ? `${subject.slice(0, maxSubjectLength)}…` : subject;

export const describeMessageFilter = (filter: MessageFilter): string =>
  `a message with ${JSON.stringify(filter)}`;

/** Describes the first few items. */
export const describeMessages = (messages: readonly Pick<Message, 'id' | 'to' | 'subject'>[]): string =>
  messages
    .slice(0, maxListed)
    .map(({ id, to, subject }) => `${id} to ${to ?? 'nobody'}${subject === null ? '' : ` "${cut(subject)}"`}`)
    .join(', ');

export const describeRequestFilter = (filter: RequestFilter): string =>
  `a request with ${JSON.stringify(filter)}`;

type RequestLine = { readonly method: string; readonly path: string; readonly status: number };

/** Describes the first few items. */
export const describeRequests = (requests: readonly RequestLine[]): string =>
  requests
    .slice(0, maxListed)
    .map(({ method, path, status }) => `${method} ${path} → ${status}`)
    .join(', ');
