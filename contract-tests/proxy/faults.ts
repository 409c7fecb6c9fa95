import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { runRoute } from '../../mock/admin/answer.ts';
import { pathOf } from '../../mock/contract/path-template.ts';
import { parseFileFor, UsageError } from '../../mock/contract/system-errors.ts';
import {
  createFaults,
  type FaultRule,
  type Faults,
  faultRoutes,
  plainTextOf,
  responseOf,
} from '../../mock/faults/faults.ts';
import { AdminError, type AdminRequest } from '../../mock/route/noun.ts';
import { breakConnection } from '../../mock/server/connection.ts';
import {
  findOperation,
  type Injected,
  type ObservedBody,
  type ObservedRequest,
  readObserved,
} from '../traffic/exchanges/observed.ts';
import { corsHeaders, ownResponse } from './responses.ts';

/** A fault rule that applies to a request, and how that is recorded: without the rule, which may contain personal data. */
type Injection = {
  readonly rule: FaultRule;
  readonly delayMs: number;
  readonly injected: Injected;
  /** How it is recorded where only the delay has an effect. */
  readonly delayed: Injected | undefined;
};

/** The effect of the first matching rule; counts as one use of it. */
export const matchFault = (faults: Faults, request: ObservedRequest): Injection | undefined => {
  const { method, target, requestBody } = request;
  const body = (): unknown => ('missing' in requestBody ? undefined : requestBody.json);
  // Rules apply to the operations of the document only, as in the mock.
  const operation = findOperation(method === 'HEAD' ? 'GET' : method, target);
  const matched = operation && faults.match({ operation, method, path: pathOf(target), body });
  if (!matched) return undefined;
  const { rule, position, delay: delayMs = 0 } = matched;
  const failure = rule.status ?? rule.fault;
  const effect = failure === undefined ? 'delayed' : rule.take_effect ? 'lost' : 'answered';
  const what = `fault rule ${position}: ${failure ?? 'delayed'}${effect === 'lost' ? ' in place of the response' : ''}`;
  const delayed =
    delayMs > 0 ? ({ effect: 'delayed', what: `fault rule ${position}: delayed` } as const) : undefined;
  return { rule, delayMs, injected: { effect, what }, delayed };
};

/** Waits for the delay of a rule, or until the client leaves. */
export const waitFor = async (delayMs: number, res: ServerResponse): Promise<void> => {
  const left = new AbortController();
  res.once('close', () => left.abort());
  await sleep(delayMs, undefined, left).catch(() => undefined);
};

/** Sends the response of a rule, or breaks the connection. Returns what the client gets. */
export const sendFault = (
  { rule }: Injection,
  req: IncomingMessage,
  res: ServerResponse,
): readonly [Pick<IncomingMessage, 'statusCode' | 'headers'> | undefined, ObservedBody] => {
  // The rest of a long body would stop the connection, and turn its end into a reset.
  req.resume();
  if (rule.fault !== undefined) {
    breakConnection(rule.fault, req.socket, corsHeaders(req));
    return [undefined, { missing: `of a broken connection (${rule.fault})` }];
  }
  const { status, headers, body } = responseOf(rule);
  const [error, message] = plainTextOf(status);
  const bytes = Buffer.from(body ?? JSON.stringify({ success: false, error, message }));
  const type = { 'content-type': 'application/json; charset=utf-8' };
  const sent = { ...type, ...headers, 'content-length': String(bytes.length) };
  res.writeHead(status, STATUS_CODES[status] ?? '', { ...sent, ...ownResponse, ...corsHeaders(req) });
  res.end(bytes);
  return [{ statusCode: status, headers: sent }, readObserved(bytes)];
};

/** The rules of a file, which has the form of a body for `PUT`; none without a file. @throws UsageError */
export const readFaults = (file?: string): Faults => {
  const faults = createFaults();
  if (file === undefined) return faults;
  const rules: unknown = parseFileFor(file, (bytes) => JSON.parse(bytes.toString()));
  try {
    runRoute(faultRoutes['PUT /faults'], () => ({ faults }), { body: rules } as AdminRequest);
  } catch (error) {
    if (!(error instanceof AdminError)) throw error;
    throw new UsageError(`${file}: ${error.message.replace(/^body(\/?)/, (_, slash) => slash || 'it')}`);
  }
  return faults;
};
