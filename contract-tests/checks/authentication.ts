import type { OperationId } from '../../mock/spec.ts';
import { type ActiveCheck, CheckInconclusive, CheckSkipped, fail, type Level } from '../check.ts';
import { type Credentials, dataOf, type Exchange, wordsOf } from '../exchange.ts';
import { saysUnknown } from '../lead-facts.ts';
import { completeEmail, templateEmail } from '../mails.ts';
import type { OwnLead, Session } from '../session.ts';

/** Requests that would succeed with the key, so that a refusal can only be about the key (§5.1). */
type Trial = {
  readonly needs: ActiveCheck['needs'];
  readonly send: (
    session: Session,
    credentials: Credentials,
    path: string,
    lead: OwnLead | undefined,
  ) => Promise<Exchange>;
};

const trials: { readonly [Id in OperationId]: Trial } = {
  listTemplates: {
    needs: 'read',
    send: (session, credentials, path) =>
      session.send('listTemplates', { path, credentials, intent: 'probe' }),
  },
  sendEmail: {
    needs: 'mail',
    send: (session, credentials) =>
      session.send('sendEmail', { body: completeEmail(session), credentials, intent: 'probe' }),
  },
  sendTemplateEmail: {
    needs: 'mail',
    send: (session, credentials, path) => {
      const { template } = session.demands;
      if (!template) throw new CheckInconclusive('the deployment lists no template');
      return session.send('sendTemplateEmail', {
        path,
        body: templateEmail(session, template),
        credentials,
        intent: 'probe',
      });
    },
  },
  addLead: {
    needs: 'writes',
    send: (session, credentials) =>
      session.send('addLead', {
        body: { ...session.newFields(), ...session.demands.leadExtra },
        credentials,
        intent: 'probe',
      }),
  },
  updateLead: {
    needs: 'writes',
    send: (session, credentials, _path, lead) =>
      session.send('updateLead', {
        leadId: lead?.id ?? '',
        body: { ...(session.demands.updateInFull ? lead?.expected : {}), note: intruder },
        credentials,
        intent: 'probe',
      }),
  },
  deleteLead: {
    needs: 'writes',
    send: (session, credentials, _path, lead) =>
      session.send('deleteLead', { leadId: lead?.id ?? '', credentials, intent: 'probe' }),
  },
};

const intruder = 'contract-test: written without a valid key';

type Attempt = {
  readonly id: string;
  readonly credentials: Credentials;
  readonly level: Level;
  readonly title: string;
};

const attempts: readonly Attempt[] = [
  {
    id: 'missing-key',
    credentials: 'none',
    level: 'documented',
    title: 'refuses a request without Authorization',
  },
  {
    id: 'unknown-key',
    credentials: 'random key',
    level: 'documented',
    title: 'refuses a key that was never issued',
  },
  {
    id: 'no-key',
    credentials: 'Bearer without a key',
    level: 'documented',
    title: 'refuses Authorization without a key in it',
  },
  {
    id: 'other-scheme',
    credentials: 'Basic',
    level: 'documented',
    title: 'refuses Authorization of another scheme',
  },
  {
    id: 'near-miss-key',
    credentials: 'key with ~ appended',
    level: 'derived',
    title: 'refuses the key with a character appended',
  },
];

/** Asked of one operation only: they tell how keys are compared, and every wrong key counts towards a lock-out. */
const comparisons: readonly Attempt[] = [
  {
    id: 'other-case-key',
    credentials: 'key in other case',
    level: 'derived',
    title: 'refuses the key with its capital and small letters exchanged',
  },
  {
    id: 'led-key',
    credentials: 'key after ~',
    level: 'derived',
    title: 'refuses the key with a character before it',
  },
  {
    id: 'ending-only',
    credentials: 'end of the key',
    level: 'derived',
    title: 'refuses a key that only ends like the real one',
  },
  {
    id: 'small-letters-scheme',
    credentials: 'bearer with a random key',
    level: 'documented',
    title: 'refuses a key that was never issued under the scheme "bearer" as well',
  },
];

const areas: Readonly<Record<OperationId, string>> = {
  listTemplates: 'templates.list',
  sendEmail: 'email.send',
  sendTemplateEmail: 'email.template',
  addLead: 'leads.add',
  updateLead: 'leads.update',
  deleteLead: 'leads.delete',
};

/** Every operation, under every path form that exists, with every kind of wrong credentials. */
export const authenticationChecks: readonly ActiveCheck[] = (Object.keys(trials) as OperationId[]).flatMap(
  (operation) =>
    [...attempts, ...(operation === 'listTemplates' ? comparisons : [])].map(
      ({ id, credentials, level, title }) => ({
        id: `${areas[operation]}.auth.${id}`,
        title,
        section: '5',
        level,
        operation,
        needs: trials[operation].needs,
        ...(trials[operation].needs === 'mail' ? { mails: operation === 'sendEmail' ? 1 : 2 } : {}),
        run: (session: Session) => attempt(session, operation, credentials),
      }),
    ),
);

const attempt = async (session: Session, operation: OperationId, credentials: Credentials): Promise<void> => {
  if (!session.client.differs(credentials)) throw new CheckSkipped('the key has no letters to exchange');
  const lead = operation === 'updateLead' || operation === 'deleteLead' ? await usedLead(session) : undefined;
  try {
    await attemptAt(session, operation, credentials, lead);
  } catch (error) {
    usedLeads.delete(session.leads);
    throw error;
  }
};

const attemptAt = async (
  session: Session,
  operation: OperationId,
  credentials: Credentials,
  lead: OwnLead | undefined,
): Promise<void> => {
  const ability = session.abilities.get(operation);
  for (const path of ability?.usable ? ability.forms : []) {
    const exchange = await trials[operation].send(session, credentials, path, lead);
    if (exchange.outcome === 'gateway')
      throw new CheckInconclusive(`a gateway answered: ${wordsOf(exchange)}`);
    if (exchange.outcome !== 'refusal') {
      fail('a refusal', `${exchange.status} as if the key were good (${credentials})`, exchange);
    }
    if (lead) await expectUntouched(session, lead, exchange);
  }
};

// One lead for all attempts of a run, until one of them gets through.
const usedLeads = new WeakMap<Session['leads'], OwnLead>();

/** A lead that was asked for with the good key before: what remembers a path or a lead as harmless is wrong as well. */
const usedLead = async (session: Session): Promise<OwnLead> => {
  const known = usedLeads.get(session.leads);
  if (known) return known;
  const lead = await session.ownLead();
  if (session.abilities.get('updateLead')?.usable === true) await session.updateLead(lead, session.newNote());
  usedLeads.set(session.leads, lead);
  return lead;
};

/** A refusal must also have done nothing: the lead is there still and is not changed. */
const expectUntouched = async (session: Session, lead: OwnLead, refused: Exchange): Promise<void> => {
  if (session.abilities.get('updateLead')?.usable !== true) return; // nothing else shows a lead
  const shown = refused.operation === 'updateLead' ? await session.readBack(lead) : undefined;
  if (shown && dataOf(shown).note === intruder)
    fail('a refused update to change nothing', 'the note was changed all the same', refused);
  if (refused.operation !== 'deleteLead') return;
  const after = await session.updateLead(lead, session.newNote());
  if (await saysUnknown(session, after)) {
    fail('a refused delete to delete nothing', `the lead is gone: ${wordsOf(after)}`, refused);
  }
};
