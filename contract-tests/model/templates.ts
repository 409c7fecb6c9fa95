// What the lists of a history have shown of the templates, and the mails from them since the latest list.

import {
  type Exchange,
  isObject,
  isRefusal,
  itemsOf,
  type JsonObject,
  sentFields,
  templateIdOf,
  textOf,
} from '../exchange/exchange.ts';
import { operationOf } from '../exchange/operations.ts';
import { hasGoneStatus } from '../exchange/responses.ts';
import type { Window } from './register.ts';
import { isDisturbance, windowOf } from './requests.ts';
import { addDigest, digest, isRunText } from './text.ts';

export const isTemplateList = ({ operation, path, outcome, credentials }: Exchange): boolean =>
  operation === 'listTemplates' &&
  outcome === 'success' &&
  credentials === 'key' &&
  operationOf('listTemplates').paths.includes(path);

/** A template for comparison: lists may name its variables in any order. */
const stateOf = ({ name, body, variables }: JsonObject): string =>
  JSON.stringify([name, body, Array.isArray(variables) ? [...variables].sort() : variables]);

/** What a list shows, in the forms in which lists are compared. */
const readList = (list: Exchange) => {
  const items = itemsOf(list);
  const byId = new Map(items.map((item) => [textOf(item.id), item]));
  return {
    list,
    byId,
    ids: new Set(byId.keys()),
    /** All ids as one text. */
    allIds: [...byId.keys()].sort().join('\n'),
    states: new Map([...byId].map(([id, item]) => [id, stateOf(item)])),
  };
};

type Reading = ReturnType<typeof readList>;

/** What a list shows: of a template, or of one path with all ids. */
type ListedState = {
  /** `undefined` if the list lacks the template. */
  readonly state: string | undefined;
  /** The ids of all templates in the list. */
  readonly ids: ReadonlySet<string>;
};

/** What lists showed one after another, with the ids of the first one. */
type Shown = ListedState & { readonly first: Window; last: Window };

type Histories = Map<string, Shown[]>;

/** Enough to see a state again, however long a history is. */
const maxShown = 20;

/** An app behind the proxy may run for weeks. */
const maxTemplates = 10_000;

/** From this number of lists on, each directly after another one, it is unlikely that somebody edited a template before each. */
const enoughLists = 4;

/**
 * Whether the lack of a template in one of two lists means anything: a list may be one of several pages, which the document does
 * not show (§4.2), unless the other one has all the templates of this one.
 */
const isComparable = (left: ListedState, right: ListedState): boolean => {
  if (left.state !== undefined && right.state !== undefined) return true;
  const [without, whole] = left.state === undefined ? [left, right] : [right, left];
  return [...without.ids].every((id) => whole.ids.has(id));
};

/** Whether an earlier state is back, for the first time since another one replaced it. Lists at the same time have no order. */
const isBack = (history: readonly Shown[], now: ListedState, { sentAt }: Exchange): boolean => {
  const alike = history.filter(({ state }) => state === now.state);
  return history.some(
    (other) =>
      other.state !== now.state &&
      isComparable(now, other) &&
      other.first.to <= sentAt &&
      alike.some(({ first }) => first.to <= other.first.from) &&
      alike.every(({ last }) => last.from < other.first.to),
  );
};

const refusalFor = (mail: Exchange): string =>
  `${mail.status} ${mail.rawText.replaceAll(templateIdOf(mail), '')}`;

export const createTemplates = () => {
  let latest: Reading | undefined;
  /** The one before it: a list may arrive while a mail is pending. */
  let previous: Reading | undefined;
  /** Of each template by its id, and of each path form. */
  const [templates, paths]: readonly [Histories, Histories] = [new Map(), new Map()];
  /** How many lists in a row, with no other request between them, differ from the one before. */
  let differing = 0;
  /** The latest reading: every fact about a list asks for it. */
  let reading: Reading | undefined;
  /** When the mails from templates arrived that no list came after, and the list before them. */
  const mails = new Map<string, { readonly receivedAt: number; readonly before: Reading }>();
  const refused = new Map<string, Exchange>();
  /** When a mail from a listed template was first refused, if none was accepted since then. */
  const refusedSince = new Map<string, number>();
  const refusalsOfUnknown = new Set<string>();
  /** The paths at which a mail was accepted: a deployment may know only one of the path forms (§4.4). */
  const workingPaths = new Set<string>();
  let returned = 0;
  const changed = new Set<string>();
  /** The values of variables that nobody else has, and the mails that sent them: the first ones. */
  const sentValues = new Map<string, Exchange>();

  const read = (list: Exchange): Reading => {
    if (reading?.list !== list) reading = readList(list);
    return reading;
  };

  const returns = (list: Exchange): boolean => {
    const { states, ids } = read(list);
    return [...templates].some(([id, history]) => isBack(history, { state: states.get(id), ids }, list));
  };

  /** Whether a list shows a template of the one before in another state, or none of them under its id. */
  const differs = (list: Exchange): boolean => {
    const before = latest?.states ?? new Map<string, string>();
    const { states } = read(list);
    const both = [...states.keys()].filter((id) => before.has(id));
    if (both.length === 0) return before.size > 0 && states.size > 0;
    return both.some((id) => before.get(id) !== states.get(id));
  };

  const differsByPath = (list: Exchange): boolean => {
    const own = paths.get(list.path)?.at(-1);
    const { allIds } = read(list);
    if (own?.state !== allIds) return false;
    // The lists of the other form arrived between lists of this one, so that nobody edited the templates in the meantime.
    return [...paths.values()].some((history) => {
      const other = history.at(-1);
      return (
        other !== undefined &&
        other.state !== allIds &&
        other.last !== other.first &&
        other.first.to > own.first.to &&
        other.last.to < list.sentAt
      );
    });
  };

  const mailed = ({ sentAt }: Exchange): readonly string[] =>
    [...mails].flatMap(([id, { receivedAt }]) => (receivedAt <= sentAt ? [id] : []));

  const changedByMail = (list: Exchange): readonly string[] => {
    const { states, ids } = read(list);
    return mailed(list).filter((id) => {
      const earlier = mails.get(id)?.before;
      const before = earlier && { state: earlier.states.get(id), ids: earlier.ids };
      if (before?.state === undefined) return false;
      const now = { state: states.get(id), ids };
      const hasOtherId = [...states].some(
        ([other, state]) => state === before.state && !before.ids.has(other),
      );
      return now.state !== before.state && (hasOtherId || isComparable(now, before));
    });
  };

  const extend = (histories: Histories, key: string, state: string | undefined, list: Exchange): void => {
    const history = histories.get(key) ?? [];
    histories.set(key, history);
    const window = windowOf(list);
    const last = history.at(-1);
    if (last && last.state === state) last.last = window;
    else history.push({ state, ids: read(list).ids, first: window, last: window });
    if (history.length > maxShown) history.shift();
  };

  const noteList = (list: Exchange): void => {
    if (templates.size > maxTemplates) templates.clear();
    if (returns(list)) returned += 1;
    for (const id of changedByMail(list)) changed.add(id);
    for (const id of mailed(list)) mails.delete(id);
    for (const [id, mail] of refused) if (mail.receivedAt <= list.sentAt) refused.delete(id);
    for (const id of refusedSince.keys()) if (!read(list).ids.has(id)) refusedSince.delete(id);
    differing = differs(list) ? differing + 1 : 0;
    const { states, allIds } = read(list);
    for (const id of new Set([...templates.keys(), ...states.keys()]))
      extend(templates, id, states.get(id), list);
    extend(paths, list.path, allIds, list);
    [previous, latest] = [latest, read(list)];
  };

  const noteMail = (mail: Exchange): void => {
    const id = templateIdOf(mail);
    if (mail.outcome === 'success') {
      workingPaths.add(mail.path);
      const { variables } = sentFields(mail);
      for (const value of isObject(variables) ? Object.values(variables) : [])
        if (typeof value === 'string' && isRunText(value) && sentValues.size < maxShown)
          sentValues.set(value, mail);
      refused.delete(id);
      refusedSince.delete(id);
      const before = [latest, previous].find((reading) => reading && reading.list.receivedAt <= mail.sentAt);
      if (before?.ids.has(id)) mails.set(id, { receivedAt: mail.receivedAt, before });
    } else if (isRefusal(mail) && latest && latest.ids.size > 0) {
      if (!latest.ids.has(id)) addDigest(refusalsOfUnknown, refusalFor(mail));
      else if (mail.intent === 'complete' && workingPaths.has(mail.path)) {
        if (!refusedSince.has(id)) refusedSince.set(id, mail.receivedAt);
        if (hasGoneStatus(mail) || refusalsOfUnknown.has(digest(refusalFor(mail)))) refused.set(id, mail);
      }
    }
  };

  return {
    /** The templates of the latest list, by id. */
    get latest(): ReadonlyMap<string, JsonObject> {
      return latest?.byId ?? new Map();
    },
    /** Whether a list shows a template in an earlier state again, after another one, under any path form. */
    returns,
    /** How many times lists showed that before. */
    returned: (): number => returned,
    /** Whether a list differs from the one before, as the lists directly before it did. */
    neverStays: (list: Exchange): boolean => differing >= enoughLists - 2 && differs(list),
    /** Whether two path forms have shown different lists, each of them the same one again and again. */
    differsByPath,
    /** The templates that a mail was sent from since the latest list, and that this list shows in another state. */
    changedByMail,
    /** The templates that lists showed in another state directly after their mail. */
    changed: changed as ReadonlySet<string>,
    /** The templates that a mail was sent from since the latest list. */
    mailed,
    /** The mails whose values are in the bodies of a list. */
    mailsIn: (list: Exchange): readonly Exchange[] => {
      const bodies = itemsOf(list).map(({ body }) => textOf(body));
      return [...sentValues].flatMap(([value, mail]) =>
        bodies.some((body) => body.includes(value)) ? [mail] : [],
      );
    },
    /** Mails from listed templates that were refused since the latest list as if the template were unknown. */
    refused: refused as ReadonlyMap<string, Exchange>,
    /** For how many milliseconds a template has been listed and its mails have been refused, up to this one. */
    refusedFor: (mail: Exchange): number =>
      mail.sentAt - (refusedSince.get(templateIdOf(mail)) ?? mail.sentAt),
    note: (exchange: Exchange): void => {
      if (isTemplateList(exchange)) return noteList(exchange);
      // After a restart a deployment may have the templates of an earlier time.
      if (isDisturbance(exchange)) for (const known of [templates, paths, mails, refusedSince]) known.clear();
      differing = 0; // somebody may edit a template before each list
      if (exchange.operation === 'sendTemplateEmail' && exchange.credentials === 'key') noteMail(exchange);
    },
  };
};

export type Templates = ReturnType<typeof createTemplates>;
