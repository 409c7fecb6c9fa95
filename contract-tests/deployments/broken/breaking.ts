import { conformingVariants } from '../conforming.ts';
import type { Deployment } from '../deployment.ts';
import type { Fault, Operation } from '../exchange.ts';
import { createService } from '../service.ts';

export type BrokenDeployment = Deployment & {
  readonly breaks: NonNullable<Deployment['breaks']>;
  /** The id of the conforming deployment it equals but for the fault. */
  readonly base: string;
};

export const documented = (section: string) => ({ level: 'documented', section }) as const;
export const derived = (section: string) => ({ level: 'derived', section }) as const;

/** A conforming deployment with one fault. */
export const breaking =
  (group: string) =>
  (
    id: string,
    title: string,
    base: string,
    breaks: BrokenDeployment['breaks'],
    fault: Fault,
  ): BrokenDeployment => ({
    id,
    title,
    group,
    base,
    breaks,
    start: () => {
      const variant = conformingVariants.find((one) => one.id === base);
      if (!variant) throw new Error(`${id} is built on ${base}, which is no conforming deployment`);
      return createService(variant.choices, fault).start();
    },
  });

/** Families of faults go round these, so that no fault is seen on the plain deployment only. */
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

/** Every operation with the word for it in ids, its title and its section. */
export const operations = [
  ['sendEmail', 'send', 'Send email', '4.1'],
  ['listTemplates', 'list', 'List templates', '4.2'],
  ['sendTemplateEmail', 'template-send', 'Send from template', '4.3'],
  ['addLead', 'add', 'Add lead', '4.5'],
  ['updateLead', 'update', 'Update lead', '4.6'],
  ['deleteLead', 'delete', 'Delete lead', '4.7'],
] as const satisfies readonly (readonly [Operation, string, string, string])[];
