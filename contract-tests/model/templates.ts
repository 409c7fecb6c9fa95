import {
  type Exchange,
  isRefusal,
  itemsOf,
  type JsonObject,
  sentFields,
  textOf,
} from '../exchange/exchange.ts';
import { hasGoneStatus } from '../exchange/responses.ts';
import { isTemplateList, type Reading, readList, stateOf } from './template-list.ts';
import { addDigest, digest } from './text.ts';

/** A template as lists showed it one after another, from the first of these lists to the last. */
type Shown = {
  /** Its name, body and variables; `undefined` if the lists lacked it. */
  readonly state: string | undefined;
  /** The ids of all templates in the first of the lists. */
  readonly ids: ReadonlySet<string>;
  /** When the first of the lists was requested, and when it arrived. */
  readonly sentAt: number;
  readonly receivedAt: number;
  /** When the last of the lists was requested. */
  lastSentAt: number;
};

/** How many lists in a row showed something new: another state of a template, or another id of a name and body. */
type Streak = { readonly seen: ReadonlySet<unknown>; readonly length: number };

/** What the lists of a history have shown of the templates, and the mails from them since the latest list. */
export type Templates = {
  /** The templates of the latest list, by id. */
  readonly latest: ReadonlyMap<string, JsonObject>;
  /** Whether a list shows a template in an earlier state again, after another one, under any path form. */
  readonly returns: (list: Exchange) => boolean;
  /** How many times lists showed that before. */
  readonly returned: () => number;
  /** Whether two path forms have shown different lists, each of them the same one again and again. */
  readonly differsByPath: (list: Exchange) => boolean;
  /** Whether a list shows a new state of a template, or a new id of it, as the three lists directly before it did. */
  readonly neverStays: (list: Exchange) => boolean;
  /** The templates that a mail was sent from since the latest list, and that this list shows in another state. */
  readonly changedByMail: (list: Exchange) => readonly string[];
  /** The templates that lists showed in another state directly after their mail. */
  readonly changed: ReadonlySet<string>;
  /** The templates that a mail was sent from since the latest list. */
  readonly mailed: (list: Exchange) => readonly string[];
  /** Mails from listed templates that were refused since the latest list as if the template were unknown. */
  readonly refused: ReadonlyMap<string, Exchange>;
  readonly note: (exchange: Exchange) => void;
};

/** An id of a template in a mail request. */
export const templateIdOf = (mail: Pick<Exchange, 'body'>): string => String(sentFields(mail).template_id);

const refusalFor = (mail: Exchange): string =>
  `${mail.status} ${mail.rawText.replaceAll(templateIdOf(mail), '')}`;

/**
 * Whether the lack of a template in one of two lists means anything: a list may be one of several pages, which the document does
 * not show (§4.2), unless the other one has all the templates of this one.
 */
const isComparable = (left: Pick<Shown, 'state' | 'ids'>, right: Pick<Shown, 'state' | 'ids'>): boolean => {
  if (left.state !== undefined && right.state !== undefined) return true;
  const [without, whole] = left.state === undefined ? [left, right] : [right, left];
  return [...without.ids].every((id) => whole.ids.has(id));
};

/** From this number of lists on, it is unlikely that somebody edited or replaced a template before each one. */
const enoughLists = 4;

/** An app behind the proxy may run for weeks. */
const maxTemplates = 10_000;

const isNew = ({ seen }: Streak, now: readonly unknown[]): boolean =>
  now.length > 0 && now.every((value) => !seen.has(value));

const extend = (streaks: Map<string, Streak>, key: string, now: readonly unknown[]): void => {
  const streak = streaks.get(key) ?? { seen: new Set(), length: 0 };
  const isLonger = isNew(streak, now);
  const seen = isLonger ? [...streak.seen, ...now] : now;
  streaks.set(key, { seen: new Set(seen), length: isLonger ? streak.length + 1 : 0 });
};

export const createTemplates = (): Templates => {
  let latest: ReadonlyMap<string, JsonObject> = new Map();
  let latestAt = Number.NEGATIVE_INFINITY;
  const shown = new Map<string, Shown[]>();
  const ofId = new Map<string, Streak>();
  const ofText = new Map<string, Streak>();
  const byPath = new Map<
    string,
    { readonly ids: string; readonly since: number; readonly last: number; readonly count: number }
  >();
  /** The latest reading: every fact about a list asks for it. */
  let reading: Reading | undefined;
  /** When the mails from templates arrived that no list came after. */
  const mails = new Map<string, number>();
  const refused = new Map<string, Exchange>();
  const refusalsOfUnknown = new Set<string>();
  /** The paths at which a mail was accepted: a deployment may know only one of the path forms (§4.4). */
  const workingPaths = new Set<string>();
  let returned = 0;
  const changed = new Set<string>();
  let isInterrupted = false;

  const read = (list: Exchange): Reading => {
    if (reading?.list !== list) reading = readList(list);
    return reading;
  };

  /** Whether an earlier state is back, for the first time since another one replaced it. Lists at the same time have no order. */
  const isBack = (
    history: readonly Shown[],
    now: Pick<Shown, 'state' | 'ids'>,
    { sentAt }: Exchange,
  ): boolean => {
    const alike = history.filter(({ state }) => state === now.state);
    return history.some(
      (other) =>
        other.state !== now.state &&
        isComparable(now, other) &&
        other.receivedAt <= sentAt &&
        alike.some(({ receivedAt }) => receivedAt <= other.sentAt) &&
        alike.every(({ lastSentAt }) => lastSentAt < other.receivedAt),
    );
  };

  const returns = (list: Exchange): boolean => {
    const { states, ids } = read(list);
    return [...shown].some(([id, history]) => isBack(history, { state: states.get(id), ids }, list));
  };

  const isLast = (streaks: Map<string, Streak>, key: string, now: readonly unknown[]): boolean => {
    const streak = streaks.get(key);
    return streak !== undefined && streak.length >= enoughLists - 1 && isNew(streak, now);
  };

  const neverStays = (list: Exchange): boolean =>
    !isInterrupted &&
    ([...read(list).states].some(([id, state]) => isLast(ofId, id, [state])) ||
      [...read(list).byText].some(([text, ids]) => isLast(ofText, text, ids)));

  const differsByPath = (list: Exchange): boolean => {
    const own = byPath.get(list.path);
    const { key: ids } = read(list);
    if (own?.ids !== ids) return false;
    // The lists of the other form arrived between lists of this one, so that nobody edited the templates in the meantime.
    return [...byPath].some(
      ([path, other]) =>
        path !== list.path &&
        other.ids !== ids &&
        other.count > 1 &&
        other.since > own.since &&
        other.last < list.sentAt,
    );
  };

  const notePath = (list: Exchange): void => {
    const { path, receivedAt } = list;
    const own = byPath.get(path);
    const { key: ids } = read(list);
    const isSame = own?.ids === ids;
    const { since, count } = isSame ? own : { since: receivedAt, count: 0 };
    byPath.set(path, { ids, since, count: count + 1, last: receivedAt });
  };

  const mailed = ({ sentAt }: Exchange): readonly string[] =>
    [...mails].flatMap(([id, receivedAt]) => (receivedAt <= sentAt ? [id] : []));

  const changedByMail = (list: Exchange): readonly string[] => {
    const { states, ids } = read(list);
    const idsBefore = new Set(latest.keys());
    return mailed(list).filter((id) => {
      const item = latest.get(id);
      if (item === undefined) return false;
      const [before, now] = [
        { state: stateOf(item), ids: idsBefore },
        { state: states.get(id), ids },
      ];
      return now.state !== before.state && isComparable(now, before);
    });
  };

  const noteList = (list: Exchange): void => {
    if (shown.size > maxTemplates) for (const map of [shown, ofId, ofText]) map.clear();
    if (returns(list)) returned += 1;
    for (const id of changedByMail(list)) changed.add(id);
    // Between other requests, somebody may edit a template before each list.
    if (isInterrupted) for (const streaks of [ofId, ofText]) streaks.clear();
    isInterrupted = false;
    for (const id of mailed(list)) mails.delete(id);
    for (const [id, mail] of refused) if (mail.receivedAt <= list.sentAt) refused.delete(id);
    const { states, ids, byText } = read(list);
    const { sentAt, receivedAt } = list;
    for (const id of new Set([...shown.keys(), ...states.keys()])) {
      const state = states.get(id);
      const history = shown.get(id) ?? [];
      shown.set(id, history);
      const last = history.at(-1);
      if (last && last.state === state) last.lastSentAt = sentAt;
      else history.push({ state, ids, sentAt, receivedAt, lastSentAt: sentAt });
      // Enough to see a state again, however long the history is.
      if (history.length > 20) history.shift();
    }
    for (const [id, state] of states) extend(ofId, id, [state]);
    for (const [text, ids] of byText) extend(ofText, text, ids);
    notePath(list);
    latest = new Map(itemsOf(list).map((item) => [textOf(item.id), item]));
    latestAt = receivedAt;
  };

  const noteMail = (mail: Exchange): void => {
    const id = templateIdOf(mail);
    if (mail.outcome === 'success') {
      workingPaths.add(mail.path);
      refused.delete(id);
      if (mail.sentAt >= latestAt && latest.has(id)) mails.set(id, mail.receivedAt);
    } else if (isRefusal(mail) && latest.size > 0) {
      if (!latest.has(id)) addDigest(refusalsOfUnknown, refusalFor(mail));
      else if (
        mail.intent === 'complete' &&
        workingPaths.has(mail.path) &&
        (hasGoneStatus(mail) || refusalsOfUnknown.has(digest(refusalFor(mail))))
      )
        refused.set(id, mail);
    }
  };

  return {
    get latest() {
      return latest;
    },
    returns,
    returned: () => returned,
    neverStays,
    differsByPath,
    changedByMail,
    changed,
    mailed,
    refused,
    note: (exchange) => {
      if (isTemplateList(exchange)) return noteList(exchange);
      isInterrupted = true;
      if (exchange.operation === 'sendTemplateEmail' && exchange.credentials === 'key') noteMail(exchange);
    },
  };
};
