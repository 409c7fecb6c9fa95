import {
  dataOf,
  type Exchange,
  isObject,
  isRefusal,
  itemsOf,
  type LeadSnapshot,
} from '../../client/exchange.ts';
import { hasList } from '../../session/availability.ts';
import { type leadFields, storedForms, textsIn } from '../../session/own-lead.ts';
import { headersLength, leadIdOf, type ObservedExchange } from './observed.ts';

type TextField = (typeof leadFields)[number];

/** The state of one lead, as the traffic of a session has shown it so far. */
type KnownLead = {
  readonly id: string;
  /** Whether it was added in this session, so that its texts may be shown. */
  readonly own: boolean;
  readonly createdAt: unknown;
  readonly addedAtMs: number;
  /** The fields in the last response; absent after overlapping requests, whose order is unknown. */
  shown: Partial<Record<TextField, string>>;
  seenAtMs: number;
  /** Time of the first successful deletion. */
  deletedAtMs: number | undefined;
  /** Whether a deletion got a gateway's response or none, so that it may have taken effect. */
  mayBeDeleted: boolean;
  /** The first response that reports the lead as gone, if no success followed. */
  missing: Exchange | undefined;
};

/** One exchange, with what the session knows about it. */
export type Context = {
  readonly observed: ObservedExchange;
  readonly exchange: Exchange;
  /** Parsed body of the request; `undefined` without a JSON body. */
  readonly request: unknown;
  /** The lead in the path, in its state before this exchange. */
  readonly lead: KnownLead | undefined;
  /** Whether the session created the data in the exchange. */
  readonly own: boolean;
};

/** The state that the traffic of a session has shown so far, with limited memory. */
export type History = {
  readonly find: (id: string) => KnownLead | undefined;
  /** Whether a lead with this name was added before: a service may merge the two. */
  readonly hasName: (name: unknown) => boolean;
  /** The variables of a template in the latest list. */
  readonly templateVariables: (id: unknown) => readonly unknown[] | undefined;
  readonly apply: (context: Context) => void;
  readonly leads: () => Iterable<KnownLead>;
  /** Number of leads that were dropped because of the limit. */
  readonly evicted: () => number;
};

const maxLeads = 10_000;

export const createHistory = (): History => {
  const leads = new Map<string, KnownLead>();
  const names = new Set<string>();
  let templates: ReadonlyMap<unknown, readonly unknown[]> = new Map();
  let evicted = 0;

  const remember = (lead: KnownLead): void => {
    leads.set(lead.id, lead);
    const [oldest] = leads.keys();
    if (leads.size <= maxLeads || oldest === undefined) return;
    leads.delete(oldest);
    evicted += 1;
  };

  const applyAddition = ({ observed, exchange, request }: Context): void => {
    const { name } = isObject(request) ? request : {};
    if (typeof name === 'string' && names.size < maxLeads) names.add(normalise(name));
    const { lead_id: id, created_at: createdAt } = dataOf(exchange);
    if (typeof id !== 'string' || id === '' || (leads.get(id)?.deletedAtMs === undefined && leads.has(id)))
      return;
    remember({
      ...newLead(id, true, observed.endedAt),
      createdAt,
      shown: textsIn(dataOf(exchange)),
    });
  };

  const applyUpdate = ({ observed, exchange, lead }: Context): void => {
    const id = leadIdOf('updateLead', observed.target);
    const known = lead ?? newLead(id, false, observed.endedAt);
    known.seenAtMs = observed.endedAt;
    known.missing = undefined;
    known.shown = observed.overlaps ? {} : { ...known.shown, ...textsIn(dataOf(exchange)) };
    if (!lead && id !== '') remember(known);
  };

  const applyFailure = ({ observed, exchange, lead }: Context): void => {
    if (!lead) return;
    const isGone = exchange.outcome === 'refusal' && /^4(04|10)$/.test(String(exchange.status));
    if (isGone && exchange.intent !== 'probe') lead.missing ??= exchange;
    if (isRefusal(exchange)) return;
    // The request may have taken effect anyway.
    if (exchange.operation === 'deleteLead') lead.mayBeDeleted = true;
    if (exchange.operation === 'updateLead') lead.shown = {};
    lead.seenAtMs = Math.max(lead.seenAtMs, observed.endedAt);
  };

  const apply = (context: Context): void => {
    const { observed, exchange, lead } = context;
    const { operation, outcome } = exchange;
    if (operation === 'listTemplates') {
      if (hasList(exchange) && !observed.target.includes('?')) templates = variablesById(exchange);
    } else if (outcome === 'success' && operation === 'addLead') applyAddition(context);
    else if (outcome === 'success' && operation === 'updateLead') applyUpdate(context);
    else if (outcome === 'success' && operation === 'deleteLead') {
      if (lead) lead.deletedAtMs ??= observed.endedAt;
    } else applyFailure(context);
  };

  return {
    find: (id) => leads.get(id),
    hasName: (name) => typeof name === 'string' && names.has(normalise(name)),
    templateVariables: (id) => templates.get(id),
    apply,
    leads: () => leads.values(),
    evicted: () => evicted,
  };
};

const newLead = (id: string, own: boolean, at: number): KnownLead => ({
  id,
  own,
  createdAt: undefined,
  addedAtMs: own ? at : Number.NEGATIVE_INFINITY,
  shown: {},
  seenAtMs: at,
  deletedAtMs: undefined,
  mayBeDeleted: false,
  missing: undefined,
});

const normalise = (text: string): string => text.normalize('NFC').trim().toLowerCase().slice(0, 200);

const variablesById = (exchange: Exchange): ReadonlyMap<unknown, readonly unknown[]> =>
  new Map(itemsOf(exchange).map(({ id, variables }) => [id, Array.isArray(variables) ? variables : []]));

/** Whether a response shows a sent text unchanged, or changed in a way that §2.3 leaves open. */
export const isStoredForm = (sent: string, shown: unknown): boolean =>
  typeof shown === 'string' && storedForms(sent).includes(shown);

/**
 * The lead as the response to an update must show it: sent values are applied, other values are unchanged. Where the value is
 * open or unknown, the snapshot has the value of the response, so that no check reports it.
 */
export const snapshotAfter = (
  { target, overlaps, endedAt }: ObservedExchange,
  request: unknown,
  response: Pick<Exchange, 'json'>,
  lead: KnownLead | undefined,
): LeadSnapshot => {
  const shown = dataOf(response);
  const sent = isObject(request) ? request : {};
  const expectedValue = (field: TextField): string => {
    const before = overlaps || lead?.deletedAtMs !== undefined ? undefined : lead?.shown[field];
    if (field === 'note' && typeof sent.note === 'string')
      return isStoredForm(sent.note, shown.note) || isCut(sent.note, shown.note)
        ? String(shown.note)
        : sent.note;
    const isOpen = Object.hasOwn(sent, field) || field === 'note' || before === undefined;
    return isOpen ? String(shown[field]) : before;
  };
  return {
    id: leadIdOf('updateLead', target),
    createdAt: lead?.createdAt,
    name: expectedValue('name'),
    source: expectedValue('source'),
    note: expectedValue('note'),
    age: endedAt - (lead?.addedAtMs ?? Number.NEGATIVE_INFINITY),
  };
};

/** Whether a long text is stored truncated (§8: limits are not shown). */
export const isCut = (sent: string, shown: unknown): boolean =>
  typeof shown === 'string' &&
  sent.length > shortText &&
  shown.length >= shortText &&
  storedForms(sent).some((form) => form.startsWith(shown.trimEnd()));

const shortText = 60;

const maxExchanges = 4000;

const maxCharacters = 12 * 2 ** 20;

/** The latest exchanges, for claims about several responses; limited in number and in characters. */
export const createRetained = () => {
  const latest: Context[] = [];
  const contexts = new WeakMap<Exchange, Context>();
  let characters = 0;
  let evicted = 0;
  let list: readonly Exchange[] | undefined;

  const sizeOf = ({ exchange: { rawText, body = '', headers }, observed }: Context): number =>
    rawText.length + body.length + headersLength(headers) + headersLength(observed.requestHeaders);

  return {
    add: (exchange: Exchange, context: Context): void => {
      list = undefined;
      latest.push(context);
      contexts.set(exchange, context);
      characters += sizeOf(context);
      while (latest.length > maxExchanges || characters > maxCharacters) {
        const oldest = latest.shift();
        if (!oldest) break;
        characters -= sizeOf(oldest);
        evicted += 1;
      }
    },
    exchanges: (): readonly Exchange[] => {
      list ??= latest.map(({ exchange }) => exchange);
      return list;
    },
    contextOf: (exchange: Exchange): Context | undefined => contexts.get(exchange),
    evicted: (): number => evicted,
  };
};
