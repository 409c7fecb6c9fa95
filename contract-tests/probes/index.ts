import type { QuestionId } from '../../mock/questions.ts';
import type { OperationId } from '../../mock/spec.ts';
import { authenticationProbes } from './authentication.ts';
import { emailProbes, unaddressedEmailProbe } from './email.ts';
import { failureProbes } from './failures.ts';
import { limitProbes } from './lead-limits.ts';
import { leadProbes } from './leads.ts';
import { missingLeadProbes } from './missing-leads.ts';
import type { Probe } from './probe.ts';
import { retrieveProbe, routeProbes } from './routes.ts';
import { recipientProbe, templateEmailProbes } from './template-email.ts';
import { headerProbes, templateProbes } from './templates.ts';
import { updateProbes } from './updates.ts';

export type { Probe } from './probe.ts';

/**
 * One probe per observable question, in the order they are asked: reading, writing, mail, mail that names nobody. The
 * recipient of template mail comes before the other questions about it, which depend on it.
 */
export const probes: readonly Probe[] = [
  ...templateProbes,
  ...headerProbes,
  ...routeProbes,
  ...authenticationProbes,
  ...leadProbes,
  retrieveProbe,
  ...updateProbes,
  ...missingLeadProbes,
  ...failureProbes,
  ...limitProbes,
  ...emailProbes,
  recipientProbe,
  ...templateEmailProbes,
  unaddressedEmailProbe,
];

/** The probes of these questions and of those they follow, in order. */
export const probesFor = (ids: Iterable<QuestionId>): readonly Probe[] => {
  const wanted = new Set<QuestionId>();
  const want = (id: QuestionId): void => {
    wanted.add(id);
    for (const before of probeOf(id)?.follows ?? []) want(before);
  };
  for (const id of ids) want(id);
  return probes.filter(({ question }) => wanted.has(question));
};

export const probeOf = (id: QuestionId): Probe | undefined => probes.find(({ question }) => question === id);

/** The operations these probes build on: what the survey has to ask. */
export const operationsOf = (asked: readonly Probe[]): ReadonlySet<OperationId> => {
  const operations = new Set<OperationId>(['listTemplates']);
  for (const { question, needs } of asked) {
    if (needs === 'writes') operations.add('addLead').add('updateLead').add('deleteLead');
    else if (question.startsWith('send.')) operations.add('sendEmail');
    else if (needs !== 'read') operations.add('sendTemplateEmail');
  }
  return operations;
};

/** Mails these probes ask for where nothing has to be repeated, the survey's first ones among them. */
export const mailsOf = (asked: readonly Probe[]): number => {
  const operations = operationsOf(asked);
  const survey = (operations.has('sendEmail') ? 1 : 0) + (operations.has('sendTemplateEmail') ? 4 : 0);
  return asked.reduce((sum, { mails = 0 }) => sum + 2 * mails, survey);
};
