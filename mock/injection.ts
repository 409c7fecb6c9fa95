import type { FastifyReply, FastifyRequest } from 'fastify';
import { breakConnection } from './break-connection.ts';
import type { Context } from './context.ts';
import { ApiError } from './errors.ts';
import type { Faults, Taken } from './faults.ts';
import { hold } from './hold.ts';
import { record } from './record.ts';
import type { Operation } from './spec.ts';
import { discardRest } from './unread-body.ts';
import { pathOf } from './unrouted.ts';

/** What a rule makes of a request: a refusal, nothing but a delay, or an answer that was given already. */
export type Injected = { readonly refusal: ApiError | undefined; readonly answered: boolean };

const untouched: Injected = { refusal: undefined, answered: false };

/** The rule that takes a request, if there is one, before its body was read. */
export const takeFault = (
  { id }: Operation,
  request: FastifyRequest,
  faults: Faults,
): Taken | 'later' | undefined => {
  const asked = { operation: id, method: request.method, path: pathOf(request.url) };
  return faults.needsBody(asked) ? 'later' : faults.take(asked);
};

/** The same for the rules of a workspace where one names a recipient: `to` is in the body. */
export const takeFaultOfBody = (
  { id }: Operation,
  request: FastifyRequest,
  faults: Faults,
): Taken | undefined => {
  const { to } = (request.body ?? {}) as { to?: unknown };
  return faults.take({
    operation: id,
    method: request.method,
    path: pathOf(request.url),
    to: typeof to === 'string' ? to : undefined,
  });
};

/** The same before the operation is carried out: leaves for later what is to follow its effect. */
export const injectBefore = (
  taken: Taken | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  context: Context,
): Injected => {
  if (!taken) return untouched;
  if (!taken.rule.take_effect) return inject(taken, request, reply, context);
  request.faultAfter = taken;
  return untouched;
};

/** Does what the rule says. A reply waits for `request.wait`, and so does the end of a connection. */
export const inject = (
  { rule, place }: Taken,
  request: FastifyRequest,
  reply: FastifyReply,
  context: Context,
): Injected => {
  const { status, fault, body, retry_after } = rule;
  const what = `fault rule ${place} of this workspace`;
  if (fault !== undefined) {
    note(request, `${what}: ${fault}`);
    reply.hijack();
    const end = (): void => {
      record(request, 0, {}, null, context);
      context.log?.(request, { statusCode: 0, elapsedTime: 0 });
      breakConnection(fault, request.raw);
    };
    if (request.wait > 0) hold(request.wait, reply.raw, end);
    else end();
    return { refusal: undefined, answered: true };
  }
  if (status === undefined) {
    note(request, `${what}: delayed`);
    return untouched;
  }
  const headers = retry_after === undefined ? {} : { 'retry-after': String(retry_after) };
  if (body === undefined) return { refusal: refusal(what, status, headers), answered: false };
  note(request, `${what}: ${status} with a body of its own`);
  discardRest(request.raw);
  void reply
    .code(status)
    .headers({ ...headers, 'content-type': typeOf(body) })
    .send(typeof body === 'string' ? body : JSON.stringify(body));
  return { refusal: undefined, answered: true };
};

const refusal = (what: string, status: number, headers: Record<string, string>): ApiError =>
  new ApiError(
    'fault',
    `${what} answers ${status}`,
    'GET /__admin/faults shows the rules and what is left of them; DELETE removes them.',
    { status, headers },
  );

const note = ({ trace }: FastifyRequest, what: string): void => {
  if (trace) trace.why = { code: 'fault', what };
};

// A text is what a gateway sends: a page, or a line.
const typeOf = (body: unknown): string => {
  if (typeof body !== 'string') return 'application/json; charset=utf-8';
  return body.trimStart().startsWith('<') ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8';
};
