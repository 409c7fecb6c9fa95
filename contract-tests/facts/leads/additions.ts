import { show } from '../../exchange/describe.ts';
import { dataOf, isObject, sentFields, sentJson } from '../../exchange/exchange.ts';
import { carriesEmail, leadFields, textsIn } from '../../exchange/leads.ts';
import { isAcceptedText } from '../../model/lead.ts';
import type { Model } from '../../model/model.ts';
import { sentTexts, windowOf } from '../../model/requests.ts';
import { isRunText } from '../../model/text.ts';
import { broken, type Fact, holds, proven } from '../fact.ts';
import { areas, echoOf } from './echo.ts';

/** §4.5: a new lead has the texts of the request. With undocumented fields, the response may describe another lead. */
export const newLeadEchoes: Fact = (exchange) => {
  if (exchange.operation !== 'addLead' || exchange.outcome !== 'success') return [];
  const [sent, shown] = [sentTexts(exchange), textsIn(dataOf(exchange))];
  return leadFields.flatMap((name) => {
    const [text, actual] = [sent[name], shown[name]];
    if (typeof text !== 'string' || actual === undefined) return [];
    // An empty text may count as omitted, and have a default.
    return text === '' && actual !== '' ? [] : echoOf(exchange, 'addLead', name, text, actual);
  });
};

/** Whether another addition sent a text, one that was refused included. */
const isOfAnother = (text: string, model: Model): boolean =>
  isAcceptedText(text, model) || model.refusedAdditions.some((texts) => texts.includes(text));

/** §4.5: a text that a request omits, or leaves empty, is not one that another request sent. */
export const omittedTexts: Fact = (exchange, model) => {
  const body = sentJson(exchange);
  if (exchange.operation !== 'addLead' || exchange.outcome !== 'success' || !isObject(body)) return [];
  const check = 'leads.add.omitted-fields';
  const shown = Object.entries(textsIn(dataOf(exchange))).filter(([name]) => (body[name] ?? '') === '');
  const sent = Object.values(body);
  return shown.map(([name, text]) =>
    isRunText(text) && !sent.includes(text) && isOfAnother(text, model)
      ? broken(check, exchange, `no ${name} that another request sent`, show(text), `/data/${name}`)
      : holds(check),
  );
};

/** §2.3: no id is assigned twice. */
export const newIds: Fact = (exchange, model) => {
  if (exchange.operation !== 'addLead' || exchange.outcome !== 'success' || exchange.intent !== 'complete')
    return [];
  const id = dataOf(exchange).lead_id;
  if (typeof id !== 'string' || id === '') return [];
  const owner = model.ownerOf(id);
  if (!owner || owner.addition === windowOf(exchange))
    return [holds('leads.add.new-ids'), holds('leads.add.distinct-ids')];
  // An addition that makes no lead of its own shares the id of a living one.
  const isShared = model.leads.get(id)?.addition !== windowOf(exchange);
  const check = isShared ? 'leads.add.distinct-ids' : 'leads.add.new-ids';
  const actual = owner.id === id ? `${show(id)} a second time` : `${show(id)}, after ${show(owner.id)}`;
  // Requests with different texts: one response is enough.
  return [proven(check, exchange, 'an id that no lead has or had', actual, '/data/lead_id')];
};

/** §2.3: the `email` of some requests is in no response. */
export const emailHidden: Fact = (exchange) => {
  const { operation, outcome, rawText } = exchange;
  const { email } = sentFields(exchange);
  if (
    (operation !== 'addLead' && operation !== 'updateLead') ||
    outcome !== 'success' ||
    typeof email !== 'string'
  )
    return [];
  const check = `${areas[operation]}.no-email`;
  if (email !== '' && rawText.includes(email))
    return [broken(check, exchange, 'no email in the response', 'the email of the request')];
  return carriesEmail(exchange)
    ? [broken(check, exchange, 'no field email in the response', 'the response has a field email')]
    : [holds(check)];
};
