import type { WaitEnd, WaitOptions } from '../waiters.ts';
import type { AdminClient, Query } from './admin-client.ts';
import type { WaitForNoneOptions, WaitForOptions } from './mock-workspace.ts';
import { waitedFor, waitedInVain } from './waited.ts';

/** What is waited for: where, and in which words its items are named. */
export type WaitedFor<Filter> = {
  readonly path: string;
  readonly wanted: (filter: Filter) => string;
  /** What came, by the reply to a wait. */
  readonly came: (body: never) => string;
  /** What came instead; empty where there was nothing at all. */
  readonly near: (body: never) => string;
};

/** The waits of `MockWorkspace`, in a mock that runs elsewhere. */
export const remoteWaits = <Filter extends Query>(
  { wait }: AdminClient,
  { path, wanted, came, near }: WaitedFor<Filter>,
) => {
  /** One wait, and what was said at its end. */
  const asking = (filter: Filter, absent: boolean) => {
    let said = '';
    return {
      wait: async (how: WaitOptions): Promise<WaitEnd> => {
        const { met, body } = await wait(path, { ...filter }, how, absent);
        if (met && absent) said = came(body as never);
        if (!met && !absent) said = near(body as never);
        return met ? 'met' : 'timeout';
      },
      said: () => said,
    };
  };
  return {
    until: async (filter: Filter, options: WaitForOptions): Promise<void> => {
      const asked = asking(filter, false);
      const instead = (): string =>
        asked.said() === '' ? 'there was nothing' : `what came is ${asked.said()}`;
      await waitedFor(asked.wait, options, () => `${wanted(filter)}; ${instead()}`);
    },
    inVain: async (filter: Filter, options: WaitForNoneOptions): Promise<void> => {
      const asked = asking(filter, true);
      await waitedInVain(asked.wait, options, () => `${wanted(filter)} is ${asked.said()}`);
    },
  };
};
