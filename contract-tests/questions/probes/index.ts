import type { OperationId } from '../../../mock/contract/operation-id.ts';
import type { QuestionId } from '../../../mock/contract/questions.ts';
import { operationsThatNeed } from '../../exchange/operations.ts';
import { emailProbes, recipientProbe, templateEmailProbes, unaddressedEmailProbes } from './email.ts';
import { leadProbes, leadTextProbes, updateProbes } from './leads.ts';
import { missingLeadProbes, readingProbes, retrieveProbe } from './paths.ts';
import type { Probe } from './probe.ts';
import { authenticationProbes, bodySizeProbe, failureProbes, limitProbes } from './refusals.ts';

/**
 * One probe per observable question, in their order: reading, writing, mail, mail whose recipient the deployment chooses. The probe for the
 * recipient of template mail comes before the other template mail probes, which depend on it.
 */
export const probes: readonly Probe[] = [
  ...readingProbes,
  ...authenticationProbes,
  ...leadProbes,
  retrieveProbe,
  ...updateProbes,
  ...missingLeadProbes,
  ...leadTextProbes,
  bodySizeProbe,
  ...failureProbes,
  ...limitProbes,
  ...emailProbes,
  recipientProbe,
  ...templateEmailProbes,
  ...unaddressedEmailProbes,
];

/** The probes of these questions and of the questions that they depend on, in order. */
export const probesFor = (ids: Iterable<QuestionId>): readonly Probe[] => {
  const selected = new Set<QuestionId>();
  const want = (id: QuestionId): void => {
    selected.add(id);
    for (const before of probeOf(id)?.dependsOn ?? []) want(before);
  };
  for (const id of ids) want(id);
  return probes.filter(({ question }) => selected.has(question));
};

export const probeOf = (id: QuestionId): Probe | undefined => probes.find(({ question }) => question === id);

/** The operations that these probes need from discovery. */
export const operationsOf = (chosenProbes: readonly Probe[]): ReadonlySet<OperationId> => {
  const operations = new Set<OperationId>(['listTemplates']);
  // A lead that is added must be deleted.
  for (const { needs, uses = [] } of chosenProbes)
    for (const id of needs === 'writes' ? operationsThatNeed('writes') : uses) operations.add(id);
  return operations;
};
