import type { Scenario } from '../scenarios/scenario.ts';

/** Maximum number of leads of all scenarios at the same time, in addition to the one of control requests. */
const maxLeads = 10;

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

/**
 * Runs scenarios one after another, so that a fault of every third request appears in the same way in every run.
 * @param isLate whether changes are visible late: then all scenarios run at the same time, because each waits for them. Those that
 * send mail still run in turn: what a mail changes shows directly after it
 */
export const runInLanes = async (
  scenarios: readonly Scenario[],
  isLate: boolean,
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
  const isInTurn = ({ needs }: Scenario): boolean => !isLate || needs === 'mail';
  const lanes = [
    scenarios.filter(isInTurn),
    ...scenarios.flatMap((scenario) => (isInTurn(scenario) ? [] : [[scenario]])),
  ];
  const results = await Promise.allSettled(
    lanes.map(async (lane) => {
      for (const scenario of lane) await runInSlots(scenario);
    }),
  );
  const stopped = results.find((result) => result.status === 'rejected');
  if (stopped) throw stopped.reason;
};
