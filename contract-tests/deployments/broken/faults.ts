import type { Reason } from '../choices.ts';
import type { Call, Fault, Fields, Letter, Operation, Reply, Tools } from '../exchange.ts';

/** Changes what an operation replies when it succeeds. */
export const onSuccess = (
  operation: Operation,
  change: (reply: Reply, call: Call, tools: Tools) => Reply | Promise<Reply>,
): Fault => ({
  around: (call, next, tools) => {
    const reply = next(call);
    return call.operation === operation && !reply.refused ? change(reply, call, tools) : reply;
  },
});

export const onRefusal = (reason: Reason, change: (reply: Reply) => Reply): Fault => ({
  around: (call, next) => {
    const reply = next(call);
    return reply.refused === reason ? change(reply) : reply;
  },
});

export const inBody = (operation: Operation, change: (body: Fields, call: Call) => Fields): Fault =>
  onSuccess(operation, (reply, call) => ({ ...reply, body: change(reply.body, call) }));

export const inData = (operation: Operation, change: (data: Fields, call: Call) => unknown): Fault =>
  inBody(operation, (body, call) => ({ ...body, data: change(body.data as Fields, call) }));

type EachTemplate = (template: Fields, index: number, all: readonly Fields[]) => unknown;

export const inTemplates = (change: EachTemplate): Fault =>
  inBody('listTemplates', (body) => ({ ...body, data: (body.data as Fields[]).map(change) }));

export const inLastTemplate = (change: (template: Fields) => unknown): Fault =>
  inTemplates((template, index, all) => (index === all.length - 1 ? change(template) : template));

export const without =
  (field: string) =>
  ({ [field]: _, ...rest }: Fields): Fields =>
    rest;

export const withValue =
  (field: string, value: unknown) =>
  (fields: Fields): Fields => ({ ...fields, [field]: value });

export const withStatus = (operation: Operation, status: number): Fault =>
  onSuccess(operation, (reply) => ({ ...reply, status }));

/** Replaces the bytes of a reply. */
export const asBytes = (
  applies: (reply: Reply, call: Call) => boolean,
  change: (letter: Letter) => Partial<Letter>,
): Fault => ({
  letter: (letter, call, reply) => (applies(reply, call) ? { ...letter, ...change(letter) } : letter),
});

export const succeeds =
  (operation: Operation) =>
  (reply: Reply, call: Call): boolean =>
    call.operation === operation && !reply.refused;

/** Lets a fault show in every nth call of an operation only. */
export const everyNth = (n: number, { around }: Fault): Fault => ({
  around: (call, next, tools) => (around && call.nth % n === 0 ? around(call, next, tools) : next(call)),
});
