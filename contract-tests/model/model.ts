import { dataOf, type Exchange, isRefusal, parseJson, sentFields } from '../exchange/exchange.ts';
import { fingerprintForAnyId, idOf, madeUpMark, textsIn } from '../exchange/leads.ts';
import { concernsOneLead } from '../exchange/operations.ts';
import { hasServiceForm, serverOf } from '../exchange/origin.ts';
import { hasGoneStatus } from '../exchange/responses.ts';
import { existence, noteChange } from './lead.ts';
import { createLeads, type Dialect } from './leads.ts';
import type { Window } from './register.ts';
import { contentOf, leadIdOf, normalise, requestKindOf, windowOf } from './requests.ts';
import { createTemplates } from './templates.ts';
import { addDigest, digest, isRunText } from './text.ts';

// An app behind the proxy may run for weeks.
const maxTimes = 10_000;
const maxRemembered = 40;
const maxServers = 100;

/** A request that must not affect any lead: with a wrong key, or for a wrong id. */
export type WrongRequest = Pick<Exchange, 'operation' | 'credentials'> & {
  /** When it ended. */
  readonly at: number;
  readonly leadId: string;
  readonly texts: readonly string[];
};

/** What may be true after the exchanges so far. */
export type Model = ReturnType<typeof createModel>;

export const createModel = (settings: Partial<Dialect> = {}) => {
  const dialect: Dialect = { lagMs: 0, textLagMs: 0, emptiesNote: undefined, ...settings };
  const leads = createLeads(dialect);
  const templates = createTemplates();
  const wrongRequests: WrongRequest[] = [];
  // Digests: the kinds of requests that were accepted, the names of leads, the contents of mails, responses about unknown leads.
  const accepted = new Set<string>();
  const names = new Set<string>();
  const sent = new Set<string>();
  const absences = new Set<string>();
  /** When the first addition with each `created_at` ended; by digests of them. */
  const additions = new Map<string, number>();
  const refusedAdditions: (readonly string[])[] = [];
  const servers = new Set<string | undefined>();
  const malformedStatuses = new Set<number>();
  const refusedBelow500 = new Set<Exchange['operation']>();
  /** Operations that have answered for a lead that does not exist with a status that says so. */
  const namesAbsence = new Set<Exchange['operation']>();
  /** Whether a lead was gone without a request that may be the reason. */
  let hasVanished = false;
  let living = 0;
  /** The largest number of living leads beside which an addition succeeded. */
  let mostBeside = -1;

  const saysAbsent = (exchange: Exchange): boolean =>
    // Another kind of request may be refused for its form, and a text for its characters, with any status.
    exchange.intent !== 'text' &&
    accepted.has(digest(requestKindOf(exchange))) &&
    (hasGoneStatus(exchange) ||
      (!namesAbsence.has(exchange.operation) && absences.has(digest(fingerprintForAnyId(exchange)))));

  const noteRefusal = (exchange: Exchange): void => {
    const { operation, credentials, status, body = '' } = exchange;
    if (body !== '' && parseJson(body) === undefined) malformedStatuses.add(status);
    if (operation === 'addLead') {
      const texts = Object.values(textsIn(sentFields(exchange))).filter(isRunText);
      if (texts.length > 0) refusedAdditions.push(texts);
      if (refusedAdditions.length > maxRemembered) refusedAdditions.shift();
    }
    if (credentials !== 'key') return;
    if (isRefusal(exchange) && hasServiceForm(exchange)) refusedBelow500.add(operation);
    if (!concernsOneLead(operation)) return;
    const lead = leads.byId.get(leadIdOf(exchange));
    const isAbsent = !lead || existence(lead, windowOf(exchange)) === 'no';
    if (isAbsent && hasGoneStatus(exchange)) namesAbsence.add(operation);
    // Apps know leads from before the history, and may be refused for any reason.
    if (!lead && exchange.intent !== 'text') addDigest(absences, fingerprintForAnyId(exchange));
    // Whatever the reason, the lead may be gone now.
    if (!lead || !saysAbsent(exchange) || existence(lead, windowOf(exchange)) !== 'yes') return;
    if (wrongRequests.every(({ at }) => at <= lead.foundAt)) hasVanished = true;
    leads.lose(lead);
  };

  const noteAddition = (exchange: Exchange): void => {
    const { name } = sentFields(exchange);
    if (typeof name === 'string') addDigest(names, normalise(name));
    const time = digest(dataOf(exchange).created_at);
    if (additions.size > maxTimes) additions.clear();
    if (!additions.has(time)) additions.set(time, exchange.receivedAt);
    mostBeside = Math.max(mostBeside, living);
    living += 1;
  };

  const noteSuccess = (exchange: Exchange, id: string): void => {
    const { operation } = exchange;
    addDigest(accepted, requestKindOf(exchange));
    if (operation === 'sendEmail' || operation === 'sendTemplateEmail') addDigest(sent, contentOf(exchange));
    if (operation === 'addLead') noteAddition(exchange);
    if (operation === 'deleteLead') living -= 1;
    if (operation === 'updateLead') leads.noteUpdate(exchange);
    const lead = leads.byId.get(id);
    if (lead && operation !== 'deleteLead') noteChange(lead, exchange);
  };

  return {
    leads: leads.byId,
    templates,
    /** Those that ended after a moment, the last one first. */
    wrongRequestsSince: (moment: number): readonly WrongRequest[] =>
      wrongRequests.filter(({ at }) => at > moment).reverse(),
    dialect,
    firstAdditionOf: leads.firstAdditionOf,
    appliesAlone: leads.appliesAlone,
    hasRevived: leads.hasRevived,
    evicted: leads.evicted,
    /** Forgets what is known of all leads: something may have changed them without a documented request. */
    beginEpoch: leads.beginEpoch,
    /** The texts of the latest additions that were refused; only those that nobody else has. */
    refusedAdditions: refusedAdditions as readonly (readonly string[])[],
    /** The values of `Server` in JSON responses. */
    servers: servers as ReadonlySet<string | undefined>,
    /** Statuses with which bodies that are not JSON were refused. */
    malformedStatuses: malformedStatuses as ReadonlySet<number>,
    /** Operations that refused a request with the key with a status below 500: the document does not show which one (§7.4). */
    refusedBelow500: refusedBelow500 as ReadonlySet<Exchange['operation']>,
    /** Whether a request of this kind was accepted before. */
    accepts: (exchange: Exchange): boolean => accepted.has(digest(requestKindOf(exchange))),
    /** Whether an error response means that a lead does not exist: by its status, or because an unknown lead got the same. */
    saysAbsent,
    /** Whether a mail with this content was accepted before: a deployment may refuse duplicates. */
    wasSent: (mail: Exchange): boolean => sent.has(digest(contentOf(mail))),
    /** Whether a lead with this name was added before. */
    hasName: (name: unknown): boolean => typeof name === 'string' && names.has(digest(normalise(name))),
    /** When the first addition with this `created_at` ended. */
    firstAdditionAt: (time: string): number | undefined => additions.get(digest(time)),
    /** Forgets what is known of a lead, because another request in this window took effect in an unknown order. */
    forget: (id: string, by: Window): void => {
      const lead = leads.byId.get(id);
      if (lead) leads.forget(lead, by);
    },
    /** Number of leads that this history added and that exist for certain at a moment. */
    held: (at: number): number =>
      [...leads.byId.values()].filter(
        (lead) => lead.addition && existence(lead, { from: at, to: at }) === 'yes',
      ).length,
    /** Whether a lead was gone without a request that may be the reason: then no such request is the reason for the next one. */
    hasVanished: (): boolean => hasVanished,
    /** Whether the deployment may have a limit on the number of leads: no addition succeeded while there were as many. */
    mayBeFull: (): boolean => living > mostBeside,
    /** Enters a request that is about to be sent: it may take effect at any time. @returns what to call when it has ended */
    begin: leads.begin,
    /** Enters what a request may have changed. */
    enter: leads.enter,
    /** Enters what a response has shown. */
    note: (exchange: Exchange): void => {
      const { operation, outcome, credentials } = exchange;
      const id = operation === 'addLead' ? idOf(exchange) : leadIdOf(exchange);
      // The suite makes ids from those of leads; a deployment that accepts one has no lead of this id all the same.
      const isKnown = (leads.byId.has(id) && !id.includes(madeUpMark)) || !concernsOneLead(operation);
      if (credentials !== 'key' || !isKnown) {
        const texts = Object.values(textsIn(sentFields(exchange)));
        wrongRequests.push({ operation, credentials, at: exchange.receivedAt, leadId: id, texts });
        if (wrongRequests.length > maxRemembered) wrongRequests.shift();
      }
      templates.note(exchange);
      if (exchange.json !== undefined && servers.size < maxServers) servers.add(serverOf(exchange));
      if (isRefusal(exchange)) noteRefusal(exchange);
      else if (credentials === 'key' && outcome === 'success') noteSuccess(exchange, id);
    },
  };
};
