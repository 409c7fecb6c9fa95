import { setTimeout as wait } from 'node:timers/promises';
import { type Exchange, itemsOf, type JsonObject } from '../client/exchange.ts';
import type { ReplyCheck } from '../session/check.ts';
import { requireList, templateIdOf } from '../session/email-requests.ts';
import { claimOf } from '../session/operations.ts';
import type { Session } from '../session/session.ts';
import type { ListedTemplate } from '../session/shared.ts';
import { isTimestamp, timeOf } from './support/timestamp.ts';

const list = claimOf('listTemplates');

export type TemplatesById = ReadonlyMap<unknown, JsonObject>;

/** One list response with its templates. Lists are in the order in which they were received. */
export type ListResponse = { readonly exchange: Exchange; readonly list: TemplatesById };

const byId = (exchange: Exchange): TemplatesById => new Map(itemsOf(exchange).map((item) => [item.id, item]));

export const successesIn = (exchanges: readonly Exchange[]): ListResponse[] =>
  exchanges
    .filter(({ outcome }) => outcome === 'success')
    .map((exchange) => ({ exchange, list: byId(exchange) }));

/** Normalises a value for comparison: two instances may format one time differently, and list variables in any order. */
const comparable = (value: unknown): string => {
  if (typeof value === 'string' && isTimestamp(value)) return String(timeOf(value));
  return JSON.stringify(Array.isArray(value) ? [...value].sort() : (value ?? null));
};

/** The successive values of a field of a template, without consecutive repetitions. */
const historyOf = (responses: readonly ListResponse[], id: unknown, field: string): string[] => {
  const items = responses.flatMap(({ list }): readonly JsonObject[] => {
    const item = list.get(id);
    return item ? [item] : [];
  });
  const values = items.map((item) => comparable(item[field]));
  return values.filter((value, index) => value !== values[index - 1]);
};

const fields = ['name', 'body', 'variables', 'created_at'];

export type Change = { readonly field: string; readonly history: readonly string[] };

export const changesIn = (responses: readonly ListResponse[]): Change[] => {
  const ids = new Set(responses.flatMap(({ list }) => [...list.keys()]));
  return [...ids]
    .flatMap((id) => fields.map((field) => ({ field, history: historyOf(responses, id, field) })))
    .filter(({ history }) => history.length > 1);
};

/**
 * The lists that differ from the previous one, among those requested after the previous one was received:
 * the order of concurrent lists is unknown.
 */
const changesOneByOne = (responses: readonly ListResponse[]): readonly ListResponse[] => {
  const chosen: ListResponse[] = [];
  let freeFrom = 0;
  for (const response of responses.toSorted((a, b) => a.exchange.receivedAt - b.exchange.receivedAt)) {
    const { sentAt, receivedAt, rawText } = response.exchange;
    if (sentAt < freeFrom) continue;
    if (rawText !== chosen.at(-1)?.exchange.rawText) chosen.push(response);
    freeFrom = receivedAt;
  }
  return chosen;
};

/** How often a template returned to an earlier state. Several fields may be changed and restored together. */
const returnsOf = (responses: readonly ListResponse[], id: unknown): number =>
  Math.max(
    ...fields.map((field) => {
      const history = historyOf(responses, id, field);
      return history.length - new Set(history).size;
    }),
  );

/** Another user may undo one edit during a run, but hardly more. */
const mostReturns = 1;

/** The changes of the sent templates in the list. */
export const changedBySending = async (session: Session): Promise<readonly string[]> => {
  const changed = await changedNow(session);
  if (changed.length === 0) return changed;
  // An entry may be missing temporarily, which is a finding of `templates.list.agrees`.
  await wait(500);
  const later = await changedNow(session);
  return later.length === changed.length ? later : [];
};

const changeOf = (
  { name, body }: ListedTemplate,
  listed: Partial<Record<'name' | 'body', unknown>> | undefined,
): string | undefined => {
  if (!listed) return 'no longer listed';
  if (listed.body !== body) return 'another body';
  return listed.name === name ? undefined : 'another name';
};

/** The first list with the changed template, if a mail of the template was sent between it and the previous list. */
const listAfterMail = ({ client }: Session, template: ListedTemplate): Exchange | undefined => {
  const lists = successesIn(client.exchanges.filter(({ operation }) => operation === 'listTemplates')).sort(
    (left, right) => left.exchange.sentAt - right.exchange.sentAt,
  );
  const last = lists.findLastIndex(({ list }) => changeOf(template, list.get(template.id)) === undefined);
  const [before, after] = lists.slice(last).map(({ exchange }) => exchange);
  if (last === -1 || !before || !after) return undefined;
  const isMailed = client.exchanges.some(
    (exchange) =>
      exchange.operation === 'sendTemplateEmail' &&
      templateIdOf(exchange) === template.id &&
      exchange.receivedAt > before.sentAt &&
      exchange.sentAt < after.receivedAt,
  );
  return isMailed ? after : undefined;
};

const changedNow = async (session: Session): Promise<readonly string[]> => {
  const after = new Map((await requireList(session)).map((template) => [template.id, template]));
  const changed = session.templates.filter((one) => changeOf(one, after.get(one.id)) !== undefined);
  // Another person may edit or delete templates during the run, but is unlikely to do so exactly when each is sent.
  const lists = new Set(changed.map((one) => listAfterMail(session, one)));
  if (lists.size < 2 || lists.has(undefined)) return [];
  return changed.flatMap((one) => changeOf(one, after.get(one.id)) ?? []);
};

/** Checks of how a template changes across all lists of a run. */
export const templateHistoryChecks: readonly ReplyCheck[] = [
  {
    id: 'templates.list.same-created-at',
    title: 'a template keeps its created_at from the first list of a run to the last',
    level: 'derived',
    ...list,
    section: '2.2',
    inspect: ({ outcome }) => (outcome === 'success' ? 'fine' : 'not applicable'),
    inspectAll: (exchanges) => {
      const responses = successesIn(exchanges);
      if (!changesIn(responses).some(({ field }) => field === 'created_at')) return undefined;
      const exchange = responses.at(-1)?.exchange;
      return { expected: 'one created_at for each template', actual: 'several for one template', exchange };
    },
  },
  {
    id: 'templates.list.lasting',
    title: 'templates do not change back and forth during a run',
    level: 'derived',
    ...list,
    inspect: ({ outcome }) => (outcome === 'success' ? 'fine' : 'not applicable'),
    inspectAll: (exchanges) => {
      const responses = changesOneByOne(successesIn(exchanges));
      const ids = new Set(responses.flatMap(({ list }) => [...list.keys()]));
      const returns = [...ids].reduce<number>((sum, id) => sum + returnsOf(responses, id), 0);
      if (returns <= mostReturns) return undefined;
      return {
        expected: 'no template to change back and forth',
        actual: `a template returned to an earlier state, ${returns} times`,
        exchange: responses.at(-1)?.exchange,
        sporadic: true,
      };
    },
  },
];
