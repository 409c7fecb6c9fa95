import { conformingVariants } from '../conforming/index.ts';
import type { Reason } from '../server/behaviour.ts';
import { inBody, onRefusal, onSuccess } from '../server/mutation.ts';
import { createService } from '../server/server.ts';
import type { Call, Deployment, Fields, Mutation, Operation, Reply } from '../server/types.ts';

export type BrokenDeployment = Deployment & {
  readonly violates: NonNullable<Deployment['violates']>;
  /** The id of the conforming deployment it equals but for the mutation. */
  readonly base: string;
};

type Violated = BrokenDeployment['violates'];

/**
 * Declares the broken servers of a group: `broken(id, title, base?, section?).with(mutation)` is the conforming deployment
 * `base` with that mutation. It violates what the group violates; a section alone changes only the section.
 */
export const brokenGroup =
  (group: string, usual: Violated) =>
  (id: string, title: string, base = 'plain', section: string | Violated = usual) => ({
    with: (mutation: Mutation): BrokenDeployment => ({
      id,
      title,
      group,
      base,
      violates: typeof section === 'string' ? { ...usual, section } : section,
      start: () => {
        const variant = conformingVariants.find((candidate) => candidate.id === base);
        if (!variant) throw new Error(`${id} is built on ${base}, which is no conforming deployment`);
        return createService(variant.behaviour, mutation).start();
      },
    }),
  });

/** Families of mutations go round these, so that no mutation is tried on the plain deployment only. */
const bases = [
  'plain',
  'refusals-at-200',
  'paths-as-in-examples',
  'integer-ids',
  'behind-a-proxy',
  'strict-fields',
  'bodies-422',
  'python-style',
] as const;

export const baseAt = (index: number): string => bases[index % bases.length] ?? 'plain';

/** The same without a base where every update sends all texts, so that no response shows those from before. */
export const baseShowingTexts = (index: number): string =>
  baseAt(baseAt(index) === 'strict-fields' ? index + 1 : index);

/** Every operation with the word for it in ids, its title and its section. */
export const operations = [
  ['sendEmail', 'send', 'Send email', '4.1'],
  ['listTemplates', 'list', 'List templates', '4.2'],
  ['sendTemplateEmail', 'template-send', 'Send from template', '4.3'],
  ['addLead', 'add', 'Add lead', '4.5'],
  ['updateLead', 'update', 'Update lead', '4.6'],
  ['deleteLead', 'delete', 'Delete lead', '4.7'],
] as const satisfies readonly (readonly [Operation, string, string, string])[];

/** Changes the body of an error response. */
export const inRefusal = (reason: Reason, change: (body: Fields) => Fields): Mutation =>
  onRefusal(reason, (reply) => ({ ...reply, body: change(reply.body) }));

type EachTemplate = (template: Fields, index: number, all: readonly Fields[]) => unknown;

export const inTemplates = (change: EachTemplate): Mutation =>
  inBody('listTemplates', (body) => ({ ...body, data: (body.data as Fields[]).map(change) }));

/** The conforming deployment that holds 300 templates. */
export const hundreds = 'hundreds-of-templates';

export const variablesOf = (template: Fields): readonly string[] => template.variables as string[];

export const inLastTemplate = (change: (template: Fields) => unknown): Mutation =>
  inTemplates((template, index, all) => (index === all.length - 1 ? change(template) : template));

export const without =
  (field: string) =>
  ({ [field]: _, ...rest }: Fields): Fields =>
    rest;

export const withValue =
  (field: string, value: unknown) =>
  (fields: Fields): Fields => ({ ...fields, [field]: value });

export const withStatus = (operation: Operation, status: number): Mutation =>
  onSuccess(operation, (reply) => ({ ...reply, status }));

/** What a request gets while another one of the operation is under way. */
export const whileBusy = (operation: Operation, replyOf: (reply: Reply) => Reply): Mutation => ({
  handle: async (call, next, { memory, sleep }) => {
    const reply = next(call);
    if (call.operation !== operation || reply.refused) return reply;
    if (memory.get('busy') === true) return replyOf(reply);
    memory.set('busy', true);
    await sleep(25);
    memory.set('busy', false);
    return reply;
  },
});

export const always = (): boolean => true;

/** What makes a server do something wrong. */
export type Cause = (call: Call, reply: Reply) => boolean;

export const after =
  (operation: Operation): Cause =>
  (call, { refused }) =>
    call.operation === operation && !refused;

export const succeeds =
  (operation: Operation) =>
  (reply: Reply, call: Call): boolean =>
    call.operation === operation && !reply.refused;

/** Applies a mutation to every nth call of an operation only. */
export const everyNth = (n: number, { handle: around }: Mutation): Mutation => ({
  handle: (call, next, context) => (around && call.nth % n === 0 ? around(call, next, context) : next(call)),
});
