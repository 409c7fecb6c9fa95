import type { OperationId } from '../../mock/contract/operation-id.ts';
import { control, type Exchange, isSuccess } from '../exchange/exchange.ts';
import {
  concernsOneLead,
  type Operation,
  operationOf,
  operations,
  operationsThatNeed,
} from '../exchange/operations.ts';
import type { Failure } from '../facts/fact.ts';
import { leadIdOf } from '../model/requests.ts';
import { classifyError, type Discovered } from '../session/outcome.ts';
import { signsOf, validRequest } from '../session/requests.ts';
import { noteAlone } from '../session/requirements.ts';
import { type OwnLead, type Session, sessionFor } from '../session/session.ts';
import type { Shared } from '../session/shared.ts';
import { confirmAlive, outlastOutage, sendValid, tooLate } from './control-requests.ts';
import { conclude, type Form, retryIfDisconnected, retryOnServerError, tryForms } from './demands.ts';
import { discoverSend, discoverTemplateSend, discoverTemplates } from './discover-email.ts';
import { mayBeTooEarly, measureLag, noteLag, untilAccepted } from './lag.ts';

/** A different name each time, of letters only: a deployment may merge leads with the same name. */
const lettersOnly = (unique: string): string => {
  const pairs = signsOf(unique).map((sign) =>
    String.fromCharCode(97 + Math.floor(sign / 6), 97 + (sign % 6)),
  );
  return `Contract Test ${pairs.join('')}`;
};

/** What a deployment may demand of a new lead, or accept only. */
const leadForms = (session: Session): readonly Form[] => {
  // Some examples of the document send an email with a lead (§2.3); a deployment may require it.
  const extraLeadFields = { email: `contract-test-${session.runId}@example.com` };
  const hasEmail =
    'every new lead has the field email, because leads with only a name, a source and a note are refused (§2.3 leaves open what is required)';
  const hasLetters =
    'every name consists of letters, because names with digits are refused (§2.3 leaves open which names are valid)';
  const isShort =
    'the texts of every lead are short, because the usual ones are refused (§2.3 and §8 leave open which are valid)';
  const sources = ['website', 'web', 'webinar', 'referral', 'newsletter', 'other'];
  return [
    { form: { extraLeadFields }, says: [hasEmail] },
    { form: { hasShortTexts: true }, says: [isShort] },
    { form: { nameFrom: lettersOnly }, says: [hasLetters] },
    { form: { extraLeadFields, nameFrom: lettersOnly }, says: [hasEmail, hasLetters] },
    ...sources.map((source) => ({
      form: { extraLeadFields: { source } },
      says: [`every new lead has the source "${source}", because other sources are refused`],
    })),
  ];
};

/** What the steps of one discovery share. */
type Context = {
  /** The lead that it added. One is enough until it is known that leads can be deleted. */
  lead?: OwnLead | undefined;
};

type Step = (session: Session, context: Context) => Promise<Discovered>;

const discoverAdd: Step = async (session, context) => {
  const documented = { extraLeadFields: {}, nameFrom: undefined, hasShortTexts: false };
  const forms = { documented, others: leadForms(session) };
  const { reply } = await tryForms(session, forms, async () => {
    const { exchange, lead } = await session.addLead();
    context.lead = lead ?? context.lead;
    return exchange;
  });
  return conclude(session, 'addLead', [reply]);
};

/** What a deployment may demand of an update beside a note. */
const updateForms = (session: Session): readonly Form[] => {
  const extra = { email: session.newAddress() };
  return [
    ['name and source', { hasAllFields: true, extra: {} }] as const,
    ['email', { hasAllFields: false, extra }] as const,
    ['name and source and email', { hasAllFields: true, extra }] as const,
  ].map(([what, updateForm]) => ({
    form: { updateForm },
    says: [
      `every update has ${what}, because an update of the note alone is refused (§2.3 leaves open what is required)`,
    ],
  }));
};

/** Notes how long after its addition a lead was accepted that was refused before. */
const noteAcceptance = (session: Session, exchange: Exchange): void => {
  const { addition } = session.history.model.leads.get(leadIdOf(exchange)) ?? {};
  if (addition) noteLag(session, exchange.receivedAt - addition.from);
};

/** Updates the note of a lead, and more of it if that is refused: a deployment may demand it. */
const updateInForm = async (session: Session, lead: OwnLead): Promise<Exchange> => {
  const { requirements } = session;
  const ask = (): Promise<Exchange> =>
    session.send('updateLead', validRequest(session, 'updateLead', { lead }));
  const { first, reply } = await tryForms(
    session,
    { documented: { updateForm: noteAlone }, others: updateForms(session) },
    ask,
  );
  const { updateForm } = requirements;
  if (reply === first) return reply;
  requirements.updateForm = noteAlone;
  const again = await retryOnServerError(session, ask);
  if (again.outcome !== 'success') {
    requirements.updateForm = updateForm;
    return reply;
  }
  // The lead has become visible in the meantime.
  requirements.adaptations.delete('updateLead');
  noteAcceptance(session, again);
  await measureLag(session);
  return again;
};

const discoverUpdate: Step = async (session, context) => {
  if (!context.lead && session.can('deleteLead')) context.lead = (await session.addLead()).lead;
  const { lead } = context;
  if (!session.can('addLead') || !lead) return noLead(session);
  let reply = await updateInForm(session, lead);
  // A deployment may show a new lead late, or accept no change of it for some time, and refuse its update until then, with any status.
  if (mayBeTooEarly(reply) && (await measureLag(session))) {
    await session.settle();
    reply = await updateInForm(session, lead);
  }
  return conclude(session, 'updateLead', [reply]);
};

const discoverDelete: Step = async (session, context) => {
  if (!session.can('addLead')) return noLead(session);
  const lead = context.lead ?? (await session.addLead()).lead;
  if (!lead) return noLead(session);
  await session.settle();
  const remove = ({ id: leadId }: OwnLead): Promise<Exchange> =>
    retryOnServerError(session, () => session.send('deleteLead', { leadId }));
  const first = await remove(lead);
  if (first.outcome !== 'refusal') return conclude(session, 'deleteLead', [first]);
  // One refusal may be an effect of an earlier request, or of one of several servers. A lead that an update does not find either is
  // gone: the deletion may have taken effect, or an update may have given the lead another id.
  const look = { ...validRequest(session, 'updateLead', { lead }), intent: 'probe' } as const;
  const isGone = session.can('updateLead') && (await session.send('updateLead', look)).outcome === 'refusal';
  const another = isGone ? (await session.addLead()).lead : undefined;
  // Or it may be accepted late.
  const { exchange, isLate } = await untilAccepted(session.client.clock, () => remove(another ?? lead));
  if (isLate) noteAcceptance(session, exchange);
  return conclude(session, 'deleteLead', [exchange]);
};

const noLead = ({ can, obstacleTo }: Session): Discovered => {
  const intro = 'it needs a lead, and none can be added';
  return can('addLead')
    ? { inconclusive: `${intro}: no response contained a lead_id` }
    : { skipped: `${intro}: ${obstacleTo('addLead').reason}` };
};

/**
 * Calls the operations that the run needs, in order of dependency, to find which path forms exist (§4.4), which templates are
 * listed, and what the deployment requires beyond the documented requests.
 */
export const discover = async (session: Session, ids: ReadonlySet<OperationId>): Promise<void> => {
  const { discovery } = session;
  const context: Context = {};
  for (const operation of operations) {
    const { id } = operation;
    if (!ids.has(id)) continue;
    const found = await runStep(session, operation, context);
    discovery.set(id, found);
    if (!session.can(id) && found.skipped === undefined) await confirmAlive(session, ['listTemplates']);
    // Where the operation that it depends on exists, it was due: it does not count as skipped.
    const { status } = session.obstacleTo(dependencyOf(id));
    if (found.skipped !== undefined && status === 'inconclusive')
      discovery.set(id, { inconclusive: found.skipped });
  }
};

/** Whether an operation that failed in discovery succeeds now. Only one mail is requested. */
const succeedsNow = async (shared: Shared, operation: Operation): Promise<boolean> => {
  const session = sessionFor(shared, control);
  const { id } = operation;
  if (operation.needs === 'mail') return isSuccess(await sendValid(session, operation, 1));
  // If no lead could be added, the other operations on leads were not called.
  const ids = new Set(id === 'addLead' ? operationsThatNeed('writes') : [id]);
  for (const tried of ids) shared.discovery.delete(tried);
  await discover(session, ids);
  return shared.can(id);
};

/**
 * Why the failure of an operation in discovery may have passed; `undefined` if it has not. A server error may be part of an outage,
 * and counts if it comes again after one.
 */
const whyPassed = async (
  shared: Shared,
  id: OperationId,
  { exchange }: Failure,
): Promise<string | undefined> => {
  const isServerError = exchange !== undefined && exchange.status >= 500;
  if (isServerError && !outlastOutage(shared, exchange.receivedAt)) return tooLate;
  try {
    const succeeds = await shared.client.lendLastMail(() => succeedsNow(shared, operationOf(id)));
    return succeeds ? 'it succeeds now; run again' : undefined;
  } catch (error) {
    const undecided = classifyError(error);
    if (!undecided) throw error;
    return isServerError ? undecided.reason : undefined;
  }
};

/** Withdraws the failures of discovery that may have passed. The checks of such an operation were not run. */
export const confirmFailures = async (shared: Shared): Promise<void> => {
  const { discovery, can, health } = shared;
  const before = [...discovery];
  for (const [id, { failure }] of before) {
    if (!failure || can(id) || health.hasStopped()) continue;
    const reason = await whyPassed(shared, id, failure);
    if (reason !== undefined) {
      const text = `${id} failed at the start of the run (${failure.actual}): ${reason}`;
      discovery.set(id, { pathForms: shared.pathForms(id), inconclusive: text });
      // The others may have been tried before the deployment recovered.
      return confirmFailures(shared);
    }
    for (const found of before) discovery.set(...found);
  }
};

/** The operation that must succeed before another one can be called: a lead must exist, a template must be listed. */
const dependencyOf = (operation: OperationId): OperationId => {
  if (operation === 'sendTemplateEmail') return 'listTemplates';
  return concernsOneLead(operation) ? 'addLead' : operation;
};

/** The discovery of each operation, including requirements of the deployment beyond the documented request. */
const steps: Readonly<Record<OperationId, Step>> = {
  listTemplates: discoverTemplates,
  addLead: discoverAdd,
  updateLead: discoverUpdate,
  deleteLead: discoverDelete,
  sendEmail: discoverSend,
  sendTemplateEmail: discoverTemplateSend,
};

const runStep = async (session: Session, operation: Operation, context: Context): Promise<Discovered> => {
  const { id } = operation;
  try {
    return await retryIfDisconnected(session, operation, () => steps[id](session, context));
  } catch (error) {
    const undecided = classifyError(error);
    if (!undecided) throw error;
    return { [undecided.status]: undecided.reason };
  }
};
