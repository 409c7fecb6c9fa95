import type { Reason } from './behaviour.ts';
import { isObject } from './operations.ts';
import type { Store, StoredLead } from './store.ts';
import type { Call, Fields, Mutation, Operation, RawResponse, Reply, ServiceContext } from './types.ts';

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

/** An error response that says it is the server's fault, and no reason. */
export const internalError: Reply = {
  status: 500,
  refused: 'fields',
  body: { success: false, error: 'Internal Server Error', message: '' },
};

/** Refuses some requests of an operation that have the key, and does not carry them out. */
export const refuseWhere = (
  operation: Operation | readonly Operation[],
  refusal: Reply,
  isRefused: (call: Call, context: ServiceContext) => boolean,
): Mutation => ({
  handle: (call, next, context) =>
    [operation].flat().some((one) => one === call.operation) &&
    !isKeyRefused(call, next) &&
    isRefused(call, context)
      ? refusal
      : next(call),
});

export const textsOf = ({ name, source, note }: StoredLead) => ({ name, source, note });

/** What makes a server do something wrong. */
export type Cause = (call: Call, reply: Reply) => boolean;

export const after =
  (...operations: readonly Operation[]): Cause =>
  (call, { refused }) =>
    !refused && operations.some((operation) => operation === call.operation);

export const afterRefusal =
  (operation: Operation, ...reasons: readonly Reason[]): Cause =>
  (call, { refused }) =>
    call.operation === operation && refused !== undefined && reasons.includes(refused);

/** What an effect may use: the request, and the leads after it. */
export type Event = {
  readonly call: Call;
  /** The lead that the request names, though it may have been deleted by it. */
  readonly own: StoredLead | undefined;
  /** Its texts before the request. */
  readonly before: ReturnType<typeof textsOf> | undefined;
  /** The newest lead, which is the one that the request has added. */
  readonly newest: StoredLead | undefined;
  readonly store: Store;
  readonly memory: Map<string, unknown>;
};

/** Does something after a request, at once or later, that its response does not show. */
export const afterwards = (isCause: Cause, act: (event: Event) => unknown, delayMs = 0): Mutation => ({
  handle: (call, next, { store, memory, after }) => {
    const own = store.find(call.id);
    const before = own && textsOf(own);
    const reply = next(call);
    if (!isCause(call, reply)) return reply;
    const event = { call, own, before, newest: store.living().at(-1), store, memory };
    if (delayMs > 0) after(delayMs, () => act(event));
    else act(event);
    return reply;
  },
});

type Text = keyof ReturnType<typeof textsOf>;

/** Stores a text of an addition or an update otherwise than its response shows. */
export const storeOtherwise = (
  operation: 'addLead' | 'updateLead',
  field: Text,
  change: (text: string, before: string) => string,
): Mutation =>
  afterwards(after(operation), ({ call, own, newest, before }) => {
    const lead = operation === 'addLead' ? newest : own;
    if (lead && typeof fieldsOf(call)[field] === 'string')
      lead[field] = change(lead[field], before?.[field] ?? '');
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

/** Changes the templates of a list. */
export const inList = (
  change: (templates: readonly Fields[], call: Call, context: ServiceContext) => unknown,
): Mutation =>
  onSuccess('listTemplates', (reply, call, context) => ({
    ...reply,
    body: { ...reply.body, data: change(reply.body.data as readonly Fields[], call, context) },
  }));

/** Changes what operations are asked for before they are carried out. */
export const changeBody = (
  operation: Operation | readonly Operation[],
  change: (body: Fields, call: Call, context: ServiceContext) => Fields,
): Mutation => ({
  handle: (call, next, context) =>
    [operation].flat().some((one) => one === call.operation) && isObject(call.body)
      ? next({ ...call, body: change(call.body, call, context) })
      : next(call),
});

/** Mutations around one another, the first one outermost; those around others expect that they reply at once. */
export const layers = (...mutations: readonly Mutation[]): Mutation => ({
  handle: (call, next, context) =>
    mutations.reduceRight(
      (inner, { handle }) =>
        handle === undefined ? inner : (changed) => handle(changed, inner, context) as Reply,
      next,
    )(call),
});

/** Replaces the bytes of a reply. */
export const rewrite = (applies: Cause, change: (raw: RawResponse) => Partial<RawResponse>): Mutation => ({
  rewrite: (raw, call, reply) => (applies(call, reply) ? { ...raw, ...change(raw) } : raw),
});

const only = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));

/** Responses are made from a copy, which learns of an update a moment later. */
export const showLate = (delayMs: number): Mutation => ({
  handle: (call, next, { store, memory, after }) => {
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
    after(delayMs, () => Object.assign(lead, written));
    return reply;
  },
});
