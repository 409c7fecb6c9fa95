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
import type { RefusedAddition } from '../../model/model.ts';
import { isRunText } from '../../model/text.ts';
import { broken, type Fact, holds, type Result } from '../fact.ts';

const [leadsPath] = routes.addLead.paths;

/** Whether this is a request for the list of leads, which some deployments have (§4.8). */
const isLeadList = ({ method, path }: Exchange): boolean => method === 'GET' && path === leadsPath;

/** The same, or a request for one lead. */
const isReading = (exchange: Exchange): boolean =>
  isLeadList(exchange) || (exchange.method === 'GET' && exchange.path.startsWith(`${leadsPath}/`));

const textsOf = (item: JsonObject): readonly string[] => Object.values(textsIn(item));

const refused = {
  'leads.add.refused-stores-nothing': 'an addition that was refused',
  'leads.add.auth.stores-nothing': 'an addition with a wrong key',
} as const;

const checkOf = ({ isKey }: RefusedAddition): keyof typeof refused =>
  isKey ? 'leads.add.refused-stores-nothing' : 'leads.add.auth.stores-nothing';

/** §4.5, §5: an addition that was refused adds no lead; seen where a deployment lists leads. */
export const refusedStoresNothing: Fact = (exchange, model) => {
  if (!isLeadList(exchange) || exchange.credentials !== 'key') return [];
  const checks = [...new Set(model.refusedAdditions.map(checkOf))];
  const items = itemsOf(exchange);
  if (!isObject(exchange.json) || !Array.isArray(exchange.json.data)) return checks.map(holds); // none is listed
  if (!items.some(({ lead_id: id }) => model.leads.has(textOf(id)))) return []; // perhaps one of several pages
  const listed = new Set(items.flatMap(textsOf));
  return model.refusedAdditions.map((addition): Result => {
    const check = checkOf(addition);
    const stored = addition.texts.find((text) => listed.has(text) && !isAcceptedText(text, model));
    return stored === undefined
      ? holds(check)
      : broken(check, exchange, `no lead of ${refused[check]}`, 'the list of leads shows one');
  });
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
