import type { OperationId } from '../../mock/spec.ts';
import { type ActiveCheck, CheckInconclusive, CheckSkipped, fail } from '../check.ts';
import { dataOf, type Exchange, wordsOf } from '../exchange.ts';
import { saysUnknown } from '../lead-facts.ts';
import type { OwnLead, Session } from '../session.ts';
import { intruder, trials } from './key-trials.ts';
import { comparisons, type WrongKey, wrongKeys } from './wrong-keys.ts';

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
    [...wrongKeys, ...(operation === 'listTemplates' ? comparisons : [])].map((one, turn) => ({
      id: `${areas[operation]}.auth.${one.id}`,
      title: one.title,
      section: '5',
      level: one.level,
      operation,
      needs: trials[operation].needs,
      ...(trials[operation].needs === 'mail' ? { mails: operation === 'sendEmail' ? 1 : 2 } : {}),
      run: (session: Session) => attempt(session, operation, one, turn),
    })),
);

const attempt = async (
  session: Session,
  operation: OperationId,
  one: WrongKey,
  turn: number,
): Promise<void> => {
  if (!session.client.differs(one.credentials))
    throw new CheckSkipped(
      'such a key may be a good one: the real one is too short, a test key, or has no letters',
    );
  const lead = operation === 'updateLead' || operation === 'deleteLead' ? await usedLead(session) : undefined;
  try {
    await attemptAt(session, operation, one, turn, lead);
  } catch (error) {
    usedLeads.delete(session.leads);
    throw error;
  }
};

const attemptAt = async (
  session: Session,
  operation: OperationId,
  one: WrongKey,
  turn: number,
  lead: OwnLead | undefined,
): Promise<void> => {
  const { credentials } = one;
  const ability = session.abilities.get(operation);
  const forms = ability?.usable ? ability.forms : [];
  for (const [index, path] of (comparisons.includes(one) ? forms.slice(0, 1) : forms).entries()) {
    const exchange = await trials[operation].send(session, credentials, path, lead, turn + index);
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
  if (!(await saysUnknown(session, after))) return;
  if (!lead.seen) throw new CheckInconclusive(`the lead was never known: ${wordsOf(after)}`);
  fail('a refused delete to delete nothing', `the lead is gone: ${wordsOf(after)}`, refused);
};
