// What a deployment holds, as a seed of the mock: its templates, and the leads of a session.
import type { Redact } from '../../mock/contract/redaction.ts';
import { dataOf, itemsOf, type JsonObject, outcomeOf } from '../exchange/exchange.ts';
import { leadIdOf } from '../model/requests.ts';
import { findOperation, type ObservedExchange, pathOfTarget } from './exchanges/observed.ts';

/** An app behind the proxy may run for weeks. */
const maxItems = 10_000;

type Item = Readonly<Record<string, string>>;

/** A seed as `email-leads mock --seed` reads it. */
type Seed = {
  readonly $comment: string;
  /** Without it, the mock has its built-in templates. */
  readonly templates?: readonly Item[];
  readonly leads: readonly Item[];
};

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** A time as a seed holds it. Without one, the mock chooses it. */
const isTime = (value: unknown): value is string =>
  isText(value) &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  // `Date` takes a day that a month does not have for one of the next month.
  new Date(value).toISOString().startsWith(value.slice(0, 19));

/** The texts and times of an object that a seed may hold. */
const pick = (from: JsonObject, texts: readonly string[], times: readonly string[]): Item =>
  Object.fromEntries(
    Object.entries(from).filter(
      (member): member is [string, string] =>
        (texts.includes(member[0]) && typeof member[1] === 'string') ||
        (times.includes(member[0]) && isTime(member[1])),
    ),
  );

/** A source or a note that is `null` is empty, as after an update that removes it. */
const withoutNulls = (data: JsonObject): JsonObject => ({
  ...data,
  ...(data.source === null ? { source: '' } : {}),
  ...(data.note === null ? { note: '' } : {}),
});

/** An id as requests name it, as some deployments have numbers; empty for one that a seed cannot hold. */
const idIn = (value: unknown): string => {
  const id = typeof value === 'number' || isText(value) ? String(value) : '';
  return id.length > 1000 ? '' : id;
};

/** The variables are not part of it: the mock takes them from the body, as §2.2 states. */
const templateOf = (item: JsonObject): Item | undefined => {
  const id = idIn(item.id);
  if (id === '' || !isText(item.name) || !isText(item.body)) return undefined;
  return { id, ...pick(item, ['name', 'body'], ['created_at']) };
};

const leadOf = (data: JsonObject): Item =>
  pick(withoutNulls(data), ['name', 'source', 'note'], ['created_at', 'updated_at']);

/** Collects what a seed holds from exchanges, in the order in which they happened. */
export const createSeedCollector = () => {
  const templates = new Map<string, Item>();
  const leads = new Map<string, Item>();
  const leftOut = new Set<string>();
  let [isListed, isAdded] = [false, false];

  /** A list may be one page of several, or be filtered (§8): templates of earlier lists stay. */
  const addTemplates = (items: readonly JsonObject[]): void => {
    isListed = true;
    for (const item of items) {
      const template = templateOf(item);
      if (template === undefined) leftOut.add(idIn(item.id) || 'a template without a usable id');
      else if (templates.size < maxItems) templates.set(template.id ?? '', template);
    }
  };

  const addLead = (data: JsonObject): void => {
    const [id, lead] = [idIn(data.lead_id), leadOf(data)];
    isAdded = true;
    if (id !== '' && isText(lead.name) && leads.size < maxItems) leads.set(id, { lead_id: id, ...lead });
  };

  return {
    add: ({ method, target, status, responseBody: body, injected }: ObservedExchange): void => {
      const operation = findOperation(method, target);
      // The answer of a fault rule is not from the deployment.
      if (operation === undefined || injected?.effect === 'answered') return;
      if ('missing' in body || outcomeOf(status, body.json) !== 'success') return;
      const { json } = body;
      const id = leadIdOf({ operation, path: pathOfTarget(target) });
      const lead = leads.get(id);
      if (operation === 'listTemplates') addTemplates(itemsOf({ json }));
      if (operation === 'addLead') addLead(dataOf({ json }));
      if (operation === 'updateLead' && lead) leads.set(id, { ...lead, ...leadOf(dataOf({ json })) });
      if (operation === 'deleteLead') leads.delete(id);
    },
    /** Whether a list of templates or an addition of a lead succeeded. */
    hasSeen: (): boolean => isListed || isAdded,
    /** Ids of templates that a seed cannot hold, because they lack an id, a name or a body (§2.2). */
    leftOut: (): readonly string[] => [...leftOut],
    /** @param origin where the data are from, in words */
    seed: (origin: string, redact: Redact): Seed => {
      const redacted = (items: Iterable<Item>): Item[] =>
        [...items].map((item) =>
          Object.fromEntries(Object.entries(item).map(([name, value]) => [name, redact(value)])),
        );
      return {
        $comment: redact(
          `${origin} The bodies of templates and the leads are data of this deployment: they may be confidential.`,
        ),
        ...(isListed ? { templates: redacted(templates.values()) } : {}),
        leads: redacted(leads.values()),
      };
    },
  };
};
