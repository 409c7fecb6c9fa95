import { type ActiveCheck, CheckInconclusive, fail } from '../check.ts';
import type { Exchange, JsonObject } from '../exchange.ts';
import type { Session } from '../session.ts';
import { isTimestamp, timeOf } from '../timestamp.ts';
import { itemsOf } from './templates.ts';

type Listed = ReadonlyMap<unknown, JsonObject>;

/** One of several lists, in the order in which they came. */
type Seen = { readonly path: string; readonly exchange: Exchange; readonly list: Listed };

const byId = (exchange: Exchange): Listed => new Map(itemsOf(exchange).map((item) => [item.id, item]));

/** A value for comparing: two instances may write one moment in two ways, and name variables in any order. */
const comparable = (value: unknown): string => {
  if (typeof value === 'string' && isTimestamp(value)) return String(timeOf(value));
  return JSON.stringify(Array.isArray(value) ? [...value].sort() : (value ?? null));
};

/** The values a field of a template had, one after the other, without repetitions. */
const historyOf = (seen: readonly Seen[], id: unknown, field: string): string[] => {
  const values = seen.flatMap(({ list }) => {
    const item = list.get(id);
    return item ? [comparable(item[field])] : [];
  });
  return values.filter((value, index) => value !== values[index - 1]);
};

const fields = ['name', 'body', 'variables', 'created_at'];

type Change = { readonly field: string; readonly history: readonly string[] };

const changesIn = (seen: readonly Seen[]): Change[] => {
  const ids = new Set(seen.flatMap(({ list }) => [...list.keys()]));
  return [...ids]
    .flatMap((id) => fields.map((field) => ({ field, history: historyOf(seen, id, field) })))
    .filter(({ history }) => history.length > 1);
};

/** Not what somebody does who edits a template: a value comes back, differs in every list, or is when it was created. */
const isNoEdit =
  (lists: number) =>
  ({ field, history }: Change): boolean =>
    field === 'created_at' || history.length === lists || new Set(history).size < history.length;

const isWithin = (part: Listed, whole: Listed): boolean =>
  part.size < whole.size && [...part.keys()].every((id) => whole.has(id));

/**
 * A template that is gone from one list and back in the next. Other differences prove nothing: paging and order are not
 * shown (§4.2), and somebody may add or delete a template meanwhile.
 */
const flicker = (lists: readonly Listed[]): boolean =>
  lists.some(
    (list, index) =>
      lists.slice(0, index).some((earlier) => isWithin(list, earlier)) &&
      lists.slice(index + 1).some((later) => isWithin(list, later)),
  );

const sameIds = (one: Listed, other: Listed): boolean =>
  one.size === other.size && [...one.keys()].every((id) => other.has(id));

/** Two path forms that each always tell the same, and not the same as the other. */
const disagree = (forms: readonly (readonly Listed[])[]): boolean => {
  const steady = forms.every((lists) =>
    lists.every((list) => lists[0] !== undefined && sameIds(list, lists[0])),
  );
  const [first, second] = forms.map(([list]) => list);
  return steady && first !== undefined && second !== undefined && !sameIds(first, second);
};

/** Lists in turn under each form, often enough that a fault which shows only now and then shows here. */
const listInTurn = async (session: Session, forms: readonly string[], rounds: number): Promise<Seen[]> => {
  const seen: Seen[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const path = forms[round % forms.length] ?? '';
    const exchange = await session.send('listTemplates', { path });
    if (exchange.outcome === 'success') seen.push({ path, exchange, list: byId(exchange) });
  }
  return seen;
};

const expectOneValue = async (session: Session, forms: readonly string[], first: readonly Seen[]) => {
  if (changesIn(first).length === 0) return;
  // Somebody may have edited a template meanwhile: what was before an edit does not come back.
  const seen = [...first, ...(await listInTurn(session, forms, 4))];
  const changes = changesIn(seen);
  const change = changes.find(isNoEdit(seen.length));
  if (change)
    fail('one value of each field', `a template has two values of ${change.field}`, seen.at(-1)?.exchange);
  session.unstable.push(`a template was edited meanwhile: another ${changes[0]?.field}`);
};

const expectSameTemplates = (forms: readonly string[], seen: readonly Seen[]): void => {
  const perForm = forms.map((form) => seen.filter(({ path }) => path === form).map(({ list }) => list));
  if (perForm.some(flicker))
    fail(
      'the same templates in every list',
      'a template that is gone from one list and back in the next',
      seen[0]?.exchange,
    );
  if (disagree(perForm))
    fail('the same templates under both path forms', 'each form has its own', seen.at(-1)?.exchange);
};

export const templateChecks: readonly ActiveCheck[] = [
  {
    id: 'templates.list.agrees',
    title: 'two lists, under every path form, tell the same of a template',
    section: '4.2',
    level: 'derived',
    operation: 'listTemplates',
    needs: 'read',
    run: async (session) => {
      const ability = session.abilities.get('listTemplates');
      const forms = ability?.usable ? ability.forms : [];
      const seen = await listInTurn(session, forms, 8);
      if (seen.length === 0) throw new CheckInconclusive('no list succeeded');
      await expectOneValue(session, forms, seen);
      expectSameTemplates(forms, seen);
    },
  },
];
