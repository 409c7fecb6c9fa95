import { describeValue, show } from '../../exchange/describe.ts';
import { dataOf, describeRefusal, type Exchange, isRefusal, sentFields } from '../../exchange/exchange.ts';
import { type LeadField, leadFields, madeUpMark, textsIn } from '../../exchange/leads.ts';
import { operationOf } from '../../exchange/operations.ts';
import { isServerError } from '../../exchange/origin.ts';
import { existence, isPossible, type LeadState, possibleTexts } from '../../model/lead.ts';
import type { Model, WrongRequest } from '../../model/model.ts';
import type { Write } from '../../model/register.ts';
import { leadIdOf, sentTexts, windowOf } from '../../model/requests.ts';
import { isStored } from '../../model/text.ts';
import { refusesUnknown } from '../acceptance.ts';
import { broken, type Fact, holds, type Result, refused } from '../fact.ts';
import { damageOf, echoOf, isOrdinary } from './texts.ts';

/** A fact about a request for a lead. */
type LeadFact = (exchange: Exchange, lead: LeadState, model: Model) => readonly Result[];

/** Whether the exchange that caused a write was pending at the same time as this one. */
const wasPending = ({ by }: Write<unknown>, { sentAt, receivedAt }: Exchange): boolean =>
  by !== undefined && by.from < receivedAt && by.to > sentAt;

/** Whether a response shows the note of another update at the same time: it may have been read after both were stored. */
const isNoteBeside = (shown: string, exchange: Exchange, { texts }: LeadState): boolean =>
  texts.note.some(
    (entry) =>
      wasPending(entry, exchange) &&
      entry.by !== windowOf(exchange) &&
      (entry.value === 'anything' || isPossible([entry.value], shown)),
  );

/**
 * The check of a request that must not affect a lead: with a wrong key, or for a longer id that starts with its own, of which some
 * frameworks read only a number at the start.
 */
const checkOfWrongRequest = (
  { operation, credentials, leadId }: WrongRequest,
  lead: LeadState,
): readonly string[] => {
  if (credentials === 'key') return leadId.startsWith(lead.id) ? ['leads.update.whole-id'] : [];
  const { area, needs } = operationOf(operation);
  return needs === 'writes' ? [`${area}.auth.changes-nothing`] : [];
};

/**
 * What a read of a lead decides: the check that is broken where something has changed, and those that hold where nothing has.
 * @param isToBlame whether such a request would have had this effect
 * @param general the check if none of them had it
 */
const decidedByRead = (
  lead: LeadState,
  { wrongRequestsSince }: Model,
  isToBlame: (request: WrongRequest) => boolean,
  general: string,
): { readonly broken: string; readonly holding: readonly string[] } => {
  const wrongRequests = wrongRequestsSince(lead.foundAt);
  const checksOf = (some: readonly WrongRequest[]): readonly string[] =>
    some.flatMap((request) => checkOfWrongRequest(request, lead));
  const [broken = general] = checksOf(wrongRequests.filter(isToBlame));
  return { broken, holding: [...new Set([...checksOf(wrongRequests), general])] };
};

/** The check of a text that no request has changed. */
const checkOfText = (name: LeadField, { updates }: LeadState): string => {
  if (name !== 'note') return 'leads.update.keeps-other-fields';
  return updates === 0 ? 'leads.add.stores-note' : 'leads.update.lasts';
};

/** §4.6: the response to an update has the note that was sent, and the id of the request. */
const updateEchoes: LeadFact = (exchange, lead) => {
  if (exchange.outcome !== 'success') return [];
  const data = dataOf(exchange);
  const [{ note: sent }, { note: shown }] = [sentTexts(exchange), textsIn(data)];
  const echo =
    typeof sent === 'string' && shown !== undefined && !isNoteBeside(shown, exchange, lead)
      ? echoOf(exchange, 'note', sent, shown)
      : [];
  if (typeof data.lead_id !== 'string') return echo;
  const check = 'leads.update.same-id';
  if (data.lead_id === lead.id) return [...echo, holds(check)];
  const expected = `data.lead_id ${show(lead.id)}`;
  return [...echo, broken(check, exchange, expected, show(data.lead_id), '/data/lead_id')];
};

/** The check of a name or a source that is neither applied nor ignored. */
const checkOfApplied = (sent: string, shown: string): string => {
  const kind = damageOf(sent, shown);
  return kind === 'echoes' ? 'leads.update.field-by-field' : `leads.update.${kind}`;
};

/** §4.6: fields that a request does not send keep their value; a name or a source that it sends is applied or ignored. */
const updateKeeps: LeadFact = (exchange, lead, model) => {
  if (exchange.outcome !== 'success') return [];
  const [sent, shown] = [sentTexts(exchange), textsIn(dataOf(exchange))];
  const window = windowOf(exchange);
  return leadFields.flatMap((name): readonly Result[] => {
    const [text, actual] = [sent[name], shown[name]];
    if (actual === undefined || (name === 'note' && Object.hasOwn(sent, 'note'))) return [];
    const texts = possibleTexts(lead, name, window, model.dialect.textLagMs);
    if (texts === undefined) return [];
    const isSent = Object.hasOwn(sent, name);
    if (isSent && typeof text !== 'string') return [];
    const others = texts.filter(({ sent: before, shown = before }) => shown !== text);
    const wasIgnored = isSent && isPossible(others, actual) && !isStored(String(text), actual);
    if (wasIgnored && isOrdinary(String(text)) && model.appliesAlone(name))
      return [
        broken(
          'leads.update.fields-together',
          exchange,
          `data.${name} ${show(text)}, because an update of it alone is applied`,
          `still ${describeValue(actual, String(text))}`,
          `/data/${name}`,
        ),
      ];
    if (isSent && model.appliesAlone(name) && Object.keys(sent).length > 1 && isStored(String(text), actual))
      return [holds('leads.update.fields-together'), holds('leads.update.field-by-field')];
    const kept = decidedByRead(lead, model, ({ texts }) => texts.includes(actual), checkOfText(name, lead));
    if (isPossible(isSent ? others : texts, actual) || (isSent && isStored(String(text), actual)))
      return (isSent ? ['leads.update.field-by-field'] : kept.holding).map(holds);
    // Whether an update without a note empties it is open.
    if (name === 'note' && actual === '' && model.dialect.emptiesNote !== false) return [];
    const before = [...new Set(texts.map((text) => show(text.shown ?? text.sent)))].join(' or ');
    return [
      broken(
        isSent ? checkOfApplied(String(text), actual) : kept.broken,
        exchange,
        isSent ? `data.${name} ${show(text)}, or still ${before}` : `data.${name} unchanged: ${before}`,
        describeValue(actual, texts[0]?.shown ?? texts[0]?.sent),
        `/data/${name}`,
      ),
    ];
  });
};

/** §4.6, §4.7: a request for an existing lead finds it. */
const findsLead: LeadFact = (exchange, lead, model) => {
  const deletes = ({ operation, leadId }: WrongRequest): boolean =>
    operation === 'deleteLead' && leadId.startsWith(lead.id) && !model.hasVanished();
  const existing = decidedByRead(lead, model, deletes, 'leads.delete.nothing-else');
  const acceptance = checkOfAcceptance(exchange, lead, model);
  if (exchange.outcome === 'success') return [...existing.holding, acceptance].map(holds);
  if (isServerError(exchange) && exchange.intent === 'complete' && model.accepts(exchange))
    return [refused(acceptance, exchange, 'success', `status ${exchange.status}`)];
  if (!isRefusal(exchange)) return [];
  if (model.saysAbsent(exchange)) {
    const found = `gone: ${describeRefusal(exchange)}`;
    return [broken(existing.broken, exchange, 'the lead to exist', found, '/success')];
  }
  if (exchange.intent !== 'complete' || !model.accepts(exchange) || isContested(exchange, lead)) return [];
  return [
    refused(
      acceptance,
      exchange,
      `${exchange.operation === 'updateLead' ? 'an update' : 'a deletion'} like one that was accepted before to succeed`,
      `refused: ${describeRefusal(exchange)}`,
    ),
  ];
};

/** Whether another change of the lead was pending: a deployment may refuse one of two changes at the same time. */
const isContested = (exchange: Exchange, { exists, texts }: LeadState): boolean =>
  [exists, texts.note].some((register: readonly Write<unknown>[]) =>
    register.some((entry) => wasPending(entry, exchange)),
  );

/** The check of a request for an existing lead that is accepted, or refused. */
const checkOfAcceptance = (exchange: Exchange, lead: LeadState, model: Model): string => {
  const sent = sentFields(exchange);
  const isCurrent = (name: LeadField): boolean =>
    possibleTexts(lead, name, windowOf(exchange), model.dialect.textLagMs)?.every(
      (text) => (text.shown ?? text.sent) === sent[name],
    ) ?? false;
  // An update without a note only shows the lead: those before it changed nothing either.
  const repeats =
    Object.hasOwn(sent, 'note') && leadFields.every((name) => !Object.hasOwn(sent, name) || isCurrent(name));
  return exchange.operation === 'updateLead' && repeats
    ? 'leads.update.repeatable'
    : `${operationOf(exchange.operation).area}.every-time`;
};

/** §4.7: a deleted lead is gone. */
const deletedIsGone: LeadFact = (exchange, lead) => {
  if (isRefusal(exchange)) return ['leads.delete.removes', 'leads.update.refuses-unknown'].map(holds);
  if (exchange.outcome !== 'success') return [];
  const [sent, shown] = [sentTexts(exchange), textsIn(dataOf(exchange))];
  // An update may create a lead with what it sends, and with empty texts.
  const own = leadFields.filter((name) => !Object.hasOwn(sent, name));
  const isItself =
    own.length > 0 &&
    own.every(
      (name) =>
        shown[name] !== '' &&
        lead.texts[name].some(
          ({ value }) => value !== 'anything' && (value.shown ?? value.sent) === shown[name],
        ),
    );
  const [check, expected, actual] = isItself
    ? [
        'leads.delete.removes',
        'the lead to be gone',
        'an update still finds it, with texts that it did not send',
      ]
    : ['leads.update.refuses-unknown', 'an error response for a deleted lead', 'success'];
  return [broken(check, exchange, expected, actual, '/success')];
};

/** §4.6: a lead that never existed is refused. */
const unknownRefused: Fact = (exchange, model) => {
  if (exchange.operation !== 'updateLead' || exchange.credentials !== 'key') return [];
  const id = leadIdOf(exchange);
  if (!id.startsWith(madeUpMark) || model.leads.get(id)?.addition) return [];
  return refusesUnknown('leads.update.refuses-unknown', exchange, `the unknown lead ${show(id)}`);
};

/** What an update shows of a lead, by whether the lead exists. */
const updateFacts = {
  yes: [updateEchoes, updateKeeps, findsLead],
  no: [deletedIsGone],
  unknown: [updateEchoes, updateKeeps],
} as const;

/** What a request for one lead shows of it, if the model knows it. */
const knownLead: Fact = (exchange, model) => {
  const lead = exchange.credentials === 'key' ? model.leads.get(leadIdOf(exchange)) : undefined;
  if (!lead) return [];
  const exists = existence(lead, windowOf(exchange), model.dialect.lagMs);
  const ofDeletion = exists === 'yes' ? [findsLead] : [];
  const facts = exchange.operation === 'updateLead' ? updateFacts[exists] : ofDeletion;
  return facts.flatMap((judge) => judge(exchange, lead, model));
};

export const leadFacts: readonly Fact[] = [knownLead, unknownRefused];
