import type { Behaviour } from '../server/behaviour.ts';
import { showLate } from '../server/mutation.ts';
import { createService } from '../server/server.ts';
import type { Deployment } from '../server/types.ts';

/** How soon an update shows in what is answered to others is not shown. */
export const lateUpdates = (behaviour: Partial<Behaviour>) => [
  {
    id: 'updates-show-late',
    title: 'Shows an update in the responses to others 500 ms later',
    group: 'freshness',
    requirements: { settleMs: 600 },
    start: createService(behaviour, showLate(500)).start,
  } satisfies Deployment & { requirements: object },
];
