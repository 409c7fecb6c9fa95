import { copyOf } from '../contract/document.ts';
import type { ClockChange } from '../nouns/clock.ts';
import { checkFaultRules, checkState } from '../nouns/index.ts';
import { messages } from '../nouns/outbox.ts';
import { requests } from '../nouns/requests.ts';
import { pageOf, waitIn } from '../route/logs.ts';
import { AdminError, type AdminRequest } from '../route/noun.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type ClientReply, createClient } from './client.ts';
import type { MockWorkspace } from './mock.ts';

type Request = Pick<AdminRequest, 'query'> & { readonly body: never };

/**
 * What the routes that the SDK calls do in the same process. The admin API itself would double the build for browsers. Arguments
 * and results are copied: changing them does not change the workspace.
 */
const routes: Readonly<Record<string, (workspace: Workspace, request: Request) => unknown>> = {
  'GET /outbox': (workspace, { query }) => pageOf(messages, workspace, query),
  'GET /outbox/wait': (workspace, request) => waitIn(messages, workspace, request),
  'DELETE /outbox': ({ outbox }) => outbox.clear(),
  'GET /requests': (workspace, { query }) => copyOf(pageOf(requests, workspace, query)),
  'GET /requests/wait': (workspace, request) => waitIn(requests, workspace, request),
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
  'PUT /state': ({ whole }, { body }) => whole.seed(checkState(copyOf(body))),
  'POST /reset': ({ whole }) => whole.reset(),
};

/** A wait is answered later, and may end with an error that says what came instead. */
const replyOf = (body: unknown): ClientReply | Promise<ClientReply> =>
  body instanceof Promise
    ? body.then(replyOf, (error: Error) => {
        if (!(error instanceof AdminError)) throw error;
        const { status, message, hint, details } = error;
        return { status, body: { error: message, message: hint, ...details } };
      })
    : { status: 200, body };

/**
 * The SDK's workspace for programs in the same process.
 * @param get called every time, because an unused workspace may be dropped
 */
export const createLocalWorkspace = (apiKey: string, get: () => Workspace): MockWorkspace => {
  const client = createClient({
    request: (address, request) => replyOf(routes[address]?.(get(), request as Request)),
    chain: (value, next) => next(value as never),
  });
  return { apiKey, ...client } as MockWorkspace;
};
