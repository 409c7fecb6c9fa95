import type { Reason } from './behaviour.ts';
import type { StoredLead } from './store.ts';
import type { Call, Fields, Mutation, Operation, RawResponse, Reply, ServiceContext } from './types.ts';
import { isObject } from './validation.ts';

/** Whether a request is refused for its key, before anything else of it matters. */
export const isKeyRefused = (call: Call, next: (call: Call) => Reply): boolean =>
  next({ ...call, operation: undefined }).refused === 'key';

/** The fields that a request has in its body. */
export const fieldsOf = ({ body }: Pick<Call, 'body'>): Fields => (isObject(body) ? body : {});

/** The reply with these fields in its data. */
export const withData = (reply: Reply, data: Fields): Reply => ({
  ...reply,
  body: { ...reply.body, data: { ...(reply.body.data as Fields), ...data } },
});

/** An error response. */
export const refuse = (status: number, error: string, refused: Reason = 'fields'): Reply => ({
  status,
  refused,
  body: { success: false, error, message: error },
});

/** Changes what an operation replies when it succeeds. */
export const onSuccess = (
  operation: Operation,
  change: (reply: Reply, call: Call, context: ServiceContext) => Reply | Promise<Reply>,
): Mutation => ({
  handle: (call, next, context) => {
    const reply = next(call);
    return call.operation === operation && !reply.refused ? change(reply, call, context) : reply;
  },
});

export const onRefusal = (reason: Reason, change: (reply: Reply) => Reply): Mutation => ({
  handle: (call, next) => {
    const reply = next(call);
    return reply.refused === reason ? change(reply) : reply;
  },
});

export const inBody = (operation: Operation, change: (body: Fields, call: Call) => Fields): Mutation =>
  onSuccess(operation, (reply, call) => ({ ...reply, body: change(reply.body, call) }));

export const inData = (operation: Operation, change: (data: Fields, call: Call) => unknown): Mutation =>
  inBody(operation, (body, call) => ({ ...body, data: change(body.data as Fields, call) }));

/** Replaces the bytes of a reply. */
export const rewrite = (
  applies: (reply: Reply, call: Call) => boolean,
  change: (raw: RawResponse) => Partial<RawResponse>,
): Mutation => ({
  rewrite: (raw, call, reply) => (applies(reply, call) ? { ...raw, ...change(raw) } : raw),
});

const textsOf = ({ name, source, note }: StoredLead): Fields => ({ name, source, note });

const only = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));

/** Responses are made from a copy, which learns of an update a moment later. */
export const showLate = (delayMs: number): Mutation => ({
  handle: (call, next, { store, memory }) => {
    const lead = store.find(call.id);
    if (call.operation !== 'updateLead' || !lead) return next(call);
    const shown = textsOf(lead);
    const reply = next(call);
    if (reply.refused) return reply;
    const sent = Object.keys(fieldsOf(call));
    const before = (memory.get(`written ${lead.id}`) as Fields | undefined) ?? shown;
    const written = { ...before, ...only(textsOf(lead), sent) };
    memory.set(`written ${lead.id}`, written);
    Object.assign(lead, shown);
    setTimeout(() => Object.assign(lead, written), delayMs).unref();
    return reply;
  },
});
