import type { Scenario } from '../scenarios/scenario.ts';
import type { Shared } from '../session/shared.ts';

/** Maximum number of leads of all scenarios at the same time, in addition to the one of control requests. */
export const maxLeads = 10;

/** Milliseconds for a response on average from which on hundreds of requests, one after another, would take minutes. */
const slowMs = 40;

/** Whether a deployment responds slowly. The time between requests does not count: a rate limit gets one request at a time. */
const isSlow = ({ client: { wasThrottled, exchanges } }: Shared): boolean => {
  const totalMs = exchanges.reduce((sum, { sentAt, receivedAt }) => sum + receivedAt - sentAt, 0);
  return !wasThrottled() && totalMs > slowMs * exchanges.length;
};

/**
 * Returns the lane of each scenario. The scenarios of one lane run one after another. A single lane keeps the order of requests
 * stable, so that a fault of every third request appears in the same way in every run. A deployment that is slow, or that shows
 * changes late, gets a lane for each scenario, and one for all that send mail: what a mail changes shows directly after it.
 */
export const laneFor = (shared: Shared): ((scenario: Scenario) => string) => {
  const isWide = isSlow(shared);
  return ({ waits, needs, id }) => {
    if (!waits && !isWide && shared.history.model.dialect.lagMs === 0) return 'all';
    return needs === 'mail' ? 'mail' : id;
  };
};

/** Starts a scenario when there is room for the leads it holds; first come, first served. */
const createLeadSlots = (count: number) => {
  let free = count;
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

/** Runs work at the same time as other work, or alone: after all that runs, and before all that has not begun. */
export type Turns = {
  /** `wasAlone`: no other work ran in the meantime. */
  readonly together: <Result>(work: () => Promise<Result>) => Promise<{ result: Result; wasAlone: boolean }>;
  readonly alone: <Result>(work: () => Promise<Result>) => Promise<Result>;
};

export const createTurns = (): Turns => {
  const running = new Set<{ readonly end: Promise<unknown>; wasAlone: boolean }>();
  /** The end of all work that was to run alone so far. */
  let ended: Promise<unknown> = Promise.resolve();

  const together: Turns['together'] = async (work) => {
    let awaited: Promise<unknown> | undefined;
    while (awaited !== ended) {
      awaited = ended;
      await awaited;
    }
    const end = work();
    const own = { end, wasAlone: true };
    running.add(own);
    if (running.size > 1) for (const each of running) each.wasAlone = false;
    try {
      const result = await end;
      return { result, wasAlone: own.wasAlone };
    } finally {
      running.delete(own);
    }
  };

  const alone: Turns['alone'] = (work) => {
    const result = ended.then(() => Promise.allSettled([...running].map(({ end }) => end))).then(work);
    ended = Promise.allSettled([result]);
    return result;
  };

  return { together, alone };
};

/** Runs lanes concurrently, and the scenarios of one lane in order. */
export const inLanes = async (
  scenarios: readonly Scenario[],
  laneOf: (scenario: Scenario) => string,
  run: (scenario: Scenario) => Promise<void>,
): Promise<void> => {
  const slots = createLeadSlots(maxLeads);
  const runInSlots = async (scenario: Scenario): Promise<void> => {
    const { leads = 0 } = scenario;
    await slots.take(leads);
    try {
      await run(scenario);
    } finally {
      slots.give(leads);
    }
  };
  const names = [...new Set(scenarios.map(laneOf))];
  const results = await Promise.allSettled(
    names.map(async (name) => {
      for (const scenario of scenarios) if (laneOf(scenario) === name) await runInSlots(scenario);
    }),
  );
  const stopped = results.find((result) => result.status === 'rejected');
  if (stopped) throw stopped.reason;
};
