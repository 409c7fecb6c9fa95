import { conformingVariants } from '../conforming/index.ts';
import type { Reason } from '../server/behaviour.ts';
import { inList, onRefusal, onSuccess } from '../server/mutation.ts';
import { createService } from '../server/server.ts';
import type { Call, Deployment, Fields, Mutation, Operation, Reply } from '../server/types.ts';

export type BrokenDeployment = Deployment & {
  /** The checks that find it. If the document states one of them, a run fails; else it warns. */
  readonly breaks: readonly string[];
  /** The id of the conforming deployment it equals but for the mutation. */
  readonly base: string;
};

/** Declares a broken server: `server(title, breaks, base?).with(mutation)` is the conforming deployment `base` with that mutation. */
export const server = (title: string, breaks: string | readonly string[], base = 'plain') => ({
  with: (mutation: Mutation): BrokenDeployment => {
    const checks = [breaks].flat();
    return {
      id: title,
      title,
      breaks: checks,
      base,
      start: () => {
        const variant = conformingVariants.find((candidate) => candidate.id === base);
        if (!variant) throw new Error(`'${title}' is built on ${base}, which is no conforming deployment`);
        return createService(variant.behaviour, mutation).start();
      },
    };
  },
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

/** Every operation with its title and the beginning of its checks. */
export const operations = [
  ['sendEmail', 'Send email', 'email.send'],
  ['listTemplates', 'List templates', 'templates.list'],
  ['sendTemplateEmail', 'Send from template', 'email.template'],
  ['addLead', 'Add lead', 'leads.add'],
  ['updateLead', 'Update lead', 'leads.update'],
  ['deleteLead', 'Delete lead', 'leads.delete'],
] as const satisfies readonly (readonly [Operation, string, string])[];

/** The claims of wrong keys; mails do not try the last one. */
const wrongKeys = ['missing-key', 'unknown-key', 'no-key', 'other-scheme', 'near-miss-key', 'null-key'];

/** The checks of wrong keys whose ids match. */
export const keyChecks = (pattern: RegExp): string[] =>
  operations
    .flatMap(([, , group]) => wrongKeys.map((claim) => `${group}.auth.${claim}`))
    .filter((id) => pattern.test(id));

/** Changes the body of an error response. */
export const inRefusal = (reason: Reason, change: (body: Fields) => Fields): Mutation =>
  onRefusal(reason, (reply) => ({ ...reply, body: change(reply.body) }));

export const inTemplates = (change: (template: Fields, call: Call) => unknown): Mutation =>
  inList((all, call) => all.map((template) => change(template, call)));

/** The conforming deployment that holds 300 templates. */
export const hundreds = 'hundreds-of-templates';

export const variablesOf = (template: Fields): readonly string[] => template.variables as string[];

export const inLastTemplate = (change: (template: Fields) => unknown): Mutation =>
  inList((all) => all.map((template, index) => (index === all.length - 1 ? change(template) : template)));

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
export const whileBusy = (operation: Operation, replyOf: (reply: Reply) => Reply): Mutation =>
  onSuccess(operation, async (reply, { memory, sleep }) => {
    if (memory.get('busy') === true) return replyOf(reply);
    memory.set('busy', true);
    await sleep(25);
    memory.set('busy', false);
    return reply;
  });

export const always = (): boolean => true;

/** Applies a mutation to every nth call of an operation only. */
export const everyNth = (n: number, { handle: around }: Mutation): Mutation => ({
  handle: (call, next, context) => (around && call.nth % n === 0 ? around(call, next, context) : next(call)),
});
