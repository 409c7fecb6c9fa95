import type { OperationId } from '../../../mock/contract/operation-id.ts';
import type { QuestionId } from '../../../mock/contract/questions.ts';
import { operationsThatNeed } from '../../exchange/operations.ts';
import { emailProbes, unaddressedProbes } from './email.ts';
import { leadProbes, leadTextProbes, updateProbes } from './leads.ts';
import { bodySizeProbes, limitProbes } from './limits.ts';
import { missingLeadProbes, readingProbes, retrieveProbes } from './paths.ts';
import type { Probe } from './probe.ts';
import { authenticationProbes, failureProbes } from './refusals.ts';

/** One probe per observable question, in their order: reading, writing, mail, mail whose recipient the deployment chooses. */
export const probes: readonly Probe[] = [
  ...readingProbes,
  ...authenticationProbes,
  ...leadProbes,
  ...retrieveProbes,
  ...updateProbes,
  ...missingLeadProbes,
  ...leadTextProbes,
  ...bodySizeProbes,
  ...failureProbes,
  ...limitProbes,
  ...emailProbes,
  ...unaddressedProbes,
];

/** The probes of these questions, in order. */
export const probesFor = (ids: readonly QuestionId[]): readonly Probe[] =>
  probes.filter(({ question }) => ids.includes(question));

export const probeOf = (id: QuestionId): Probe | undefined => probes.find(({ question }) => question === id);

/** The operations that these probes need from discovery. */
export const operationsOf = (chosenProbes: readonly Probe[]): ReadonlySet<OperationId> => {
  const operations = new Set<OperationId>(['listTemplates']);
  // A lead that is added must be deleted.
  for (const { needs, uses = [] } of chosenProbes)
    for (const id of needs === 'writes' ? operationsThatNeed('writes') : uses) operations.add(id);
  return operations;
};
