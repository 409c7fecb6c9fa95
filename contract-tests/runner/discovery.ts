import type { OperationId } from '../../mock/contract/operation-id.ts';
import { NotPermitted, RequestFailed } from '../client/client.ts';
import type { Exchange, JsonObject } from '../client/exchange.ts';
import { causesMail } from '../client/permissions.ts';
import {
  isPlainRefusal,
  recordResult,
  recordUnavailable,
  retryOnServerError,
} from '../session/availability.ts';
import { type Operation, operations } from '../session/operations.ts';
import { CheckInconclusive, CheckSkipped, type Discovery, type DiscoveryResult } from '../session/outcome.ts';
import type { OwnLead } from '../session/own-lead.ts';
import { concernsOneLead } from '../session/routes.ts';
import type { Session } from '../session/session.ts';
import type { Capability } from '../session/shared.ts';
import { withDemands } from './demands.ts';
import { discoverSend, discoverTemplateSend, discoverTemplates } from './discover-email.ts';

/** A name in letters only, and another one every time: a deployment may merge leads of one name. */
const lettersOnly = (unique: string): string => {
  const digits = [...unique.replace(/^Contract test/, '').replace(/[^0-9a-f]/g, '')];
  return `Contract Test ${digits.map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))).join('')}`;
};

/** What to try when a complete lead is refused; each is a demand a deployment may make, or a limit it may not have. */
const adaptations = ({ runId }: Session): { readonly extra: JsonObject; readonly letters?: boolean }[] => {
  // Some examples of the document send an email with a lead (§2.3); a deployment may insist on it.
  const email = `contract-test-${runId}@example.com`;
  const sources = ['website', 'web', 'webinar', 'referral', 'newsletter', 'other'];
  return [
    { extra: { email } },
    { extra: {}, letters: true },
    { extra: { email }, letters: true },
    ...sources.map((source) => ({ extra: { source } })),
  ];
};

const discoverAdd = async (session: Session): Promise<DiscoveryResult> => {
  const ask = async (): Promise<Exchange> => (await session.addLead()).exchange;
  const documented = await retryOnServerError(ask);
  if (!isPlainRefusal(documented)) return recordResult(session, 'addLead', [documented]);
  for (const { extra, letters } of adaptations(session)) {
    session.requirements.extraLeadFields = extra;
    session.requirements.nameFrom = letters ? lettersOnly : undefined;
    const adapted = await ask();
    if (adapted.outcome === 'success') return recordResult(session, 'addLead', [adapted]);
  }
  session.requirements.extraLeadFields = {};
  session.requirements.nameFrom = undefined;
  const finding = recordResult(session, 'addLead', [documented]);
  return withDemands(session, finding, documented, { body: session.newFields() });
};

/** The lead discovery added: one is enough until it is clear that leads can be deleted again. */
const discoveredLead = ({ leads }: Session): OwnLead | undefined => [...leads.values()].at(-1);

const discoverUpdate = async (session: Session): Promise<DiscoveryResult> => {
  const add = session.capabilities.get('addLead');
  const lead = discoveredLead(session);
  if (!add?.available || !lead) return recordUnavailable(session, 'updateLead', noLead(add));
  const ask = (): Promise<Exchange> => session.updateLead(lead, session.newNote());
  let reply = await retryOnServerError(ask);
  // A 404 too: it may be what this deployment says of a body that lacks fields.
  if (isPlainRefusal(reply) || reply.status === 404) {
    session.requirements.requiresFullUpdate = true;
    reply = await retryOnServerError(ask);
  }
  const finding = recordResult(session, 'updateLead', [reply]);
  return withDemands(session, finding, reply, { leadId: lead.id, body: lead.expected });
};

const discoverDelete = async (session: Session): Promise<DiscoveryResult> => {
  const add = session.capabilities.get('addLead');
  const lead = discoveredLead(session);
  if (!add?.available || !lead) return recordUnavailable(session, 'deleteLead', noLead(add));
  const reply = await retryOnServerError(() => session.deleteLead(lead));
  const finding = recordResult(session, 'deleteLead', [reply]);
  return withDemands(session, finding, reply, { leadId: lead.id });
};

/** An operation that has nothing to adapt: its valid request, as it is. */
const discoverAsDocumented = async (session: Session, operation: Operation): Promise<DiscoveryResult> => {
  const { id, validRequest } = operation;
  const add = session.capabilities.get('addLead');
  const lead = discoveredLead(session);
  if (concernsOneLead(id) && (!add?.available || !lead)) return recordUnavailable(session, id, noLead(add));
  const ask = (): Promise<Exchange> =>
    retryOnServerError(() => session.send(id, validRequest(session, { lead })));
  const reply = concernsOneLead(id) && lead ? await session.retryWhileNew(lead, ask) : await ask();
  return recordResult(session, id, [reply]);
};

const noLead = (add: Capability | undefined): DiscoveryResult => ({
  skipped: `it needs a lead, and none can be added: ${add?.available ? 'no reply named a lead_id' : (add?.reason ?? 'not asked')}`,
});

/**
 * Calls the operations that the run needs, in order of dependency, to learn which path forms exist (§4.4), which
 * templates there are, and what a deployment requires beyond the documented shapes.
 */
export const discover = async (session: Session, ids: ReadonlySet<OperationId>): Promise<Discovery> => {
  const results: Discovery = new Map();
  for (const operation of operations) {
    const step = steps[operation.id] ?? discoverAsDocumented;
    if (!ids.has(operation.id)) continue;
    const result = await runStep(session, operation, step);
    const before = results.get(dependencyOf(operation.id))?.inconclusive;
    // What it needs could not be tested either: that is no reason to leave it out.
    results.set(
      operation.id,
      result.skipped !== undefined && before !== undefined
        ? recordUnavailable(session, operation.id, { inconclusive: before })
        : result,
    );
  }
  return results;
};

/** The operation that has to succeed before another can be asked: a lead must exist, a template be listed. */
const dependencyOf = (operation: OperationId): OperationId => {
  if (operation === 'sendTemplateEmail') return 'listTemplates';
  return concernsOneLead(operation) ? 'addLead' : operation;
};

type Step = (session: Session, operation: Operation) => Promise<DiscoveryResult>;

/** Operations for which a deployment may require more than the documented request. */
const steps: { readonly [Id in OperationId]?: Step } = {
  listTemplates: discoverTemplates,
  addLead: discoverAdd,
  updateLead: discoverUpdate,
  deleteLead: discoverDelete,
  sendEmail: discoverSend,
  sendTemplateEmail: discoverTemplateSend,
};

const runStep = async (session: Session, operation: Operation, step: Step): Promise<DiscoveryResult> => {
  const { id } = operation;
  try {
    return await retryOnce(id, () => step(session, operation));
  } catch (error) {
    if (error instanceof NotPermitted || error instanceof CheckSkipped) {
      return recordUnavailable(session, id, { skipped: error.message });
    }
    if (
      error instanceof CheckInconclusive ||
      (error instanceof RequestFailed && error.kind !== 'interrupted')
    ) {
      return recordUnavailable(session, id, { inconclusive: error.message });
    }
    throw error;
  }
};

/** A connection that broke says nothing of the operation; what may have caused mail is not asked for again. */
const retryOnce = async (
  operation: OperationId,
  step: () => Promise<DiscoveryResult>,
): Promise<DiscoveryResult> => {
  try {
    return await step();
  } catch (error) {
    const broke = error instanceof RequestFailed && error.kind === 'closed';
    if (!broke || causesMail({ operation, method: 'POST' })) throw error;
    return step();
  }
};
