import type { OperationId } from '../mock/spec.ts';
import { CheckInconclusive, CheckSkipped } from './check.ts';
import { NoAnswer, NotPermitted } from './client.ts';
import { type Finding, unable } from './finding.ts';
import { causesMail } from './permissions.ts';
import type { Session } from './session.ts';
import { surveyAdd, surveyDelete, surveyUpdate } from './survey-leads.ts';
import { surveyList } from './survey-list.ts';
import { surveySend, surveyTemplateSend } from './survey-mails.ts';

export type Survey = Map<OperationId, Finding>;

/**
 * Asks the operations the run needs, in an order in which each has what it needs: finds the path forms that exist (§4.4),
 * the templates, and what a deployment demands beyond the documented shapes.
 */
export const survey = async (session: Session, wanted: ReadonlySet<OperationId>): Promise<Survey> => {
  const findings: Survey = new Map();
  const steps: readonly [OperationId, (session: Session) => Promise<Finding>][] = [
    ['listTemplates', surveyList],
    ['addLead', surveyAdd],
    ['updateLead', surveyUpdate],
    ['deleteLead', surveyDelete],
    ['sendEmail', surveySend],
    ['sendTemplateEmail', surveyTemplateSend],
  ];
  for (const [operation, step] of steps) {
    if (wanted.has(operation)) findings.set(operation, await permitted(session, operation, step));
  }
  return findings;
};

const permitted = async (
  session: Session,
  operation: OperationId,
  step: (session: Session) => Promise<Finding>,
): Promise<Finding> => {
  try {
    return await onceMore(operation, () => step(session));
  } catch (error) {
    if (error instanceof NotPermitted || error instanceof CheckSkipped) {
      return unable(session, operation, { skipped: error.message });
    }
    if (error instanceof CheckInconclusive || (error instanceof NoAnswer && error.kind !== 'interrupted')) {
      return unable(session, operation, { inconclusive: error.message });
    }
    throw error;
  }
};

/** A connection that broke says nothing of the operation; what may have caused mail is not asked for again. */
const onceMore = async (operation: OperationId, step: () => Promise<Finding>): Promise<Finding> => {
  try {
    return await step();
  } catch (error) {
    const broke = error instanceof NoAnswer && error.kind === 'closed';
    if (!broke || causesMail({ operation, method: 'POST' })) throw error;
    return step();
  }
};
