// Assertions about texts in leads. Each function throws its finding.

import { dataOf, describeRefusal, type Exchange } from '../../client/exchange.ts';
import { isUnknownLead } from '../../session/lead-requests.ts';
import {
  CheckInconclusive,
  CheckSkipped,
  describeDifference,
  fail,
  RefusalAllowed,
} from '../../session/outcome.ts';
import { leadFields, type OwnLead, storedForms } from '../../session/own-lead.ts';
import type { Session } from '../../session/session.ts';
import { type Fields, nameAndSource, overriddenFields } from './lead-assertions.ts';

/** A text with characters that are often altered, and a simpler one that most deployments accept. */
export const mixedTexts = [
  `<i>Zoë</i> "Li" 'O\\H' Зоя 🎨 &amp; & 50% %41 a+b  c`,
  `Zoë "Li" O'H & 50% a+b`,
] as const;

export type AddedLead = {
  readonly exchange: Exchange;
  readonly lead: OwnLead | undefined;
  readonly fields: Fields;
};

/**
 * Expects a success. A deployment may refuse a text; then the check cannot test it.
 * @throws CheckSkipped if the text is refused, CheckInconclusive if the response does not come from the service
 */
export const requireAccepted = (exchange: Exchange): Exchange => {
  const { outcome, status } = exchange;
  if (outcome === 'success') return exchange;
  if (outcome === 'refusal') throw new CheckSkipped(describeUntested(exchange));
  if (outcome === 'gateway') throw new CheckInconclusive(`a gateway responded: ${describeRefusal(exchange)}`);
  throw new CheckSkipped(`the response to such text was neither a success nor an error response: ${status}`);
};

/** Describes texts that could not be tested because the deployment refuses them, in all fields or in some. */
const describeUntested = (exchange: Exchange, fields: readonly string[] = []): string =>
  `not tested${fields.length > 0 ? ` for ${fields.join(' and ')}` : ''}: the deployment refuses such text: ${describeRefusal(exchange)}`;

/**
 * Like `requireAccepted`, for an update, which may also be refused because the lead is not visible yet.
 * @throws CheckInconclusive
 */
export const requireAcceptedUpdate = async (session: Session, exchange: Exchange): Promise<Exchange> => {
  if (await isUnknownLead(session, exchange))
    throw new CheckInconclusive(`the lead that the check needs was not found: ${describeRefusal(exchange)}`);
  return requireAccepted(exchange);
};

/** Whether an update without a note shows the note of the shared lead. Tested once in a run. */
export const showsNotes = async (session: Session): Promise<boolean> => {
  const { sharedLead } = session;
  if (sharedLead.showsNotes === undefined) {
    const lead = await session.useSharedLead();
    const { outcome } = await session.updateLead(lead, session.newNote());
    const shown = outcome === 'success' ? await session.readBack(lead) : undefined;
    sharedLead.showsNotes = shown !== undefined && dataOf(shown).note === lead.expected.note;
  }
  return sharedLead.showsNotes;
};

/** Adds a lead with the texts; only with the note if they are refused as name or source. @throws CheckSkipped */
export const addLeadWith = async (session: Session, texts: Partial<Fields>): Promise<AddedLead> => {
  const first = await addOnce(session, texts);
  const { note } = texts;
  const triesNoteAlone =
    first.exchange.outcome === 'refusal' && note !== undefined && Object.keys(texts).length > 1;
  const sent = triesNoteAlone ? await addOnce(session, { note }) : first;
  requireAccepted(sent.exchange);
  return sent;
};

const addOnce = async (session: Session, texts: Partial<Fields>): Promise<AddedLead> => {
  const { name, source, note } = { ...session.newFields(), ...texts, ...overriddenFields(session) };
  const fields = { name, source, note };
  return { ...(await session.addLead(fields, 'text')), fields };
};

/**
 * Expects a response with the texts as sent, or with a change that the document leaves open. Another check reports a
 * field that is missing or has another type.
 */
export const expectTextsKept = (exchange: Exchange, sent: Partial<Fields>, qualifier = 'as sent'): void => {
  const data = dataOf(exchange);
  for (const [name, value] of Object.entries(sent)) {
    const received = data[name];
    if (typeof received !== 'string' || storedForms(value).includes(received)) continue;
    const [expected, actual] = describeDifference(value, received);
    fail(`data.${name} ${qualifier}: ${expected}`, actual, exchange);
  }
};

/** Sends an update after an addition; its response shows the stored name and source. */
export const updateAfter = async ({ lead }: AddedLead, session: Session): Promise<Exchange | undefined> => {
  if (!lead || !session.can('updateLead')) return undefined;
  const exchange = await session.updateLead(lead, session.newNote(), 'text');
  return exchange.outcome === 'success' ? exchange : undefined;
};

/**
 * Expects the texts in the response and in that of the next update. Tests each text alone if they are refused together.
 * @throws CheckSkipped if all are refused, RefusalAllowed if some are
 */
export const expectTextsStored = async (session: Session, texts: Partial<Fields>): Promise<void> => {
  const together = await addOnce(session, texts);
  const names = leadFields.filter((name) => texts[name] !== undefined);
  if (together.exchange.outcome !== 'refusal' || names.length < 2) return expectStored(session, together);
  const refused: string[] = [];
  for (const name of names) {
    const alone = await addOnce(session, { [name]: texts[name] });
    if (alone.exchange.outcome === 'refusal') refused.push(name);
    else await expectStored(session, alone);
  }
  if (refused.length === names.length) requireAccepted(together.exchange);
  if (refused.length > 0) throw new RefusalAllowed(describeUntested(together.exchange, refused));
};

const expectStored = async (session: Session, sent: AddedLead): Promise<void> => {
  expectTextsKept(requireAccepted(sent.exchange), sent.fields);
  const later = await updateAfter(sent, session);
  if (later && sent.lead) expectTextsKept(later, nameAndSource(sent.lead), 'as added');
};
