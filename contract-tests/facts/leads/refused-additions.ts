import {
  dataOf,
  type Exchange,
  isObject,
  itemsOf,
  type JsonObject,
  textOf,
} from '../../exchange/exchange.ts';
import { textsIn } from '../../exchange/leads.ts';
import { routes } from '../../exchange/operations.ts';
import { isAcceptedText } from '../../model/lead.ts';
import { isRunText } from '../../model/text.ts';
import { broken, type Fact, holds } from '../fact.ts';

const [leadsPath] = routes.addLead.paths;

/** Whether this is a request for the list of leads, which some deployments have (§4.8). */
const isLeadList = ({ method, path }: Exchange): boolean => method === 'GET' && path === leadsPath;

/** The same, or a request for one lead. */
const isReading = (exchange: Exchange): boolean =>
  isLeadList(exchange) || (exchange.method === 'GET' && exchange.path.startsWith(`${leadsPath}/`));

const textsOf = (item: JsonObject): readonly string[] => Object.values(textsIn(item));

/** §4.5, §5: an addition that was refused adds no lead; seen where a deployment lists leads. */
export const refusedStoresNothing: Fact = (exchange, model) => {
  if (!isLeadList(exchange) || exchange.credentials !== 'key' || model.refusedAdditions.length === 0)
    return [];
  const check = 'leads.add.refused-stores-nothing';
  const items = itemsOf(exchange);
  if (!isObject(exchange.json) || !Array.isArray(exchange.json.data)) return [holds(check)]; // none is listed
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
export const readingNeedsKey: Fact = (exchange, model) => {
  if (!isReading(exchange) || exchange.credentials !== 'none') return [];
  const check = 'leads.add.auth.reading';
  const isShown = [...itemsOf(exchange), dataOf(exchange)].some((item) =>
    textsOf(item).some((text) => isRunText(text) && isAcceptedText(text, model)),
  );
  return isShown
    ? [broken(check, exchange, 'an error response', `${exchange.status} with a lead, sent with no key`)]
    : [holds(check)];
};
