// What several checks of leads look at. Each throws what it finds.
import { CheckInconclusive, CheckSkipped, fail, show, showOwn } from './check.ts';
import { likeness } from './controls.ts';
import { dataOf, type Exchange, type JsonObject, wordsOf } from './exchange.ts';
import type { OwnLead, Session } from './session.ts';

export type Fields = OwnLead['expected'];

/** An answer that is no refusal. @throws CheckInconclusive for a refusal: its reason is the deployment's own */
export const succeeded = (exchange: Exchange): Exchange => {
  if (exchange.outcome === 'refusal' || exchange.outcome === 'gateway') {
    throw new CheckInconclusive(`the deployment refused: ${wordsOf(exchange)}`);
  }
  return exchange;
};

/** The reply carries the fields as sent. A field of another type or none is another check's finding. */
export const expectFields = (exchange: Exchange, sent: Partial<Fields>, what = 'as sent'): void => {
  const data = dataOf(exchange);
  for (const [name, value] of Object.entries(sent)) {
    if (typeof data[name] !== 'string' || data[name] === value) continue;
    const shown = exchange.intent === 'text' ? show(data[name]) : showOwn(data[name], value);
    fail(`data.${name} ${what}: ${show(value)}`, shown, exchange);
  }
};

/** The name and source of a lead, which no update of this run changes. */
export const unchanging = ({ expected: { name, source } }: OwnLead): Partial<Fields> => ({ name, source });

/** The fields in which this deployment wants something else than we would send. */
export const overridden = ({ demands }: Session): Partial<Fields> => demands.leadExtra as Partial<Fields>;

/**
 * What a lead may carry beside its documented fields: the `email` of some examples and a field nobody knows, then each alone
 * for deployments that refuse the other. The address is another one each time, as a deployment may merge leads of one.
 */
export const besides = ({ unique }: Session): readonly JsonObject[] => {
  const email = `${unique('').trim().replaceAll(' ', '-').toLowerCase()}@example.com`;
  const unknown = { contract_test: 'x' };
  return [{ email, ...unknown }, { email }, unknown];
};

export const severalLeads = async (session: Session, count: number): Promise<OwnLead[]> => {
  const leads: OwnLead[] = [];
  for (let index = 0; index < count; index += 1) leads.push(await session.ownLead());
  return leads;
};

/**
 * Leads that share the note, the name or the source with the first: effects that go by the wrong field reach them. Where
 * a deployment refuses or merges such a lead, an unlike one stands in.
 */
export const relatives = async (session: Session): Promise<[OwnLead, ...OwnLead[]]> => {
  const first = await session.ownLead();
  const others: OwnLead[] = [];
  const { name, source, note } = first.expected;
  for (const shared of [{ note }, { name }, { source }]) {
    const { lead } = await session.addLead({ ...session.newFields(), ...shared }, 'text');
    const own = lead && lead.id !== first.id && !others.some(({ id }) => id === lead.id);
    others.push(own ? lead : await session.ownLead());
  }
  return [first, ...others];
};

/** Updates are how the suite sees a lead (§4.8: reading one is not shown). @throws CheckSkipped where they do not work */
export const needsUpdates = ({ abilities }: Session): void => {
  const ability = abilities.get('updateLead');
  if (ability?.usable !== true) {
    throw new CheckSkipped(
      `a lead can only be looked at by updating it, and that cannot be used: ${ability?.reason ?? 'not asked'}`,
    );
  }
};

/** Whether an update was refused as the update of a lead that cannot exist is: the lead is gone. */
export const saysUnknown = async (session: Session, refusal: Exchange): Promise<boolean> => {
  if (refusal.outcome !== 'refusal') return false;
  const leadId = `contract-test-${session.runId}-unknown`;
  const note = session.newNote();
  const body = session.demands.updateInFull ? { ...session.newFields(), note } : { note };
  const control = await session.send('updateLead', { leadId, body, intent: 'probe' });
  return control.outcome === 'refusal' && likeness(control) === likeness(refusal);
};

/** How long a lead may take to be known or to be gone: the document says nothing of it, and somewhere it is too long. */
export const mostPatience = 5000;

/**
 * What an update of a lead is answered that must be there. Nobody has seen a new lead yet: where it is unknown, it is asked
 * for longer, because some deployments take their time.
 */
const updateOf = async (session: Session, lead: OwnLead): Promise<{ exchange: Exchange; gone: boolean }> => {
  const ask = (): Promise<Exchange> => session.updateLead(lead, session.newNote());
  const { seen } = lead;
  const first = await ask();
  if (!(await saysUnknown(session, first))) return { exchange: first, gone: false };
  if (seen) return { exchange: first, gone: true };
  const known = ({ outcome }: Exchange): boolean => outcome !== 'refusal';
  const exchange = await session.patiently(ask, known, 'a new lead was known', mostPatience);
  return { exchange, gone: !known(exchange) };
};

/** The lead is there and carries its own name and source. */
export const expectThere = async (session: Session, lead: OwnLead, after: string): Promise<void> => {
  const { exchange, gone } = await updateOf(session, lead);
  if (gone) fail(`the lead to be there after ${after}`, `gone: ${wordsOf(exchange)}`, exchange);
  expectFields(succeeded(exchange), unchanging(lead), `still, after ${after}`);
};

/** The note of a lead as the deployment shows it without changing it. */
export const shownNote = async (
  session: Session,
  lead: OwnLead,
): Promise<{ exchange: Exchange; note: unknown }> => {
  const exchange = await session.readBack(lead);
  if (!exchange) throw new CheckSkipped('this deployment shows no lead without changing its note');
  return { exchange, note: dataOf(exchange).note };
};

/** What is done to one lead leaves the notes of the others, where they can be seen at all. */
export const expectNotesKept = async (
  session: Session,
  others: readonly OwnLead[],
  action: () => Promise<void>,
): Promise<void> => {
  // An update without a note may clear it: only what such an update showed before counts as shown.
  const before = new Map<OwnLead, unknown>();
  for (const lead of others) before.set(lead, (await shownNote(session, lead)).note);
  await action();
  for (const lead of others) {
    const { exchange, note } = await shownNote(session, lead);
    if (note !== before.get(lead))
      fail(
        'the note of every other lead unchanged',
        `${showOwn(note)} in place of ${showOwn(before.get(lead))}`,
        exchange,
      );
  }
};

/** Whether a lead that was deleted answers an update as itself; asked patiently, because deletion may take a moment. */
export const afterDelete = (
  session: Session,
  lead: OwnLead,
  isThere: (after: Exchange) => boolean = ({ outcome }) => outcome === 'success',
): Promise<Exchange> =>
  session.patiently(
    () =>
      session.send('updateLead', {
        leadId: lead.id,
        body: session.demands.updateInFull ? { ...lead.expected } : { note: session.newNote() },
        intent: 'probe',
      }),
    (after) => !isThere(after),
    'a deleted lead was gone',
    mostPatience,
  );

/** @throws CheckFailed where a deleted lead still answers with its own name and source */
export const expectGone = async (session: Session, lead: OwnLead): Promise<void> => {
  const isItself = (reply: Exchange): boolean => {
    const { name, source } = dataOf(reply);
    return reply.outcome === 'success' && name === lead.expected.name && source === lead.expected.source;
  };
  const after = await afterDelete(session, lead, isItself);
  if (!isItself(after)) return;
  session.ledger.note(lead.id);
  fail('the lead to be gone', 'an update still finds it, with its name and source', after);
};
