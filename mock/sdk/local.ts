import { copyOf } from '../contract/document.ts';
import type { MessageFilter } from '../mail/template.ts';
import type { ClockChange } from '../nouns/clock.ts';
import { messageTests, withContents } from '../nouns/outbox.ts';
import { type RequestFilter, requestTests } from '../nouns/request-filter.ts';
import { unmatchedPage } from '../nouns/requests.ts';
import { waitErrors } from '../route/wait.ts';
import type { Log, Logged, Range, Tests } from '../store/log.ts';
import { checkFaultRules, checkStateSchema } from '../workspace/state.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { createClient, type Port } from './client.ts';
import type { MockWorkspace } from './mock.ts';

type Request = { readonly query: never; readonly body: never };

/**
 * What the routes that the SDK calls do in the same process. The admin API itself would double the build for browsers. Arguments
 * and results are copied: changing them does not change the workspace.
 */
const routes: Readonly<Record<string, (workspace: Workspace, request: Request) => unknown>> = {
  'GET /outbox': ({ outbox }, { query }: { readonly query: MessageFilter & Range }) => {
    const { items, total } = outbox.page(messageTests(query), query);
    return { messages: items.map(withContents), total };
  },
  'DELETE /outbox': ({ outbox }) => outbox.clear(),
  'GET /requests': (workspace, { query }: { readonly query: RequestFilter & Range }) => {
    const { items, total } = query.unmatched
      ? unmatchedPage(workspace, query, query)
      : workspace.requests.page(requestTests(query), query);
    return { requests: copyOf(items), total };
  },
  'DELETE /requests': ({ requests }) => requests.clear(),
  'GET /faults': ({ faults }) => ({ rules: copyOf(faults.list()) }),
  'PUT /faults': ({ faults }, { body }: { readonly body: { readonly rules: unknown } }) =>
    faults.replace(checkFaultRules(copyOf(body.rules))),
  'DELETE /faults': ({ faults }) => faults.replace([]),
  'GET /clock': ({ clock }) => clock.reading(),
  'PUT /clock': ({ clock }, { body }: { readonly body: ClockChange }) => clock.change(body),
  'DELETE /clock': ({ clock }) => clock.reset(),
  'GET /answers': ({ answers }) => answers.get(),
  'PATCH /answers': ({ answers }, { body }) => answers.change(body),
  'GET /state': ({ whole }) => copyOf(whole.exportState()),
  'PUT /state': ({ whole }, { body }) => {
    const document = checkStateSchema(copyOf(body));
    whole.seed(document);
    whole.reset();
  },
  'POST /reset': ({ whole }) => {
    whole.refreshSeed();
    whole.reset();
  },
};

const waitIn = async <Stored extends Logged>(
  log: Pick<Log<Stored>, 'page' | 'wait' | 'nearest'>,
  tests: Tests<Stored>,
  options: Parameters<Port['wait']>[2],
) => {
  const result = await log.wait(tests, options);
  if (result !== 'matched' && result !== 'timeout') {
    const [, problem, hint] = waitErrors[result];
    throw new Error(`${problem}. ${hint}`);
  }
  const isMatched = result === 'matched';
  return { isMatched, items: isMatched ? log.page(tests).items : log.nearest(tests).map(({ item }) => item) };
};

/**
 * The SDK's workspace for programs in the same process.
 * @param get called every time, because an unused workspace may be dropped
 */
export const createLocalWorkspace = (apiKey: string, get: () => Workspace): MockWorkspace => {
  const client = createClient({
    call: (address, request) => routes[address]?.(get(), request as Request) as never,
    chain: (value, next) => next(value as never),
    wait: async (item, filter, options) => {
      const workspace = get();
      const found =
        item === 'message'
          ? await waitIn(workspace.outbox, messageTests(filter), options)
          : await waitIn(workspace.requests, requestTests(filter), options);
      return { ...found, explanations: found.isMatched ? [] : workspace.explain(item) } as never;
    },
  });
  return { apiKey, ...client } as MockWorkspace;
};
