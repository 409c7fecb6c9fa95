// Sends texts in leads and looks at what comes back. Each function throws what it finds.
import { CheckInconclusive, CheckSkipped, fail } from './check.ts';
import { dataOf, type Exchange, wordsOf } from './exchange.ts';
import { type Fields, overridden, saysUnknown, unchanging } from './lead-facts.ts';
import type { OwnLead, Session } from './session.ts';
import { showApart } from './show-apart.ts';

export type Sent = {
  readonly exchange: Exchange;
  readonly lead: OwnLead | undefined;
  readonly fields: Fields;
};

/** An answer that is a success. To refuse a text is a deployment's choice. @throws CheckSkipped */
export const taken = (exchange: Exchange): Exchange => {
  if (exchange.outcome === 'success') return exchange;
  throw new CheckSkipped(
    exchange.outcome === 'refusal'
      ? `the deployment refuses such text: ${wordsOf(exchange)}`
      : `such text got an answer that is no success: ${exchange.status}`,
  );
};

/** The same of an update, which may also be refused because the lead is too new to be known. @throws CheckInconclusive */
export const takenInUpdate = async (session: Session, exchange: Exchange): Promise<Exchange> => {
  if (await saysUnknown(session, exchange))
    throw new CheckInconclusive(`the lead it needs was not known: ${wordsOf(exchange)}`);
  return taken(exchange);
};

/** Adds a lead with the texts, or with the note alone where a name or a source may not be so. @throws CheckSkipped */
export const addWith = async (session: Session, texts: Partial<Fields>): Promise<Sent> => {
  const first = await addOnce(session, texts);
  const { note } = texts;
  const again = first.exchange.outcome === 'refusal' && note !== undefined && Object.keys(texts).length > 1;
  const sent = again ? await addOnce(session, { note }) : first;
  taken(sent.exchange);
  return sent;
};

const addOnce = async (session: Session, texts: Partial<Fields>): Promise<Sent> => {
  const { name, source, note } = { ...session.newFields(), ...texts, ...overridden(session) };
  const fields = { name, source, note };
  return { ...(await session.addLead(fields, 'text')), fields };
};

/** The reply carries the texts as sent. A field of another type or none is another check's finding. */
export const expectKept = (exchange: Exchange, sent: Partial<Fields>, what = 'as sent'): void => {
  const data = dataOf(exchange);
  for (const [name, value] of Object.entries(sent)) {
    const came = data[name];
    if (typeof came !== 'string' || came === value) continue;
    const [expected, actual] = showApart(value, came);
    fail(`data.${name} ${what}: ${expected}`, actual, exchange);
  }
};

/** The update after an addition, which shows what was kept of the name and the source. */
export const updateAfter = async ({ lead }: Sent, session: Session): Promise<Exchange | undefined> => {
  if (!lead || session.abilities.get('updateLead')?.usable !== true) return undefined;
  const exchange = await session.updateLead(lead, session.newNote(), 'text');
  return exchange.outcome === 'success' ? exchange : undefined;
};

/** What was sent came back, and the next update still shows it. */
export const expectStored = async (session: Session, texts: Partial<Fields>): Promise<void> => {
  const sent = await addWith(session, texts);
  expectKept(sent.exchange, sent.fields);
  const later = await updateAfter(sent, session);
  if (later && sent.lead) expectKept(later, unchanging(sent.lead), 'as added');
};

const pages = new WeakMap<Session['leads'], OwnLead>();

/** One lead whose note is written again and again: a text needs no lead of its own. */
export const page = async (session: Session): Promise<OwnLead> => {
  const known = pages.get(session.leads);
  if (known && !known.deleted) return known;
  const lead = await session.ownLead();
  pages.set(session.leads, lead);
  return lead;
};
