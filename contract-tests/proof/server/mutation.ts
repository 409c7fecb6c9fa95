import type { Reason } from './behaviour.ts';
import { isObject } from './operations.ts';
import type { StoredLead, Texts } from './store.ts';
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

const isFor = ({ operation }: Call, operations: Operation | readonly Operation[]): boolean =>
  [operations].flat().some((one) => one === operation);

/** Refuses some requests of an operation that have the key, and does not carry them out. */
export const refuseWhere = (
  operation: Operation | readonly Operation[],
  refusal: Reply,
  isRefused: (call: Call, context: ServiceContext) => boolean,
): Mutation => ({
  handle: (call, next, context) =>
    isFor(call, operation) && !isKeyRefused(call, next) && isRefused(call, context) ? refusal : next(call),
});

export const textsOf = ({ name, source, note }: Texts): Texts => ({ name, source, note });

/** What makes a server do something wrong. */
export type Cause = (call: Call, reply: Reply) => boolean;

export const after =
  (...operations: readonly Operation[]): Cause =>
  (call, { refused }) =>
    !refused && isFor(call, operations);

export const afterRefusal =
  (operation: Operation, ...reasons: readonly Reason[]): Cause =>
  (call, { refused }) =>
    call.operation === operation && refused !== undefined && reasons.includes(refused);

/** What a change or an effect may use: the request, and the leads after it. */
export type Event = ServiceContext & {
  readonly call: Call;
  /** The lead that the request names, though it may have been deleted by it. */
  readonly own: StoredLead | undefined;
  /** Its texts before the request. */
  readonly before: Texts | undefined;
  /** The newest lead, which is the one that the request has added. */
  readonly newest: StoredLead | undefined;
};

/** Changes the reply to a request, which is carried out before. */
export const changeReply = (
  isConcerned: Cause,
  change: (reply: Reply, event: Event) => Reply | Promise<Reply>,
): Mutation => ({
  handle: (call, next, context) => {
    const own = context.store.find(call.id);
    const before = own && textsOf(own);
    const reply = next(call);
    if (!isConcerned(call, reply)) return reply;
    return change(reply, { ...context, call, own, before, newest: context.store.living().at(-1) });
  },
});

/** Does something after a request, at once or later, that its response does not show. */
export const afterwards = (isCause: Cause, act: (event: Event) => unknown, delayMs = 0): Mutation =>
  changeReply(isCause, (reply, event) => {
    if (delayMs > 0) event.after(delayMs, () => act(event));
    else act(event);
    return reply;
  });

/** Stores a text of an addition or an update otherwise than its response shows. */
export const storeOtherwise = (
  operation: 'addLead' | 'updateLead',
  field: keyof Texts,
  change: (text: string, before: string) => string,
): Mutation =>
  afterwards(after(operation), ({ call, own, newest, before }) => {
    const lead = operation === 'addLead' ? newest : own;
    if (lead && typeof fieldsOf(call)[field] === 'string')
      lead[field] = change(lead[field], before?.[field] ?? '');
  });

/** Changes what operations reply when they succeed. */
export const onSuccess = (
  operations: Operation | readonly Operation[],
  change: (reply: Reply, event: Event) => Reply | Promise<Reply>,
): Mutation => changeReply(after(...[operations].flat()), change);

export const onRefusal = (reason: Reason, change: (reply: Reply) => Reply): Mutation =>
  changeReply((_, { refused }) => refused === reason, change);

export const inBody = (
  operations: Operation | readonly Operation[],
  change: (body: Fields, event: Event) => Fields,
): Mutation => onSuccess(operations, (reply, event) => ({ ...reply, body: change(reply.body, event) }));

export const inData = (operation: Operation, change: (data: Fields, call: Call) => unknown): Mutation =>
  inBody(operation, (body, { call }) => ({ ...body, data: change(body.data as Fields, call) }));

/** Changes the templates of a list. */
export const inList = (
  change: (templates: readonly Fields[], call: Call, context: ServiceContext) => unknown,
): Mutation =>
  inBody('listTemplates', (body, event) => ({
    ...body,
    data: change(body.data as readonly Fields[], event.call, event),
  }));

/** Changes requests for operations before they are carried out. */
export const changeCall = (
  operations: Operation | readonly Operation[],
  change: (call: Call, context: ServiceContext) => Partial<Call>,
): Mutation => ({
  handle: (call, next, context) =>
    next(isFor(call, operations) ? { ...call, ...change(call, context) } : call),
});

export const changeBody = (
  operations: Operation | readonly Operation[],
  change: (body: Fields, call: Call, context: ServiceContext) => Fields,
): Mutation =>
  changeCall(operations, (call, context) =>
    isObject(call.body) ? { body: change(call.body, call, context) } : {},
  );

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

/** Takes another lead for the new one, also a deleted one, and answers with it. @param act what becomes of the other one */
export const mergeInto = (
  isSame: (other: StoredLead, added: Texts) => boolean,
  act: (other: StoredLead, added: Texts) => unknown = () => undefined,
): Mutation =>
  onSuccess('addLead', (reply, { newest: added, store }) => {
    const other = store.leads.find((lead) => added && lead !== added && isSame(lead, added));
    if (!added || !other) return reply;
    store.leads.splice(store.leads.indexOf(added), 1);
    delete other.deleted;
    act(other, added);
    return withData(reply, { lead_id: other.id, ...textsOf(other) });
  });

export const withoutAccents = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '');

const only = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));

/** Responses are made from a copy, which learns of an update a moment later: in these times in turn. */
export const showLate = (...delaysMs: readonly number[]): Mutation =>
  onSuccess('updateLead', (reply, { call, own, before: shown, memory, after }) => {
    if (!own || !shown) return reply;
    const [key, turn] = [`written ${own.id}`, Number(memory.get('updates') ?? 0)];
    const sent = Object.keys(fieldsOf(call));
    const before = (memory.get(key) as Fields | undefined) ?? shown;
    memory.set(key, { ...before, ...only(textsOf(own), sent) }).set('updates', turn + 1);
    Object.assign(own, shown);
    after(delaysMs[turn % delaysMs.length] ?? 0, () => Object.assign(own, memory.get(key)));
    return reply;
  });
