// Which check an effect belongs to: it depends on the request that came since the lead was last found.

import { type Exchange, sentFields } from '../exchange/exchange.ts';
import type { LeadField } from '../exchange/leads.ts';
import { operationOf } from '../exchange/operations.ts';
import type { Event } from '../model/events.ts';
import type { LeadState } from '../model/lead.ts';
import type { Model } from '../model/model.ts';
import type { Effect } from './failure.ts';

/** Milliseconds without a request about a lead from which on time itself may be what changed it. */
export const pauseMs = 900;

/** What happened since a lead was last found; the last event first. */
const eventsSince = (lead: LeadState, { events }: Model): readonly Event[] =>
  events.since(lead.found.number, lead.id);

/** A pause begins with the last request of the same scenario: on a slow machine each of several requests takes its time. */
const isPause = (exchange: Exchange, lead: LeadState, event: Event | undefined): boolean => {
  const isOwn = event?.exchange.check === exchange.check;
  const beginning = isOwn && event ? event.exchange.receivedAt : lead.found.at;
  return exchange.sentAt - beginning > pauseMs;
};

/** Whether another request was pending at the same time. */
const isConcurrent = ({ sentAt }: Exchange, event: Event | undefined): boolean =>
  event !== undefined && event.exchange.receivedAt > sentAt;

const effectOfWrongKey: Partial<Record<Exchange['operation'], string>> = {
  addLead: 'leads.add.auth.changes-nothing',
  updateLead: 'leads.update.auth.changes-nothing',
  deleteLead: 'leads.delete.auth.changes-nothing',
};

/** Whether a request named a longer id that starts with the one of the lead: some frameworks read only a number at its start. */
const isLongerId = ({ leadId }: Event, { id }: LeadState): boolean => leadId.startsWith(id) && leadId !== id;

/** An effect, and the check that it belongs to if it shows in a response. */
export type Attribution = { readonly check: string; readonly effect: Effect };

/** What a read decides: the check that is broken where something has changed, the checks that hold where nothing has. */
type Decided = { readonly broken: string; readonly holding: readonly string[] };

/** @param special checks of what happened before the read, the first to blame first @param general the check without that */
const decided = (special: readonly string[], general: string): Decided => ({
  broken: special[0] ?? general,
  holding: [...new Set([...special, general])],
});

/** The check of a text that an event changed. */
const checkOfTextAfter = (event: Event, exchange: Exchange, lead: LeadState): string => {
  if (isLongerId(event, lead)) return 'leads.update.whole-id';
  if (event.kind === 'updateLead')
    return isConcurrent(exchange, event) ? 'leads.update.own-reply' : 'leads.update.that-lead-only';
  if (event.kind === 'deleteLead') return 'leads.delete.keeps-notes';
  if (event.kind === 'refusal' && event.leadId === lead.id) return 'leads.update.refused-changes-nothing';
  if (event.kind === 'wrong key')
    return effectOfWrongKey[event.exchange.operation] ?? 'leads.update.nothing-else-changes';
  return 'leads.update.nothing-else-changes';
};

/**
 * The checks of a text that no request has changed since the lead was last found: what happened since, and time, left it alone.
 * A request that sent the text is the first to blame.
 */
export const checksOfText = (
  exchange: Exchange,
  lead: LeadState,
  model: Model,
  [name, shown]: readonly [LeadField, string],
): Decided => {
  const sentIt = (event: Event): number => Number(sentFields(event.exchange)[name] === shown);
  const events = eventsSince(lead, model);
  const sendersFirst = events.toSorted((left, right) => sentIt(right) - sentIt(left));
  const lasting = lead.updates === 0 ? 'leads.add.stores-note' : 'leads.update.lasts';
  return decided(
    [
      ...(isPause(exchange, lead, events[0]) ? ['leads.update.lasts-a-second'] : []),
      ...sendersFirst.map((event) => checkOfTextAfter(event, exchange, lead)),
    ],
    name === 'note' ? lasting : 'leads.update.keeps-other-fields',
  );
};

/** The check of a lead that is gone after an event that did not delete it. */
const checkOfAbsenceAfter = (event: Event, lead: LeadState): string => {
  if (isLongerId(event, lead)) return 'leads.update.whole-id';
  if (event.kind === 'deleteLead') return 'leads.delete.that-lead-only';
  if (event.kind === 'wrong key')
    return effectOfWrongKey[event.exchange.operation] ?? 'leads.delete.nothing-else';
  return 'leads.delete.nothing-else';
};

/** The checks of a lead that no request has deleted. */
export const checksOfExistence = (lead: LeadState, model: Model): Decided =>
  decided(
    eventsSince(lead, model).map((event) => checkOfAbsenceAfter(event, lead)),
    'leads.delete.nothing-else',
  );

const afterInvalid: ReadonlySet<Exchange['operation']> = new Set(['addLead', 'updateLead']);
const thenKey: ReadonlySet<Exchange['operation']> = new Set(['listTemplates', 'updateLead']);

/** The check of a request that was refused although such requests are accepted. */
const checkOfRefusal = ({ operation }: Exchange, { events }: Model): string => {
  const { area } = operationOf(operation);
  const kind = events.latest();
  if ((kind === 'refusal' || kind === 'unknown lead') && afterInvalid.has(operation))
    return `${area}.after-invalid`;
  if (kind === 'wrong key' && thenKey.has(operation)) return `${area}.auth.then-key`;
  return `${area}.every-time`;
};

export const attributeRefusal = (...about: Parameters<typeof checkOfRefusal>): Attribution => ({
  check: checkOfRefusal(...about),
  effect: 'refused',
});
