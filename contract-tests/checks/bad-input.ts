import type { OperationId } from '../../mock/contract/operation-id.ts';
import { NotPermitted } from '../client/client.ts';
import type { Exchange, JsonObject } from '../client/exchange.ts';
import { repeatRequest } from '../session/availability.ts';
import { type ActiveCheck, usualLeads } from '../session/check.ts';
import { completeEmail, sendMail, templateEmail, withQuotes } from '../session/email-requests.ts';
import { operationOf } from '../session/operations.ts';
import { CheckInconclusive, fail } from '../session/outcome.ts';
import { leadFields, type OwnLead } from '../session/own-lead.ts';
import type { Session } from '../session/session.ts';
import { isServerError } from '../session/trouble.ts';

/** A request that a deployment may accept or refuse. */
type BadRequest = { readonly label: string; readonly send: (session: Session) => Promise<Exchange> };

const asProbe = { intent: 'probe' } as const;

const deep = `${'['.repeat(200)}${']'.repeat(200)}`;

const addLeadWithBody = (label: string, body: unknown): BadRequest => ({
  label,
  send: (session) => session.send('addLead', { ...asProbe, body }),
});

/** A lead in the form that this deployment accepts, except for the named fields. */
const addLeadWithWrong = (label: string, wrong: Readonly<Record<string, unknown>>): BadRequest => ({
  label,
  send: (session) => session.send('addLead', { ...asProbe, body: session.leadBody(wrong) }),
});

const badAddRequests: readonly BadRequest[] = [
  addLeadWithBody('an empty object', {}),
  addLeadWithBody('an array', []),
  addLeadWithBody('null', null),
  { label: 'no body', send: (session) => session.send('addLead', { ...asProbe, raw: '' }) },
  { label: 'malformed JSON', send: (session) => session.send('addLead', { ...asProbe, raw: '{"name":' }) },
  // One field at a time: an error in one field hides how the deployment treats the others.
  ...leadFields.map((field) => addLeadWithWrong(`a lead without ${field}`, { [field]: undefined })),
  ...leadFields.map((field) => addLeadWithWrong(`null for ${field}`, { [field]: null })),
  ...leadFields.map((field) => addLeadWithWrong(`a number for ${field}`, { [field]: 7 })),
  addLeadWithWrong('an object for note', { note: { text: 'x' } }),
  addLeadWithWrong('empty texts', { source: '', note: '' }),
  addLeadWithWrong('a note of 10,000 characters', { note: 'long '.repeat(2000) }),
  {
    label: 'JSON labelled as text',
    send: (session) =>
      session.send('addLead', {
        ...asProbe,
        raw: JSON.stringify(session.newFields()),
        contentType: 'text/plain',
      }),
  },
  {
    label: 'deep nesting',
    send: (session) => session.send('addLead', { ...asProbe, raw: `{"name":${deep}}` }),
  },
];

const updateLead = (lead: OwnLead, label: string, options: object): BadRequest => ({
  label,
  send: (session) => session.send('updateLead', { ...asProbe, leadId: lead.id, ...options }),
});

const updateLeadWith = (
  session: Session,
  lead: OwnLead,
  label: string,
  wrong: Readonly<Record<string, unknown>>,
): BadRequest => updateLead(lead, label, { body: session.updateBody(wrong, lead) });

/** All requests concern one lead, whose state is no longer predicted. */
const badUpdateRequests = async (session: Session): Promise<readonly BadRequest[]> => {
  const lead = await session.ownLead();
  lead.predictable = false;
  return [
    updateLead(lead, 'an array', { body: [] }),
    updateLead(lead, 'null', { body: null }),
    updateLead(lead, 'malformed JSON', { raw: '{"note":' }),
    updateLead(lead, 'no body', { raw: '' }),
    updateLeadWith(session, lead, 'null for note', { note: null }),
    updateLeadWith(session, lead, 'an array for note', { note: ['x'] }),
    ...(['name', 'source'] as const).map((field) =>
      updateLeadWith(session, lead, `an empty ${field}`, { [field]: '' }),
    ),
    ...leadFields.map((field) => updateLeadWith(session, lead, `a number for ${field}`, { [field]: 7 })),
    ...oddIds('updateLead'),
  ];
};

const deleteTwice: BadRequest = {
  label: 'a lead that was already deleted',
  send: async (session) => {
    const lead = await session.ownLead();
    await session.deleteLead(lead);
    return session.send('deleteLead', { ...asProbe, leadId: lead.id });
  },
};

/**
 * Ids that cannot exist, because they contain the id of the run. They contain nothing that a router interprets, such as an
 * encoded slash: its response would show nothing about the operation.
 */
const oddIds = (operation: 'updateLead' | 'deleteLead'): BadRequest[] => {
  const ids: Readonly<Record<string, (runId: string) => string>> = {
    'an unknown id': (runId) => `contract-test-${runId}-none`,
    'an id of 300 characters': (runId) => `contract-test-${runId}-`.padEnd(300, 'x'),
    'an id beyond ASCII': (runId) => `contract-test-${runId}-ü漢🎨`,
  };
  return Object.entries(ids).map(([label, id]) => ({
    label,
    send: (session) =>
      session.send(operation, {
        ...asProbe,
        leadId: id(session.runId),
        ...(operation === 'updateLead' ? { body: { note: 'x' } } : {}),
      }),
  }));
};

const badDeleteRequests: readonly BadRequest[] = [deleteTwice, ...oddIds('deleteLead')];

// Mails go to the permitted address, or name no recipient. An invalid recipient is a number, never another address. Each
// request may cause a mail, so each one must test something different.

const sendEmail = (label: string, wrong: (session: Session) => unknown): BadRequest => ({
  label,
  send: (session) => session.send('sendEmail', { ...asProbe, body: wrong(session) }),
});

const sendEmailWith = (label: string, wrong: Readonly<Record<string, unknown>>): BadRequest =>
  sendEmail(label, (session) => ({ ...completeEmail(session), ...wrong }));

const badEmailRequests: readonly BadRequest[] = [
  sendEmail('null', () => null),
  {
    label: 'malformed JSON',
    send: (session) => session.send('sendEmail', { ...asProbe, raw: '{"subject":' }),
  },
  // The form of §4.1: the response is either a success or a refusal.
  sendEmailWith('no recipient', { to: undefined }),
  sendEmailWith('no subject', { subject: undefined }),
  sendEmailWith('no sender', { from: undefined }),
  sendEmailWith('no html', { html: undefined }),
  // A valid mail in between: a refused request must not affect the next one.
  { label: 'a complete mail', send: (session) => sendMail(session, completeEmail(session)) },
  sendEmailWith('a number for subject', { subject: 7 }),
  sendEmailWith('a number for from', { from: 7 }),
  sendEmailWith('null for html', { html: null }),
  sendEmailWith('a number for to', { to: 7 }),
  sendEmailWith('a sender that is not an address', { from: 'not an address' }),
];

const onlyRecipient = (session: Session): JsonObject => ({ to: session.permissions.sendTo ?? '' });

/** @param formIndex index of the existing path form to use, so that the requests alternate between the forms */
const sendTemplateAt = (
  formIndex: number,
  label: string,
  body: (session: Session) => unknown,
): BadRequest => ({
  label,
  send: (session) => {
    const forms = session.pathForms('sendTemplateEmail');
    const path = forms[formIndex % forms.length];
    return session.send('sendTemplateEmail', { ...asProbe, body: body(session), ...(path ? { path } : {}) });
  },
});

const sendTemplateWith = (
  formIndex: number,
  label: string,
  wrong: Readonly<Record<string, unknown>>,
): BadRequest =>
  sendTemplateAt(formIndex, label, (session) => ({ ...validTemplateEmail(session), ...wrong }));

const validTemplateEmail = (session: Session): JsonObject => {
  const { template } = session.requirements;
  if (!template) throw new CheckInconclusive('the deployment lists no template in the documented form');
  return templateEmail(session, template);
};

const badTemplateEmailRequests: readonly BadRequest[] = [
  sendTemplateAt(0, 'only a recipient', onlyRecipient),
  sendTemplateAt(1, 'null', () => null),
  sendTemplateWith(0, 'no variables', { variables: undefined }),
  sendTemplateWith(1, 'null for variables', { variables: null }),
  sendTemplateWith(0, 'an array for variables', { variables: [7] }),
  sendTemplateWith(1, 'a number for template_id', { template_id: 7 }),
  {
    label: 'quotes, backslashes and other symbols in variables',
    send: (session) =>
      sendMail(session, withQuotes(validTemplateEmail(session)), 'text', 'sendTemplateEmail'),
  },
];

type BadRequests = readonly BadRequest[] | ((session: Session) => Promise<readonly BadRequest[]>);

/**
 * Requests that a deployment may accept or refuse, but that must not cause a server error. The
 * `failures.*` checks inspect the refusals.
 */
const survivesBadInput = (operation: OperationId, probes: BadRequests): ActiveCheck => ({
  id: `${operationOf(operation).area}.survives-bad-input`,
  title: 'invalid input does not cause a server error',
  section: '7',
  level: 'derived',
  operation,
  needs: operationOf(operation).needs,
  ...(operationOf(operation).needs === 'mail' ? { mails: probes.length } : {}),
  run: async (session) => {
    const failed: { readonly label: string; readonly exchange: Exchange }[] = [];
    for (const { label, send } of typeof probes === 'function' ? await probes(session) : probes) {
      if (session.ledger.open(session.check).length >= usualLeads) await session.discardLeads();
      const exchange = await sendIfPermitted(() => send(session));
      if (!exchange || !isServerError(exchange)) continue;
      const isFirst = failed.length === 0;
      // A single error may be an outage of a moment.
      const repeated = isFirst && (await sendIfPermitted(() => repeatRequest(session, exchange)));
      if (!repeated || isServerError(repeated)) failed.push({ label, exchange });
    }
    const [first] = failed;
    // All requests are sent before a failure is reported, because other checks inspect their responses.
    if (first)
      fail(
        `${first.label} to be accepted, or rejected with an error that describes what is wrong with it`,
        `status ${first.exchange.status}`,
        first.exchange,
      );
  },
});

/** Returns `undefined` for a request that is not permitted. */
const sendIfPermitted = async (send: () => Promise<Exchange>): Promise<Exchange | undefined> => {
  try {
    return await send();
  } catch (error) {
    if (error instanceof NotPermitted) return undefined;
    throw error;
  }
};

export const badInputChecks: readonly ActiveCheck[] = [
  survivesBadInput('addLead', badAddRequests),
  survivesBadInput('updateLead', badUpdateRequests),
  survivesBadInput('deleteLead', badDeleteRequests),
  survivesBadInput('sendEmail', badEmailRequests),
  survivesBadInput('sendTemplateEmail', badTemplateEmailRequests),
];
