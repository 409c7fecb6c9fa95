import { randomBytes } from 'node:crypto';
import { isLoopback } from '../../mock/contract/loopback.ts';
import { type Answers, imitatedAmong } from '../../mock/contract/questions.ts';
import { describeNoAddress, UsageError } from '../../mock/contract/system-errors.ts';
import type { ClientOptions } from '../client/client.ts';
import { skippingClock } from '../client/throttle.ts';

/** The server that a run tests: the mock, started for the run, or a deployment. */
export type Target = Pick<ClientOptions, 'key' | 'gateway' | 'fetch' | 'clock'> & {
  readonly kind: 'embedded mock' | 'deployment';
  /** Base URL without a trailing slash. */
  readonly url: string;
  readonly close: () => Promise<void>;
};

/**
 * Starts the mock on a free port with one valid key. Only here does the suite import the whole mock.
 * @param answers answers of open questions; the other questions get the assumed answers
 */
export const embeddedTarget = async (answers: Readonly<Partial<Answers>> = {}): Promise<Target> => {
  const key = `suite_${randomBytes(12).toString('hex')}`;
  // Loaded only when needed: a run against a deployment does not use the mock.
  const { startMock } = await import('../../mock/index.ts');
  const mock = await startMock({ answers: imitatedAmong(answers), acceptKeys: [key] });
  const clock = skippingClock((ms) => mock.clock.advance(ms));
  return { kind: 'embedded mock', url: mock.url, key, clock, close: mock.close };
};

/** Default minimum number of milliseconds between two requests to a deployment on another machine: 20 requests a second. */
const defaultInterval = 50;

/** The minimum number of milliseconds between two requests, if there is one. @param given the one that the user sets */
export const intervalFor = ({ kind, url, fetch }: Target, given: number | undefined): number | undefined => {
  const isOnThisMachine =
    kind === 'embedded mock' || fetch !== undefined || isLoopback(new URL(url).hostname);
  return given ?? (isOnThisMachine ? undefined : defaultInterval);
};

/**
 * Creates the target for a deployment. Its key comes from the environment only.
 * @param flag the flag that sets the URL, for error messages
 * @throws UsageError that names the wrong part
 */
export const deploymentTarget = (text: string, key: string | undefined, flag = '--url'): Target => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError(describeNoAddress(flag, text));
  if (url.search !== '' || url.hash !== '')
    throw new UsageError(`${flag} must end with its path: leave out "?…" and "#…"`);
  if (url.username !== '' || url.password !== '')
    throw new UsageError(`${flag} must not contain a user or a password`);
  const path = url.pathname.replace(/\/+$/, '');
  if (path.includes('//'))
    throw new UsageError(
      `${flag} must not contain an empty path segment (//): use ${url.origin}${path.replaceAll(/\/+/g, '/')}`,
    );
  if (/\/api\/v1$/.test(path))
    throw new UsageError(`${flag} must end before /api/v1: every operation adds that part (§9.1)`);
  if (key === undefined || key === '') {
    throw new UsageError(
      'EMAIL_LEADS_API_KEY is not set: the key of a deployment comes from the environment, or from the file that EMAIL_LEADS_API_KEY_FILE names',
    );
  }
  checkKey(key);
  return { kind: 'deployment', url: url.origin + path, key, close: async () => undefined };
};

/** @throws UsageError for a key that no request can carry; it does not repeat the key */
export const checkKey = (key: string): void => {
  const advice = 'set only the key; the suite adds "Bearer " before it (§5.1)';
  if (/^\s*Bearer\s/i.test(key))
    throw new UsageError(`EMAIL_LEADS_API_KEY begins with the word Bearer: ${advice}`);
  if (/[\r\n]/.test(key)) throw new UsageError(`EMAIL_LEADS_API_KEY contains a line break: ${advice}`);
  if (/[^\x21-\x7e]/.test(key))
    throw new UsageError(
      'EMAIL_LEADS_API_KEY contains a space or a character that is not allowed in a header',
    );
};

/** Whether the key would be sent unencrypted to another machine. */
export const isExposed = ({ url }: Pick<Target, 'url'>): boolean => {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isLoopback(hostname);
};
