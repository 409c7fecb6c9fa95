import { show } from '../../exchange/describe.ts';
import {
  dataOf,
  type Exchange,
  isObject,
  itemsOf,
  type JsonObject,
  sentFields,
  sentJson,
  textOf,
} from '../../exchange/exchange.ts';
import { carriesEmail, leadFields, textsIn } from '../../exchange/leads.ts';
import { operationOf } from '../../exchange/operations.ts';
import { isAcceptedText } from '../../model/lead.ts';
import type { Model } from '../../model/model.ts';
import { sentTexts, windowOf } from '../../model/requests.ts';
import { isRunText } from '../../model/text.ts';
import { broken, type Fact, holds, proven } from '../fact.ts';
import { echoOf } from './texts.ts';

/** §4.5: a new lead has the texts of the request. */
const newLeadEchoes: Fact = (exchange) => {
  if (exchange.operation !== 'addLead' || exchange.outcome !== 'success') return [];
  const [sent, shown] = [sentTexts(exchange), textsIn(dataOf(exchange))];
  const results = leadFields.flatMap((name) => {
    const [text, actual] = [sent[name], shown[name]];
    if (typeof text !== 'string' || actual === undefined) return [];
    // An empty text may count as omitted, and have a default.
    return text === '' && actual !== '' ? [] : echoOf(exchange, name, text, actual);
  });
  // A deployment may have a lead with the address of the request, and show that lead (§2.3).
  const mayBeMerged = exchange.intent !== 'complete' && sentFields(exchange).email !== undefined;
  return mayBeMerged && results.every((result) => result.broken) ? [] : results;
};

/** Whether another addition sent a text, one that was refused included. */
const isOfAnother = (text: string, model: Model): boolean =>
  isAcceptedText(text, model) || model.refusedAdditions.some((texts) => texts.includes(text));

/** §4.5: a text that a request omits, or leaves empty, is not one that another request sent. */
const omittedTexts: Fact = (exchange, model) => {
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
const newIds: Fact = (exchange, model) => {
  if (exchange.operation !== 'addLead' || exchange.outcome !== 'success' || exchange.intent !== 'complete')
    return [];
  const id = dataOf(exchange).lead_id;
  if (typeof id !== 'string' || id === '') return [];
  const first = model.firstAdditionOf(id);
  if (!first || first === windowOf(exchange))
    return [holds('leads.add.new-ids'), holds('leads.add.distinct-ids')];
  const { addition, sharedWith } = model.leads.get(id) ?? {};
  const isShared = sharedWith === windowOf(exchange);
  // It may have been merged with a lead of which nothing is known.
  if (!isShared && addition !== windowOf(exchange)) return [];
  const check = isShared ? 'leads.add.distinct-ids' : 'leads.add.new-ids';
  // Requests with different texts: one response is enough.
  return [
    proven(check, exchange, 'an id that no lead has or had', `${show(id)} a second time`, '/data/lead_id'),
  ];
};

/** §2.3: `email` is part of no response, whichever request sent it. */
const emailHidden: Fact = (exchange) => {
  const { operation, outcome, rawText } = exchange;
  const { email } = sentFields(exchange);
  if ((operation !== 'addLead' && operation !== 'updateLead') || outcome !== 'success') return [];
  const check = `${operationOf(operation).area}.no-email`;
  if (carriesEmail(exchange))
    return [broken(check, exchange, 'no field email in the response', 'the response has a field email')];
  if (typeof email !== 'string') return [];
  return email !== '' && rawText.includes(email)
    ? [broken(check, exchange, 'no email in the response', 'the email of the request')]
    : [holds(check)];
};

const [leadsPath] = operationOf('addLead').paths;

/** Whether this is a request for the list of leads, which some deployments have (§4.8). */
const isLeadList = ({ method, path }: Exchange): boolean => method === 'GET' && path === leadsPath;

/** The same, or a request for one lead. */
const isReading = (exchange: Exchange): boolean =>
  isLeadList(exchange) || (exchange.method === 'GET' && exchange.path.startsWith(`${leadsPath}/`));

const textsOf = (item: JsonObject): readonly string[] => Object.values(textsIn(item));

/** §4.5, §5: an addition that was refused adds no lead; seen where a deployment lists leads. */
const refusedStoresNothing: Fact = (exchange, model) => {
  if (!isLeadList(exchange) || exchange.credentials !== 'key') return [];
  const check = 'leads.add.refused-stores-nothing';
  const items = itemsOf(exchange);
  if (!isObject(exchange.json) || !Array.isArray(exchange.json.data)) return [holds(check)]; // none is listed
  if (model.refusedAdditions.length === 0) return [];
  if (!items.some(({ lead_id: id }) => model.leads.has(textOf(id)))) return []; // perhaps one of several pages
  const listed = new Set(items.flatMap(textsOf));
  const isStored = model.refusedAdditions.some((texts) =>
    texts.some((text) => listed.has(text) && !isAcceptedText(text, model)),
  );
  return isStored
    ? [broken(check, exchange, 'no lead of an addition that was refused', 'the list of leads shows one')]
    : [holds(check)];
};

/** §1: every operation needs a key, also one that the document does not show (§4.8). */
const readingNeedsKey: Fact = (exchange, model) => {
  if (!isReading(exchange) || exchange.credentials !== 'none') return [];
  const check = 'leads.add.auth.reading';
  const isShown = [...itemsOf(exchange), dataOf(exchange)].some((item) =>
    textsOf(item).some((text) => isRunText(text) && isAcceptedText(text, model)),
  );
  return isShown
    ? [broken(check, exchange, 'an error response', `${exchange.status} with a lead, sent with no key`)]
    : [holds(check)];
};

export const additionFacts: readonly Fact[] = [
  newLeadEchoes,
  newIds,
  emailHidden,
  omittedTexts,
  refusedStoresNothing,
  readingNeedsKey,
];
