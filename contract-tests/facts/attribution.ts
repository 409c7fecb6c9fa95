// Which check an effect belongs to: it depends on the request that came since the lead was last found.

import type { Exchange } from '../exchange/exchange.ts';
import { operationOf } from '../exchange/operations.ts';
import type { Event } from '../model/events.ts';
import type { LeadState } from '../model/lead.ts';
import type { Model } from '../model/model.ts';
import type { Effect } from './failure.ts';

/** Milliseconds without a request about a lead from which on time itself may be what changed it. */
export const pauseMs = 900;

const lastEvent = (lead: LeadState, { events }: Model): Event | undefined =>
  events.after(lead.found.number, lead.id);

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

/** The check of a text that the request since it was last found changed, if there was one. */
const checkAfter = (
  event: Event | undefined,
  exchange: Exchange,
  lead: LeadState,
  isNote: boolean,
): string => {
  if (event === undefined) {
    if (!isNote) return 'leads.update.keeps-other-fields';
    return lead.updates === 0 ? 'leads.add.stores-note' : 'leads.update.lasts';
  }
  if (isLongerId(event, lead)) return 'leads.update.whole-id';
  if (event.kind === 'update')
    return isConcurrent(exchange, event) ? 'leads.update.own-reply' : 'leads.update.that-lead-only';
  if (event.kind === 'deletion') return 'leads.delete.keeps-notes';
  if (event.kind === 'refusal' && event.leadId === lead.id) return 'leads.update.refused-changes-nothing';
  if (event.kind === 'wrong key')
    return effectOfWrongKey[event.exchange.operation] ?? 'leads.update.nothing-else-changes';
  return 'leads.update.nothing-else-changes';
};

/** The checks that an unchanged text shows to hold; the first is the one of a text that is changed. */
export const checksOfText = (
  exchange: Exchange,
  lead: LeadState,
  model: Model,
  isNote: boolean,
): readonly [string, ...string[]] => {
  const event = lastEvent(lead, model);
  const check = checkAfter(event, exchange, lead, isNote);
  return isPause(exchange, lead, event) ? ['leads.update.lasts-a-second', check] : [check];
};

/** The check of a lead that is gone although no request deleted it. */
const checkOfExistence = (lead: LeadState, model: Model): string => {
  const event = lastEvent(lead, model);
  if (event && isLongerId(event, lead)) return 'leads.update.whole-id';
  if (event?.kind === 'deletion') return 'leads.delete.that-lead-only';
  if (event?.kind === 'wrong key')
    return effectOfWrongKey[event.exchange.operation] ?? 'leads.delete.nothing-else';
  return 'leads.delete.nothing-else';
};

export const attributeAbsence = (...about: Parameters<typeof checkOfExistence>): Attribution => ({
  check: checkOfExistence(...about),
  effect: 'lead gone',
});

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
