import { dataOf, type Exchange, isRefusal, parseJson, sentFields, textOf } from '../exchange/exchange.ts';

import { fingerprintForAnyId, type LeadField, leadFields, textsIn } from '../exchange/leads.ts';
import { concernsOneLead } from '../exchange/operations.ts';
import { hasServiceForm, serverOf } from '../exchange/origin.ts';
import { hasGoneStatus } from '../exchange/responses.ts';
import { createEvents, kindOf } from './events.ts';
import {
  addedLead,
  existence,
  isPossible,
  type LeadState,
  possibleTexts,
  type Text,
  unknownLead,
} from './lead.ts';
import { createLeads } from './leads.ts';
import type { Change, Dialect, Model, RefusedAddition } from './model.ts';
import { write } from './register.ts';
import {
  contentOf,
  isDisturbance,
  isUncertain,
  leadIdOf,
  normalise,
  requestKindOf,
  sentTexts,
  windowOf,
} from './requests.ts';
import { createTemplates } from './templates.ts';
import { addDigest, digest, isRunText, isStored } from './text.ts';

// An app behind the proxy may run for weeks.
const maxChanges = 10_000;
const maxRefused = 40;
const maxServers = 100;

/** Whether a body is there and is not JSON. */
const isMalformed = (body = ''): boolean => body !== '' && parseJson(body) === undefined;

export const createModel = (settings: Partial<Dialect> = {}): Model => {
  const leads = createLeads();
  const templates = createTemplates();
  const events = createEvents();
  const accepted = new Set<string>();
  const dialect: Dialect = { lagMs: 0, textLagMs: 0, emptiesNote: undefined, ...settings };
  const names = new Set<string>();
  const sent = new Set<string>();
  const appliedAlone = new Set<LeadField>();
  const absences = new Set<string>();
  const changes = new Map<string, Change>();
  const refusedAdditions: RefusedAddition[] = [];
  const servers = new Set<string | undefined>();
  const malformedStatuses = new Set<number>();
  let refusesBelow500 = false;
  let living = 0;
  /** The largest number of living leads beside which an addition succeeded. */
  let mostBeside = -1;
  let count = 0;

  const writeText = (
    lead: LeadState,
    name: LeadField,
    exchange: Exchange,
    value: Text,
    isCertain = true,
  ): void =>
    write(lead.texts[name], {
      value,
      ...windowOf(exchange),
      isCertain,
      by: windowOf(exchange),
    });

  const enterAddition = (exchange: Exchange): void => {
    if (exchange.outcome !== 'success') return;
    const data = dataOf(exchange);
    const id = textOf(data.lead_id);
    if (id === '') return;
    const known = leads.byId.get(id);
    if (known && existence(known, windowOf(exchange)) !== 'no') {
      // Merged with another lead, or an id that is used again: nothing is known of that lead any more.
      leads.forget(known);
      return;
    }
    const lead = addedLead(id, exchange, data, count);
    const [sent, shown] = [sentTexts(exchange), textsIn(data)];
    for (const name of leadFields)
      writeText(
        lead,
        name,
        exchange,
        typeof sent[name] === 'string' || shown[name] !== undefined
          ? { sent: typeof sent[name] === 'string' ? sent[name] : undefined, shown: shown[name] }
          : 'anything',
      );
    leads.remember(lead);
  };

  /** A text as the response to its update shows it: a name or a source that it ignores keeps the text from before. */
  const shownText = (
    exchange: Exchange,
    lead: LeadState,
    name: LeadField,
    sent: string | undefined,
    shown: string | undefined,
  ): Text => {
    if (shown === undefined) return sent === undefined ? 'anything' : { sent };
    if (name === 'note' || sent === undefined || isStored(sent, shown)) return { sent, shown };
    const before = possibleTexts(lead, name, windowOf(exchange), { lagMs: dialect.textLagMs });
    return before && isPossible(before, shown) ? { shown } : { sent, shown };
  };

  const enterUpdate = (exchange: Exchange, lead: LeadState): void => {
    const [sent, shown] = [sentTexts(exchange), textsIn(dataOf(exchange))];
    const isSuccess = exchange.outcome === 'success';
    // A request that shows nothing may have changed what it sends.
    if (!isSuccess && !isUncertain(exchange)) return;
    for (const name of leadFields) {
      if (!Object.hasOwn(sent, name)) continue;
      const text = typeof sent[name] === 'string' ? sent[name] : undefined;
      if (!isSuccess)
        writeText(lead, name, exchange, text === undefined ? 'anything' : { sent: text }, false);
      else if (shown[name] !== undefined || name === 'note')
        writeText(lead, name, exchange, shownText(exchange, lead, name, text, shown[name]));
      // A name or a source may be applied or ignored.
      else writeText(lead, name, exchange, text === undefined ? 'anything' : { sent: text }, false);
    }
  };

  const enter = (exchange: Exchange): void => {
    if (exchange.credentials !== 'key') return; // if it is accepted, a check of keys reports that
    if (isDisturbance(exchange)) leads.beginEpoch();
    if (exchange.operation === 'addLead') return enterAddition(exchange);
    if (!concernsOneLead(exchange.operation)) return;
    const id = leadIdOf(exchange);
    const lead = leads.byId.get(id);
    if (!lead) return;
    const { operation, outcome } = exchange;
    const by = windowOf(exchange);
    if (operation === 'updateLead') {
      enterUpdate(exchange, lead);
      leads.measure(lead);
    } else if (outcome === 'success') write(lead.exists, { ...by, value: false, isCertain: true, by });
    else if (isUncertain(exchange)) write(lead.exists, { ...by, value: false, isCertain: false, by });
  };

  const note = (exchange: Exchange): void => {
    count += 1;
    const { operation, outcome, credentials, receivedAt } = exchange;
    const id = operation === 'addLead' ? textOf(dataOf(exchange).lead_id) : leadIdOf(exchange);
    const lead = leads.byId.get(id);
    events.add({
      kind: kindOf(exchange, lead !== undefined || !concernsOneLead(operation)),
      number: count,
      leadId: id,
      exchange,
    });
    templates.note(exchange);
    if (exchange.json !== undefined && servers.size < maxServers) servers.add(serverOf(exchange));
    if (isRefusal(exchange) && isMalformed(exchange.body)) malformedStatuses.add(exchange.status);
    if (operation === 'addLead' && isRefusal(exchange)) {
      const texts = Object.values(textsIn(sentFields(exchange))).filter(isRunText);
      if (texts.length > 0) refusedAdditions.push({ isKey: credentials === 'key', texts });
      if (refusedAdditions.length > maxRefused) refusedAdditions.shift();
    }
    if (credentials !== 'key') return;
    if (operation === 'addLead' && isRefusal(exchange) && hasServiceForm(exchange)) refusesBelow500 = true;
    if (outcome !== 'success') return noteRefusal(exchange, lead);
    addDigest(accepted, requestKindOf(exchange));
    noteChange(exchange, id);
    if (operation === 'sendEmail' || operation === 'sendTemplateEmail') {
      addDigest(sent, contentOf(exchange));
    }
    if (operation === 'addLead') {
      const { name } = sentFields(exchange);
      if (typeof name === 'string') addDigest(names, normalise(name));
      mostBeside = Math.max(mostBeside, living);
      living += 1;
    }
    if (operation === 'deleteLead') living -= 1;
    if (operation !== 'updateLead') return;
    if (lead) {
      noteUpdate(exchange, lead);
      leads.measure(lead);
    } else if (id !== '') leads.remember(unknownLead(id, count, receivedAt));
  };

  const noteChange = (exchange: Exchange, id: string): void => {
    const { operation, receivedAt: at } = exchange;
    const { note: shown, created_at: created, updated_at: updated } = dataOf(exchange);
    const [key, note] = [digest(id), digest(shown)];
    const before = changes.get(key);
    if (changes.size > maxChanges) changes.clear();
    if (operation === 'addLead') {
      const time = digest(created);
      if (typeof created === 'string' && !changes.has(time)) changes.set(time, { time, note, at });
      changes.set(key, { time, note, at });
    }
    // One that changes nothing may keep the time.
    else if (operation === 'updateLead' && (before?.note !== note || before?.time !== digest(updated)))
      changes.set(key, { time: digest(updated), note, at });
  };

  const noteRefusal = (exchange: Exchange, lead: LeadState | undefined): void => {
    if (!concernsOneLead(exchange.operation) || !isRefusal(exchange)) return;
    if (!lead) addDigest(absences, fingerprintForAnyId(exchange));
    // Whatever the reason, the lead may be gone now.
    else if (saysAbsent(exchange) && existence(lead, windowOf(exchange)) === 'yes') leads.forget(lead);
  };

  const noteUpdate = (exchange: Exchange, lead: LeadState): void => {
    const window = windowOf(exchange);
    const options = { except: window, lagMs: dialect.textLagMs };
    if (existence(lead, window, { except: window, lagMs: dialect.lagMs }) === 'no') return leads.forget(lead); // it exists again
    lead.found = { number: count, at: exchange.receivedAt };
    lead.updates += 1;
    const [sent, shown] = [sentTexts(exchange), textsIn(dataOf(exchange))];
    const names = leadFields.filter((name) => name !== 'note' && Object.hasOwn(sent, name));
    const [alone] = names;
    if (alone && Object.keys(sent).length === 1 && shown[alone] === sent[alone]) {
      const before = possibleTexts(lead, alone, window, options);
      if (before && !isPossible(before, String(sent[alone]))) appliedAlone.add(alone);
    }
    for (const name of leadFields) {
      const actual = shown[name];
      if (Object.hasOwn(sent, name) || actual === undefined) continue;
      const texts = possibleTexts(lead, name, window, options);
      const isKept = texts !== undefined && isPossible(texts, actual);
      // A note that was empty before is kept and emptied alike.
      if (name === 'note' && texts !== undefined && isKept !== (actual === ''))
        dialect.emptiesNote ??= !isKept;
      // What a response showed counts from then on.
      if (!isKept) writeText(lead, name, exchange, { shown: actual });
    }
  };

  const saysAbsent = (exchange: Exchange): boolean =>
    // Another kind of request may be refused for its form, and a text for its characters, with any status.
    exchange.intent !== 'text' &&
    accepted.has(digest(requestKindOf(exchange))) &&
    (hasGoneStatus(exchange) || absences.has(digest(fingerprintForAnyId(exchange))));

  return {
    leads: leads.byId,
    templates,
    refusedAdditions,
    servers,
    malformedStatuses,
    refusesBelow500: () => refusesBelow500,
    events,
    dialect,
    count: () => count,
    accepts: (exchange) => accepted.has(digest(requestKindOf(exchange))),
    saysAbsent,
    appliesAlone: (name) => appliedAlone.has(name),
    wasSent: (mail) => sent.has(digest(contentOf(mail))),
    hasName: (name) => typeof name === 'string' && names.has(digest(normalise(name))),
    changeBefore: (key) => changes.get(digest(key)),
    forget: (id, by) => {
      const lead = leads.byId.get(id);
      if (lead) leads.forget(lead, by);
    },
    held: (at) =>
      [...leads.byId.values()].filter((lead) => lead.own && existence(lead, { from: at, to: at }) === 'yes')
        .length,
    mayBeFull: () => living > mostBeside,
    ownerOf: leads.ownerOf,
    enter,
    note,
    evicted: leads.evicted,
  };
};
