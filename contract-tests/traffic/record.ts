import type { IncomingHttpHeaders } from 'node:http';
import type { Redact } from '../../mock/contract/redaction.ts';
import { har, harEntry } from '../../mock/store/har.ts';
import {
  type Credentials,
  dataOf,
  type Exchange,
  itemsOf,
  type JsonObject,
  outcomeOf,
} from '../exchange/exchange.ts';
import { leadIdOf } from '../model/requests.ts';
import {
  findOperation,
  type ObservedBody,
  type ObservedExchange,
  pathOfTarget,
  readObserved,
  shownHeaders,
} from './exchanges/observed.ts';

// Recordings in the format HAR 1.2, which `check` and browsers read. They contain no key and no cookie.

/** The form in which a recording names the key of a request: never the key, nor anything made from it. */
const authorizationOf = (credentials: Credentials): string | undefined => {
  if (credentials === 'key') return 'Bearer $EMAIL_LEADS_API_KEY';
  if (credentials === 'none') return undefined;
  if (credentials === 'Basic') return 'Basic eDp5';
  if (credentials === 'Bearer without a key') return 'Bearer';
  return credentials.startsWith('Bearer ') ? credentials : `Bearer ${credentials.replaceAll(' ', '-')}`;
};

/** An exchange of the suite itself, as others see it. */
export const asObserved = (exchange: Exchange): ObservedExchange => {
  const { method, path, status, headers, contentType, body = '', sentAt, receivedAt } = exchange;
  const { credentials, intent, check, size, rawText, json, byteProblem } = exchange;
  const authorization = authorizationOf(credentials);
  return {
    method,
    target: path,
    requestHeaders: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
    },
    requestBody: readObserved(Buffer.from(body)),
    status,
    responseHeaders: headers,
    responseBody: { size, rawText, json, byteProblem },
    startedAt: performance.timeOrigin + sentAt,
    endedAt: performance.timeOrigin + receivedAt,
    overlaps: false,
    call: { credentials, intent, check },
  };
};

/** Bodies are recorded decoded, so that these no longer describe them. */
const ofTransfer = /^(content-encoding|content-length|transfer-encoding)$/i;

type Body = { readonly text: string; readonly byteProblem: string | undefined };

/** An exchange with the text of its bodies; without one that is unknown or too large. */
type Recorded = Omit<ObservedExchange, 'requestBody' | 'responseBody'> & {
  readonly sent: Body | undefined;
  readonly received: Body | undefined;
};

/** In characters: of one body, and of all bodies of a recording; and the number of exchanges. */
const most = { body: 2 ** 20, all: 2 ** 26, exchanges: 20_000 };

type Context = {
  readonly url: string;
  readonly version: string;
  readonly redact: Redact;
  /** Milliseconds until a response shows a change, if the suite has measured it. */
  readonly lagMs?: number | undefined;
};

/** Collects exchanges with one service, up to a limit. */
export const createRecorder = () => {
  const exchanges: Recorded[] = [];
  let [characters, dropped] = [0, 0];
  const bodyThatFits = (body: ObservedBody): Body | undefined => {
    if ('missing' in body) return undefined;
    const { rawText: text, byteProblem } = body;
    if (text.length > most.body || characters + text.length > most.all) return undefined;
    characters += text.length;
    return { text, byteProblem };
  };
  return {
    add: ({ requestBody, responseBody, ...exchange }: ObservedExchange): void => {
      if (exchanges.length >= most.exchanges) {
        dropped += 1;
        return;
      }
      exchanges.push({
        ...exchange,
        sent: bodyThatFits(requestBody),
        received: bodyThatFits(responseBody),
      });
    },
    /** The number of exchanges that came when the recording was full. */
    dropped: (): number => dropped,
    /** The recording as HAR. */
    text: (context: Context): string => {
      const inOrder = [...exchanges].sort((left, right) => left.startedAt - right.startedAt);
      const entries = inOrder.map((exchange) => entryOf(exchange, context));
      const { version, lagMs } = context;
      return `${JSON.stringify(har('email-leads', version, entries, { _lag_ms: lagMs }), null, 1)}\n`;
    },
  };
};

/** A time in milliseconds since 1970 as ISO 8601 with microseconds: many requests take less than a millisecond. */
const timeText = (at: number): string => {
  const microseconds = Math.floor((at % 1) * 1000);
  return new Date(at).toISOString().replace('Z', `${String(microseconds).padStart(3, '0')}Z`);
};

/** Whether the key was sent shows in its redacted form. */
const fieldsOf = (headers: IncomingHttpHeaders, redact: Redact): Readonly<Record<string, string>> => {
  const { authorization } = headers;
  const kept = Object.entries(headers).filter(([name]) => !ofTransfer.test(name));
  return {
    ...shownHeaders(Object.fromEntries(kept), redact),
    ...(authorization === undefined ? {} : { authorization: redact(authorization) }),
  };
};

/** An exchange in the format HAR 1.2, with what only the suite knows under names of its own. */
const entryOf = (exchange: Recorded, { url, redact }: Context): object => {
  const { method, target, status, startedAt, endedAt, sent, received, call, injected } = exchange;
  const sideOf = (headers: IncomingHttpHeaders, body: Body | undefined) => ({
    headers: fieldsOf(headers, redact),
    body: body && redact(body.text),
  });
  const entry = harEntry({
    method,
    url: redact(url + target),
    status,
    startedAt: timeText(startedAt),
    durationMs: endedAt - startedAt,
    request: sideOf(exchange.requestHeaders, sent),
    response: sideOf(exchange.responseHeaders, received),
  });
  const byteProblem = received?.byteProblem && redact(received.byteProblem);
  const content = { ...entry.response.content, _byte_problem: byteProblem };
  return { ...entry, response: { ...entry.response, content }, _call: call, _injected: injected };
};

// What a deployment holds, as a seed of the mock: its templates, and the leads of a session.

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
