import type { OperationId } from '../../mock/contract/operation-id.ts';
import { RequestFailed } from '../client/client.ts';
import type { Exchange, JsonObject } from '../client/exchange.ts';
import {
  isPlainRefusal,
  recordResult,
  recordUnavailable,
  retryOnServerError,
} from '../session/availability.ts';
import type { Need } from '../session/check.ts';
import { type Operation, operations } from '../session/operations.ts';
import type { Discovery, DiscoveryResult } from '../session/outcome.ts';
import type { OwnLead } from '../session/own-lead.ts';
import { concernsOneLead } from '../session/routes.ts';
import type { Session } from '../session/session.ts';
import type { Capability, Shared } from '../session/shared.ts';
import { withDemands } from './demands.ts';
import { discoverSend, discoverTemplateSend, discoverTemplates } from './discover-email.ts';
import { classifyError } from './verdict.ts';

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
  const documented = await retryOnServerError(session, ask);
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

/** What discovery changed in the requests of the run. It is no finding where the document leaves open what is required. */
export const adaptationsOf = ({ requirements, permissions, can }: Shared): readonly string[] => {
  const { extraLeadFields, nameFrom, requiresFullUpdate, sender, templateTo, templateWithoutTo } =
    requirements;
  const { eventuallyConsistent } = requirements;
  const { email, source } = extraLeadFields;
  const lines: readonly (readonly [boolean, string])[] = [
    [
      email !== undefined,
      'every new lead carries the field email, because leads with only a name, a source and a note are refused (§2.3 leaves open what is required)',
    ],
    [source !== undefined, `every new lead has the source "${source}", because other sources are refused`],
    [
      nameFrom !== undefined,
      'every name consists of letters, because names with digits are refused (§2.3 leaves open which names are valid)',
    ],
    [
      requiresFullUpdate && can('updateLead'),
      'every update carries name and source, because an update of the note alone is refused (§2.3 leaves open what is required)',
    ],
    [
      sender !== undefined,
      `every mail is from ${sender}, because mails from their recipient are refused (the document leaves open which senders are taken; --from names another)`,
    ],
    [
      permissions.unaddressed && can('sendTemplateEmail') && templateTo && templateWithoutTo === false,
      'every template mail carries the field to, because mails without it are refused (§4.3 leaves the recipient open)',
    ],
    [
      eventuallyConsistent,
      'requests about a new lead are repeated until it is known, because it is not known at once (how soon is not stated)',
    ],
  ];
  return lines.flatMap(([applies, text]) => (applies ? [text] : []));
};

/** The lead discovery added: one is enough until it is clear that leads can be deleted again. */
const discoveredLead = ({ leads }: Session): OwnLead | undefined => [...leads.values()].at(-1);

const discoverUpdate = async (session: Session): Promise<DiscoveryResult> => {
  const add = session.capabilities.get('addLead');
  const lead = discoveredLead(session);
  if (!add?.available || !lead) return recordUnavailable(session, 'updateLead', noLead(add));
  const ask = (): Promise<Exchange> => session.updateLead(lead, session.newNote());
  let reply = await retryOnServerError(session, ask);
  // A 404 too: it may be what this deployment says of a body that lacks fields.
  if (isPlainRefusal(reply) || reply.status === 404) {
    session.requirements.requiresFullUpdate = true;
    reply = await retryOnServerError(session, ask);
  }
  const finding = recordResult(session, 'updateLead', [reply]);
  return withDemands(session, finding, reply, { leadId: lead.id, body: lead.expected });
};

const discoverDelete = async (session: Session): Promise<DiscoveryResult> => {
  const add = session.capabilities.get('addLead');
  const lead = discoveredLead(session);
  if (!add?.available || !lead) return recordUnavailable(session, 'deleteLead', noLead(add));
  const reply = await retryOnServerError(session, () => session.deleteLead(lead));
  const finding = recordResult(session, 'deleteLead', [reply]);
  return withDemands(session, finding, reply, { leadId: lead.id });
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
    if (!ids.has(operation.id)) continue;
    const result = await runStep(session, operation);
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

/** What discovery asks of each operation, and what a deployment may require beyond the documented request. */
const steps: Readonly<Record<OperationId, (session: Session) => Promise<DiscoveryResult>>> = {
  listTemplates: discoverTemplates,
  addLead: discoverAdd,
  updateLead: discoverUpdate,
  deleteLead: discoverDelete,
  sendEmail: discoverSend,
  sendTemplateEmail: discoverTemplateSend,
};

const runStep = async (session: Session, operation: Operation): Promise<DiscoveryResult> => {
  const { id } = operation;
  try {
    return await retryIfClosed(operation, () => steps[id](session));
  } catch (error) {
    const undecided = classifyError(error);
    if (!undecided) throw error;
    return recordUnavailable(session, id, { [undecided.status]: undecided.reason });
  }
};

/** A broken connection decides nothing: the work is done once more, unless it may cause mail. */
export const retryIfClosed = async <Result>(
  { needs }: { readonly needs: Need },
  work: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    const isClosed = error instanceof RequestFailed && error.kind === 'closed';
    if (!isClosed || needs === 'mail') throw error;
    return work();
  }
};
