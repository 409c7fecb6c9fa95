import type { Answers } from '../generated/questions.ts';
import type { Workspace } from '../state.ts';
import { checkRules, checkState } from '../state-rules.ts';
import { clockAccess } from './clock-access.ts';
import type { MockWorkspace } from './mock-workspace.ts';
import { outboxAccess } from './outbox-access.ts';
import { requestsAccess } from './requests-access.ts';

/**
 * A workspace as a program in the same process uses it.
 * @param open asked at every call, as a workspace that nobody uses may be dropped
 * @param server the answers a workspace has where it has none of its own
 */
export const accessTo = (apiKey: string, open: () => Workspace, server: Answers): MockWorkspace => ({
  apiKey,
  outbox: outboxAccess(() => open().outbox),
  requests: requestsAccess(() => open().journal),
  faults: {
    set: (rules) => open().faults.replace(checkRules(copy([rules].flat()))),
    list: () => copy(open().faults.list()),
    clear: () => open().faults.replace([]),
  },
  clock: clockAccess(() => open().clock),
  answers: {
    get: () => ({ ...server, ...open().ownAnswers.given() }),
    set: (changes) => open().ownAnswers.change(changes),
  },
  seed: (data) => open().reseed(checkState(copy(data))),
  state: () => copy(open().content()),
  reset: () => open().reset(),
});

// What is handed out, or taken in, is nobody else's: changing it must not change a workspace.
const copy = <Value>(value: Value): Value => structuredClone(value);
