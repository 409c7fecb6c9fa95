import { type Call, dataOf, type Exchange } from '../exchange/exchange.ts';
import { idOf, type LeadField, leadFields, textsIn } from '../exchange/leads.ts';
import {
  addedLead,
  charactersOf,
  existence,
  forgetLead,
  isForgotten,
  isPossible,
  type LeadState,
  possibleTexts,
  type Text,
  unknownLead,
} from './lead.ts';
import { type Window, withdraw, write } from './register.ts';
import { isDisturbance, isUncertain, leadIdOf, sentTexts, windowOf } from './requests.ts';
import { isStored } from './text.ts';

/** What a deployment does where the document leaves it open, as the history has shown it. */
export type Dialect = {
  /** Milliseconds for which a new lead may be unknown, and a deleted one known. */
  lagMs: number;
  /** Milliseconds for which a response may show texts from before an update. */
  textLagMs: number;
  /** Whether an update without a note empties the note; `undefined` until one was seen. */
  emptiesNote: boolean | undefined;
};

// An app behind the proxy may run for weeks, and a deployment may send long texts.
const maxLeads = 10_000;
const maxCharacters = 32 * 2 ** 20;

/** What a request may have stored: what it sent, or what nobody knows. */
const textOfSent = (sent: unknown): Text | 'anything' => (typeof sent === 'string' ? { sent } : 'anything');

/** The leads of a history; limited in number and in characters. */
export const createLeads = (dialect: Dialect) => {
  const byId = new Map<string, LeadState>();
  /** The window of the first addition with each id: one that is assigned again is a finding. */
  const firstAdditions = new Map<string, Window>();
  const appliedAlone = new Set<LeadField>();
  let characters = 0;
  let evicted = 0;
  let hasRevived = false;

  const setSize = (lead: LeadState, size: number): void => {
    characters += size - lead.size;
    lead.size = size;
  };

  /** Must be called when a lead has changed. The oldest leads give way to its texts. */
  const measure = (lead: LeadState): void => {
    setSize(lead, charactersOf(lead));
    for (const oldest of byId.values()) {
      if (byId.size <= maxLeads && characters <= maxCharacters) return;
      if (oldest === lead) continue;
      setSize(oldest, 0);
      byId.delete(oldest.id);
      firstAdditions.delete(oldest.id);
      evicted += 1;
    }
  };

  /** Forgets everything about a lead but its id. */
  const forget = (lead: LeadState, by?: Window): void => {
    forgetLead(lead, by);
    measure(lead);
  };

  const remember = (lead: LeadState): void => {
    const before = byId.get(lead.id);
    if (before) setSize(before, 0);
    byId.set(lead.id, lead);
    if (lead.addition && !firstAdditions.has(lead.id)) firstAdditions.set(lead.id, lead.addition);
    measure(lead);
  };

  /** After a restart a deployment may have none of its leads, and assign their ids again. */
  const beginEpoch = (): void => {
    for (const lead of byId.values()) forget(lead);
    firstAdditions.clear();
  };

  const enterAddition = (exchange: Exchange): void => {
    const data = dataOf(exchange);
    const id = idOf(exchange);
    if (exchange.outcome !== 'success' || id === '') return;
    const known = byId.get(id);
    // Merged with another lead, or an id that is used again: nothing is known of that lead any more.
    if (known && existence(known, windowOf(exchange)) !== 'no') {
      if (!isForgotten(known)) known.sharedWith = windowOf(exchange);
      return forget(known);
    }
    const lead = addedLead(id, exchange);
    const [sent, shown] = [sentTexts(exchange), textsIn(data)];
    for (const name of leadFields) {
      const [text, actual] = [textOfSent(sent[name]), shown[name]];
      const known = text === 'anything' ? {} : text;
      write(lead.texts[name], actual === undefined ? text : { ...known, shown: actual }, windowOf(exchange));
    }
    remember(lead);
  };

  /** Whether a response may show the text from before the request, perhaps a late one. */
  const showsEarlier = (exchange: Exchange, lead: LeadState, name: LeadField, shown: string): boolean => {
    const before = possibleTexts(lead, name, windowOf(exchange), dialect.textLagMs);
    return before !== undefined && isPossible(before, shown);
  };

  /** A text as the response to its update shows it: a name or a source that it ignores keeps the text from before. */
  const shownText = (exchange: Exchange, lead: LeadState, name: LeadField, shown: string): Text => {
    const sent = sentTexts(exchange)[name];
    if (typeof sent !== 'string') return { shown };
    if (name === 'note' || isStored(sent, shown)) return { sent, shown };
    return showsEarlier(exchange, lead, name, shown) ? { shown } : { sent, shown };
  };

  /** Enters the texts of a successful update. */
  const enterUpdate = (exchange: Exchange, lead: LeadState): void => {
    const [sent, shown] = [sentTexts(exchange), textsIn(dataOf(exchange))];
    for (const name of leadFields) {
      if (!Object.hasOwn(sent, name)) continue;
      const text = shown[name];
      // A name or a source may be applied or ignored.
      if (text === undefined)
        write(lead.texts[name], textOfSent(sent[name]), windowOf(exchange), name === 'note');
      // What is no text is ignored as a rule.
      else if (typeof sent[name] === 'string' || !showsEarlier(exchange, lead, name, text))
        write(lead.texts[name], shownText(exchange, lead, name, text), windowOf(exchange));
    }
    measure(lead);
  };

  /** Enters what a request for a lead may change, as far as no response tells. */
  const enterUncertain = (call: Call, lead: LeadState, window: Window): void => {
    if (call.operation === 'deleteLead') return write(lead.exists, false, window, false);
    const sent = sentTexts(call);
    for (const name of leadFields)
      if (Object.hasOwn(sent, name)) write(lead.texts[name], textOfSent(sent[name]), window, false);
    measure(lead);
  };

  /** The lead that a request with the key may change; if a wrong key is accepted, a check of keys reports that. */
  const leadOf = (call: Call): LeadState | undefined =>
    call.credentials === 'key' ? byId.get(leadIdOf(call)) : undefined;

  /** Enters a request that is about to be sent: it may take effect at any time. @returns what to call when it has ended */
  const begin = (call: Call, at: number): (() => void) => {
    const lead = leadOf(call);
    if (!lead) return () => undefined;
    const window = { from: at, to: Number.POSITIVE_INFINITY };
    enterUncertain(call, lead, window);
    return () => {
      for (const register of [lead.exists, ...Object.values(lead.texts)]) withdraw(register, window);
    };
  };

  /** Enters what a request may have changed. */
  const enter = (exchange: Exchange): void => {
    const { operation, outcome, credentials } = exchange;
    if (isDisturbance(exchange)) beginEpoch();
    if (operation === 'addLead' && credentials === 'key') return enterAddition(exchange);
    const lead = leadOf(exchange);
    if (!lead) return;
    if (isUncertain(exchange)) enterUncertain(exchange, lead, windowOf(exchange));
    else if (outcome !== 'success') return;
    else if (operation === 'updateLead') enterUpdate(exchange, lead);
    else write(lead.exists, false, windowOf(exchange));
  };

  /** Enters what the response to an update has shown. */
  const noteUpdate = (exchange: Exchange): void => {
    const id = leadIdOf(exchange);
    const lead = byId.get(id);
    const window = windowOf(exchange);
    if (!lead) return id === '' ? undefined : remember(unknownLead(id, window.to));
    if (existence(lead, window, dialect.lagMs) === 'no') {
      hasRevived = true;
      return forget(lead);
    }
    lead.foundAt = window.to;
    lead.updates += 1;
    const [sent, shown] = [sentTexts(exchange), textsIn(dataOf(exchange))];
    const [alone, ...others] = Object.keys(sent);
    if ((alone === 'name' || alone === 'source') && others.length === 0 && shown[alone] === sent[alone]) {
      const before = possibleTexts(lead, alone, window, dialect.textLagMs);
      if (before && !isPossible(before, String(sent[alone]))) appliedAlone.add(alone);
    }
    for (const name of leadFields) {
      const actual = shown[name];
      if (Object.hasOwn(sent, name) || actual === undefined) continue;
      const texts = possibleTexts(lead, name, window, dialect.textLagMs);
      const isKept = texts !== undefined && isPossible(texts, actual);
      // A note that was empty before is kept and emptied alike.
      if (name === 'note' && texts !== undefined && isKept !== (actual === ''))
        dialect.emptiesNote ??= !isKept;
      // What a response showed counts from then on.
      if (!isKept) write(lead.texts[name], { shown: actual }, window);
    }
    measure(lead);
  };

  return {
    byId: byId as ReadonlyMap<string, LeadState>,
    begin,
    enter,
    noteUpdate,
    forget,
    /** Forgets a lead that has gone by itself: after a restart that nothing else shows, ids may be assigned again. */
    lose: (lead: LeadState): void => {
      forget(lead);
      firstAdditions.clear();
    },
    beginEpoch,
    /** The window of the first addition in this history that got an id. */
    firstAdditionOf: (id: string): Window | undefined => firstAdditions.get(id),
    /** Whether an update that sends only this field was applied. */
    appliesAlone: (name: LeadField): boolean => appliedAlone.has(name),
    /** Whether an update has found a lead that was deleted. */
    hasRevived: (): boolean => hasRevived,
    /** Number of leads that were forgotten because of the limit. */
    evicted: (): number => evicted,
  };
};
