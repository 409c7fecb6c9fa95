import type { OperationId } from '../../mock/spec.ts';
import type { ActiveCheck, Need } from '../check.ts';
import { CheckInconclusive, fail } from '../check.ts';
import { NotPermitted } from '../client.ts';
import type { Exchange } from '../exchange.ts';
import type { Session } from '../session.ts';
import { completeEmail, templateEmail } from '../survey.ts';

/**
 * Requests that a deployment may take or refuse as it likes, but that must not make it fail. Their refusals are what the
 * `failures.*` checks look at.
 */
type Probe = { readonly what: string; readonly send: (session: Session) => Promise<Exchange> };

const probe = { intent: 'probe' } as const;
const deep = `${'['.repeat(200)}${']'.repeat(200)}`;

const leadProbes: readonly Probe[] = [
  { what: 'an empty object', send: (session) => session.send('addLead', { ...probe, body: {} }) },
  { what: 'an array', send: (session) => session.send('addLead', { ...probe, body: [] }) },
  { what: 'null', send: (session) => session.send('addLead', { ...probe, body: null }) },
  { what: 'no body', send: (session) => session.send('addLead', { ...probe, raw: '' }) },
  { what: 'malformed JSON', send: (session) => session.send('addLead', { ...probe, raw: '{"name":' }) },
  {
    what: 'null for a text',
    send: (session) =>
      session.send('addLead', { ...probe, body: { ...session.newFields(), name: null, source: null } }),
  },
  {
    what: 'null for a note',
    send: (session) => session.send('addLead', { ...probe, body: { ...session.newFields(), note: null } }),
  },
  {
    what: 'empty texts',
    send: (session) =>
      session.send('addLead', { ...probe, body: { ...session.newFields(), source: '', note: '' } }),
  },
  {
    what: 'a note of 10,000 characters',
    send: (session) =>
      session.send('addLead', { ...probe, body: { ...session.newFields(), note: 'long '.repeat(2000) } }),
  },
  {
    what: 'fields of the wrong type',
    send: (session) =>
      session.send('addLead', { ...probe, body: { ...session.newFields(), name: 7, note: { text: 'x' } } }),
  },
  {
    what: 'JSON labelled as text',
    send: (session) =>
      session.send('addLead', {
        ...probe,
        raw: JSON.stringify(session.newFields()),
        contentType: 'text/plain',
      }),
  },
  { what: 'deep nesting', send: (session) => session.send('addLead', { ...probe, raw: `{"name":${deep}}` }) },
];

const updateProbes: readonly Probe[] = [
  {
    what: 'an array',
    send: async (session) =>
      session.send('updateLead', { ...probe, leadId: (await session.ownLead()).id, body: [] }),
  },
  {
    what: 'malformed JSON',
    send: async (session) =>
      session.send('updateLead', { ...probe, leadId: (await session.ownLead()).id, raw: '{"note":' }),
  },
  {
    what: 'no body',
    send: async (session) =>
      session.send('updateLead', { ...probe, leadId: (await session.ownLead()).id, raw: '' }),
  },
  {
    what: 'null for a text',
    send: async (session) =>
      session.send('updateLead', { ...probe, leadId: (await session.ownLead()).id, body: { note: null } }),
  },
  {
    what: 'a note of the wrong type',
    send: async (session) =>
      session.send('updateLead', { ...probe, leadId: (await session.ownLead()).id, body: { note: ['x'] } }),
  },
  ...oddIds('updateLead'),
];

const deleteProbes: readonly Probe[] = [
  {
    what: 'a lead deleted before',
    send: async (session) => {
      const lead = await session.ownLead();
      await session.deleteLead(lead);
      return session.send('deleteLead', { ...probe, leadId: lead.id });
    },
  },
  ...oddIds('deleteLead'),
];

/** Ids that cannot be anybody's: they carry the id of the run. */
function oddIds(operation: 'updateLead' | 'deleteLead'): Probe[] {
  const ids: Readonly<Record<string, (runId: string) => string>> = {
    'an unknown id': (runId) => `contract-test-${runId}-none`,
    'an id of 300 characters': (runId) => `contract-test-${runId}-`.padEnd(300, 'x'),
    'an id beyond ASCII': (runId) => `contract-test-${runId}-ü漢🎨`,
    'an id with a percent sign': (runId) => `contract-test-${runId}-50%zz`,
    'an id with a slash and a quote': (runId) => `contract-test-${runId}/'"`,
  };
  return Object.entries(ids).map(([what, id]) => ({
    what,
    send: (session) =>
      session.send(operation, {
        ...probe,
        leadId: id(session.runId),
        ...(operation === 'updateLead' ? { body: { note: 'x' } } : {}),
      }),
  }));
}

const to = (session: Session): { to: string } => ({ to: session.permissions.sendTo ?? '' });

const mailProbes: readonly Probe[] = [
  { what: 'only a recipient', send: (session) => session.send('sendEmail', { ...probe, body: to(session) }) },
  // §4.1's own shape: whatever the answer is, it is a success or a refusal.
  {
    what: 'no recipient',
    send: (session) =>
      session.send('sendEmail', { ...probe, body: { ...completeEmail(session), to: undefined } }),
  },
  { what: 'an empty object', send: (session) => session.send('sendEmail', { ...probe, body: {} }) },
  { what: 'malformed JSON', send: (session) => session.send('sendEmail', { ...probe, raw: '{"subject":' }) },
  {
    what: 'a sender that is no address',
    send: (session) =>
      session.send('sendEmail', { ...probe, body: { ...completeEmail(session), from: 'not an address' } }),
  },
  {
    what: 'null for a text',
    send: (session) =>
      session.send('sendEmail', { ...probe, body: { ...completeEmail(session), subject: null } }),
  },
  {
    what: 'a subject of the wrong type',
    send: (session) =>
      session.send('sendEmail', { ...probe, body: { ...completeEmail(session), subject: 7 } }),
  },
];

const templateProbes: readonly Probe[] = [
  {
    what: 'only a recipient',
    send: (session) => session.send('sendTemplateEmail', { ...probe, body: to(session) }),
  },
  {
    what: 'variables of the wrong type',
    send: (session) => {
      const { template } = session.demands;
      if (!template) throw new CheckInconclusive('the deployment lists no template');
      return session.send('sendTemplateEmail', {
        ...probe,
        body: { ...templateEmail(session, template), variables: [7], ...to(session) },
      });
    },
  },
];

const noCrash = (
  area: string,
  operation: OperationId,
  needs: Need,
  section: string,
  probes: readonly Probe[],
): ActiveCheck => ({
  id: `${area}.survives-bad-input`,
  title: 'bad input does not make the server fail',
  section,
  level: 'derived',
  operation,
  needs,
  ...(needs === 'mail' ? { mails: probes.length } : {}),
  run: async (session) => {
    for (const { what, send } of probes) {
      const exchange = await permitted(() => send(session));
      if (!exchange) continue;
      const failed = exchange.status >= 500 && exchange.outcome !== 'gateway';
      if (failed) fail(`${what} to be taken or refused below 500`, `status ${exchange.status}`, exchange);
    }
  },
});

/** A probe that may not be sent is left out; the others say enough. */
const permitted = async (send: () => Promise<Exchange>): Promise<Exchange | undefined> => {
  try {
    return await send();
  } catch (error) {
    if (error instanceof NotPermitted) return undefined;
    throw error;
  }
};

export const badInputChecks: readonly ActiveCheck[] = [
  noCrash('leads.add', 'addLead', 'writes', '7', leadProbes),
  noCrash('leads.update', 'updateLead', 'writes', '7', updateProbes),
  noCrash('leads.delete', 'deleteLead', 'writes', '7', deleteProbes),
  noCrash('email.send', 'sendEmail', 'mail', '7', mailProbes),
  noCrash('email.template', 'sendTemplateEmail', 'mail', '7', templateProbes),
];
