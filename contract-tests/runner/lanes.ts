import { type Check, maxLeads, usualLeads } from '../session/check.ts';
import { operationOf } from '../session/operations.ts';
import type { Shared } from '../session/shared.ts';

/**
 * Checks in one lane run one after another. Few lanes keep the order of requests stable, so that a fault of every third
 * call appears in the same way in every run.
 */
const wideLane = ({ id, operation, waits }: Check): string => (waits ? id : operationOf(operation).needs);

/** More lanes for a slow deployment, for which hundreds of sequential requests would take minutes. */
const narrowLane = ({ id, operation, waits }: Check): string => {
  if (waits) return id;
  return `${operation} ${id.includes('.auth.')} ${id.includes('.keeps-')}`;
};

/** Whether a deployment is slow for another reason than a rate limit: a rate-limited deployment gets one request at a time. */
const isSlow = ({ client, requirements }: Shared, milliseconds: number): boolean =>
  !client.wasThrottled() &&
  (requirements.eventuallyConsistent || milliseconds / Math.max(client.exchanges.length, 1) > 40);

/** Returns the lane of each check, depending on the duration of discovery. */
export const laneFor = (shared: Shared, discoveryMs: number): ((check: Check) => string) =>
  isSlow(shared, discoveryMs) ? narrowLane : wideLane;

/** Starts a check when there is room for the leads it holds; first come, first served. */
const createLeadSlots = () => {
  let free = maxLeads;
  const waiting: { readonly count: number; readonly begin: () => void }[] = [];
  const letIn = (): void => {
    for (let next = waiting[0]; next && next.count <= free; next = waiting[0]) {
      waiting.shift();
      free -= next.count;
      next.begin();
    }
  };
  return {
    take: (count: number) =>
      new Promise<void>((resolve) => {
        waiting.push({ count, begin: resolve });
        letIn();
      }),
    give: (count: number) => {
      free += count;
      letIn();
    },
  };
};

/**
 * Runs lanes concurrently, and the checks of one lane in order. Checks that mostly wait start first,
 * so that other checks run in the meantime.
 */
export const inLanes = async (
  checks: readonly Check[],
  laneOf: (check: Check) => string,
  work: (check: Check) => Promise<void>,
): Promise<void> => {
  const slots = createLeadSlots();
  const runCheck = async (check: Check): Promise<void> => {
    const leads = check.needs === 'writes' ? (check.leads ?? usualLeads) : 0;
    await slots.take(leads);
    try {
      await work(check);
    } finally {
      slots.give(leads);
    }
  };
  const inOrder = [...checks.filter(({ waits }) => waits), ...checks.filter(({ waits }) => !waits)];
  const names = [...new Set(inOrder.map(laneOf))];
  const results = await Promise.allSettled(
    names.map(async (name) => {
      for (const check of checks) if (laneOf(check) === name) await runCheck(check);
    }),
  );
  const stopped = results.find((result) => result.status === 'rejected');
  if (stopped) throw stopped.reason;
};
