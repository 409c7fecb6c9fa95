// Assertions shared by the checks of leads. Each one throws its finding.

import { dataOf, describeRefusal, type Exchange, type JsonObject } from '../../client/exchange.ts';
import { readUntil, retrieveLead } from '../../session/availability.ts';
import { isUnknownLead } from '../../session/lead-requests.ts';
import {
  CheckInconclusive,
  CheckSkipped,
  cannotUse,
  describeValue,
  fail,
  show,
} from '../../session/outcome.ts';
import { leadFields, maxPropagationMs, type OwnLead } from '../../session/own-lead.ts';
import type { Session } from '../../session/session.ts';

export type Fields = OwnLead['expected'];

/**
 * Returns a response that is not a refusal.
 * @throws CheckInconclusive for a refusal, whose reason may be specific to the deployment
 */
export const requireNotRefused = (exchange: Exchange): Exchange => {
  if (exchange.outcome === 'refusal' || exchange.outcome === 'gateway') {
    throw new CheckInconclusive(`the deployment refused: ${describeRefusal(exchange)}`);
  }
  return exchange;
};

/** Expects a response with the fields as sent. Another check reports a field that is missing or has another type. */
export const expectFields = (
  exchange: Exchange,
  sent: Partial<Fields>,
  qualifier = 'as sent',
  data: JsonObject = dataOf(exchange),
): void => {
  for (const [name, value] of Object.entries(sent)) {
    if (typeof data[name] !== 'string' || data[name] === value) continue;
    const shown = exchange.intent === 'text' ? show(data[name]) : describeValue(data[name], value);
    fail(`data.${name} ${qualifier}: ${show(value)}`, shown, exchange);
  }
};

/** The name and source of a lead, which ordinary updates of the run do not change. */
export const nameAndSource = ({ expected: { name, source } }: OwnLead): Partial<Fields> => ({ name, source });

/** The fields for which this deployment requires other values than the suite usually sends. */
export const overriddenFields = ({ requirements }: Session): Partial<Fields> =>
  requirements.extraLeadFields as Partial<Fields>;

/** The texts that only this lead has: not empty, and not a value that this deployment requires of every lead. */
export const uniqueTexts = (session: Session, fields: Partial<Fields>): readonly string[] => {
  const required: Partial<Fields> = overriddenFields(session);
  return leadFields.filter((name) => fields[name] !== required[name]).flatMap((name) => fields[name] || []);
};

/**
 * Undocumented fields for a lead: the `email` of some examples with an unknown field, then each one
 * alone, for deployments that refuse the other.
 */
export const undocumentedFields = ({ newAddress }: Session): readonly JsonObject[] => {
  const email = newAddress();
  const unknown = { contract_test: 'x' };
  return [{ email, ...unknown }, { email }, unknown];
};

/** Number of rounds with concurrent requests: a fault in every round is not a coincidence. */
export const concurrentRounds = 3;

export const severalLeads = async (session: Session, count: number): Promise<OwnLead[]> => {
  const leads: OwnLead[] = [];
  for (let index = 0; index < count; index += 1) leads.push(await session.ownLead());
  return leads;
};

/**
 * Leads that share the note, the name, the source or both with the first one: they show effects that use the wrong field. If a
 * deployment refuses or merges such a lead, a different one replaces it.
 */
export const leadsSharingOneField = async (session: Session): Promise<[OwnLead, ...OwnLead[]]> => {
  const first = await session.ownLead();
  const others: OwnLead[] = [];
  const { name, source, note } = first.expected;
  for (const shared of [{ note }, { name }, { source }, { name, source }]) {
    const { lead } = await session.addLead({ ...session.newFields(), ...shared }, 'text');
    const own = lead && lead.id !== first.id && !others.some(({ id }) => id === lead.id);
    others.push(own ? lead : await session.ownLead());
  }
  return [first, ...others];
};

/**
 * Runs work with two leads that share an empty name, then source, then note, if the deployment accepts and shows it. An
 * operation that selects leads by this field would affect both.
 */
export const withEmptyPairs = async (
  session: Session,
  work: (first: OwnLead, second: OwnLead) => Promise<void>,
): Promise<void> => {
  for (const name of leadFields) {
    await session.discardLeads();
    const first = await addEmpty(session, name);
    const second = first && (await addEmpty(session, name));
    if (second) await work(first, second);
  }
};

const addEmpty = async (session: Session, name: keyof Fields): Promise<OwnLead | undefined> => {
  const { exchange, lead } = await session.addLead({ ...session.newFields(), [name]: '' }, 'text');
  const isNew = lead !== undefined && session.leads.get(lead.id) === lead;
  return isNew && exchange.outcome === 'success' && dataOf(exchange)[name] === '' ? lead : undefined;
};

/** The suite reads a lead by updating it (§4.8: reading is not documented). @throws CheckSkipped if updates do not work */
export const requireUpdates = ({ capabilities }: Session): void => {
  const capability = capabilities.get('updateLead');
  if (capability?.available !== true) {
    throw cannotUse(
      `a lead can only be read by updating it, and updates cannot be used: ${capability?.reason ?? 'not tested'}`,
      capability,
    );
  }
};

/**
 * Updates a lead that must exist. A lead that no update has found yet is retried for longer,
 * because it may become visible late.
 */
const updateExistingLead = async (
  session: Session,
  lead: OwnLead,
): Promise<{ exchange: Exchange; isGone: boolean }> => {
  const ask = (): Promise<Exchange> => session.updateLead(lead, session.newNote());
  const { observed: wasObserved } = lead;
  const first = await ask();
  if (!(await isUnknownLead(session, first))) return { exchange: first, isGone: false };
  if (wasObserved) return { exchange: first, isGone: true };
  const known = ({ outcome }: Exchange): boolean => outcome !== 'refusal';
  const exchange = await session.retryUntil(ask, known, 'a new lead was found', maxPropagationMs);
  return { exchange, isGone: !known(exchange) };
};

/** Expects the lead to exist, with its own name and source. */
export const expectThere = async (session: Session, lead: OwnLead, after: string): Promise<void> => {
  const { exchange, isGone } = await updateExistingLead(session, lead);
  if (isGone) fail(`the lead to exist after ${after}`, `gone: ${describeRefusal(exchange)}`, exchange);
  expectFields(requireNotRefused(exchange), nameAndSource(lead), `unchanged after ${after}`);
};

/** The reason for skipping a check that compares notes. */
export const cannotRead = 'this deployment shows a lead only after a change of its note';

/** Reads the note of a lead without changing it. @throws CheckSkipped if the deployment does not show it */
export const readNote = async (
  session: Session,
  lead: OwnLead,
): Promise<{ exchange: Exchange; note: unknown }> => {
  const exchange = await session.readBack(lead);
  if (!exchange) throw new CheckSkipped(cannotRead);
  return { exchange, note: dataOf(exchange).note };
};

/** Reads the note as `readNote` does, or with a GET if there is one, which may read from a replica with a delay. */
const showNote = async (
  session: Session,
  lead: OwnLead,
  expected: unknown,
): Promise<{ exchange: Exchange; note: unknown }> => {
  const shown = await session.readBack(lead);
  if (shown) return { exchange: shown, note: dataOf(shown).note };
  const retrieved = await readUntil(
    () => retrieveLead(session, lead),
    (read) => !read || read.data.note === expected,
  );
  if (!retrieved) throw new CheckSkipped(cannotRead);
  return { exchange: retrieved.exchange, note: retrieved.data.note };
};

/** Expects a response not to show the note from before the last update. */
export const expectNotUndone = (exchange: Exchange, { expected, noteBefore }: OwnLead, by: string): void => {
  if (noteBefore === undefined || dataOf(exchange).note !== noteBefore) return;
  fail(
    `the note of the last update: ${show(expected.note)}`,
    `the previous note, after ${by}: ${show(noteBefore)}`,
    exchange,
  );
};

/** Expects an action on one lead not to change the notes of other leads, as far as the deployment shows them. */
export const expectNotesKept = async (
  session: Session,
  others: readonly OwnLead[],
  action: () => Promise<void>,
): Promise<void> => {
  // An update without a note may clear it: so the notes before the action are those that such an update shows.
  const before = new Map<OwnLead, unknown>();
  for (const lead of others) before.set(lead, (await showNote(session, lead, lead.expected.note)).note);
  await action();
  for (const lead of others) {
    const { exchange, note } = await showNote(session, lead, before.get(lead));
    if (note !== before.get(lead))
      fail(
        'the note of every other lead unchanged',
        `${describeValue(note)} instead of ${describeValue(before.get(lead))}`,
        exchange,
      );
  }
};

/** Updates a deleted lead, and retries while it still exists, because a deletion may take effect with a delay. */
export const updateDeletedLead = (
  session: Session,
  lead: OwnLead,
  isThere: (after: Exchange) => boolean = ({ outcome }) => outcome === 'success',
): Promise<Exchange> =>
  session.retryUntil(
    () =>
      session.send('updateLead', {
        leadId: lead.id,
        body: session.updateBody({ note: session.newNote() }, lead),
        intent: 'probe',
      }),
    (after) => !isThere(after),
    'a deleted lead was gone',
    maxPropagationMs,
  );

/** Whether a successful update shows the name and source of this lead. One of a lead that does not exist cannot. */
export const showsItself = ({ expected: { name, source } }: OwnLead, update: Exchange): boolean => {
  const data = dataOf(update);
  return update.outcome === 'success' && data.name === name && data.source === source;
};

/** @throws CheckFailed if an update of a deleted lead still shows its name and source */
export const expectGone = async (session: Session, lead: OwnLead): Promise<void> => {
  // Another lead has this id now, which other checks report.
  if (session.leads.get(lead.id) !== lead) return;
  const after = await updateDeletedLead(session, lead, (update) => showsItself(lead, update));
  if (!showsItself(lead, after)) return;
  session.ledger.note(lead.id);
  fail('the lead to be gone', 'an update still finds it, with its name and source', after);
};
