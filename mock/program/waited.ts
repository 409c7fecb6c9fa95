import type { WaitEnd, WaitOptions } from '../waiters.ts';
import { checkFields, milliseconds, whole } from './check-fields.ts';
import type { WaitForNoneOptions, WaitForOptions } from './mock-workspace.ts';

type Wait = (options: WaitOptions) => Promise<WaitEnd>;

const ended: Readonly<Record<Exclude<WaitEnd, 'met' | 'timeout'>, string>> = {
  reset: 'the workspace was reset meanwhile',
  dropped: 'the workspace was dropped: too many are in use',
  stopping: 'the mock was closed meanwhile',
  gone: 'the wait was given up',
  full: 'too many wait already',
};

/**
 * Waits until they are there.
 * @param missed what came instead, in words
 * @throws Error where they did not come
 */
export const waitedFor = async (wait: Wait, options: WaitForOptions, missed: () => string): Promise<void> => {
  checkFields('the options of waitFor', options, { timeout: milliseconds, count: whole(1) });
  const { timeout = 10_000, count = 1 } = options;
  const how = await wait({ timeoutMs: timeout, count });
  if (how === 'met') return;
  const wanted = count === 1 ? '' : ` ${count} times`;
  throw new Error(how === 'timeout' ? `not there${wanted} within ${timeout} ms: ${missed()}` : ended[how]);
};

/**
 * Waits until the time is over.
 * @param found what came, in words
 * @throws Error as soon as one is there
 */
export const waitedInVain = async (
  wait: Wait,
  options: WaitForNoneOptions,
  found: () => string,
): Promise<void> => {
  checkFields('the options of waitForNone', options, { timeout: milliseconds });
  const how = await wait({ timeoutMs: options.timeout ?? 1000 });
  if (how === 'timeout') return;
  throw new Error(how === 'met' ? `there, and was to be absent: ${found()}` : ended[how]);
};
