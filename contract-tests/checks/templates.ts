import type { ActiveCheck, Problem, ReplyCheck } from '../check.ts';
import { CheckInconclusive, fail, show } from '../check.ts';
import { type Exchange, isObject, type JsonObject } from '../exchange.ts';

const list = { operation: 'listTemplates', needs: 'read' } as const;

const itemsOf = ({ json }: Exchange): JsonObject[] =>
  isObject(json) && Array.isArray(json.data) ? json.data.filter(isObject) : [];

/**
 * The placeholders of a body in §2.2's form `{{variable_name}}`, or `undefined` where its braces mean something else:
 * sections, helpers, comments and triple braces are a template language the document does not describe.
 */
export const placeholdersIn = (body: string): string[] | undefined => {
  if (/\{\{\{|\}\}\}|\\[{}]/.test(body)) return undefined;
  const names = [...body.matchAll(/\{\{([\s\S]*?)\}\}/g)].map((match) => (match[1] ?? '').trim());
  const leftOver = body.replace(/\{\{[\s\S]*?\}\}/g, '');
  const plain = names.every((name) => /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(name));
  return plain && !/\{\{|\}\}/.test(leftOver) ? names : undefined;
};

const perTemplate =
  (
    judge: (names: readonly string[], variables: readonly unknown[]) => string | undefined,
    expected: string,
  ) =>
  (exchange: Exchange): Problem | 'fine' | 'not applicable' => {
    if (exchange.outcome !== 'success') return 'not applicable';
    let seen = false;
    for (const [index, { body, variables }] of itemsOf(exchange).entries()) {
      const names = typeof body === 'string' ? placeholdersIn(body) : undefined;
      if (!names || !Array.isArray(variables)) continue;
      seen = true;
      const wrong = judge(names, variables);
      if (wrong !== undefined) {
        const pointer = `/data/${index}/variables`;
        return { expected, actual: `${pointer}: ${wrong}`, exchange, pointer };
      }
    }
    return seen ? 'fine' : 'not applicable';
  };

export const templateReplyChecks: readonly ReplyCheck[] = [
  {
    id: 'templates.list.placeholders-listed',
    title: 'variables names every placeholder of body',
    section: '2.2',
    level: 'documented',
    ...list,
    inspect: perTemplate((names, variables) => {
      const missing = names.filter((name) => !variables.includes(name));
      return missing.length > 0 ? `variables lacks ${show([...new Set(missing)])}` : undefined;
    }, 'each placeholder of body in variables'),
  },
  {
    id: 'templates.list.no-extra-variables',
    title: 'variables names nothing but placeholders of body',
    section: '2.2',
    level: 'derived',
    ...list,
    inspect: perTemplate((names, variables) => {
      const extra = variables.filter((name) => !names.includes(String(name)));
      return extra.length > 0 ? `variables has ${show(extra)}, which body does not use` : undefined;
    }, 'nothing in variables that body does not use'),
  },
  {
    id: 'templates.list.distinct-ids',
    title: 'no two templates share an id',
    section: '2.2',
    level: 'derived',
    ...list,
    inspect: (exchange) => {
      if (exchange.outcome !== 'success') return 'not applicable';
      const ids = itemsOf(exchange).map(({ id }) => id);
      const twice = ids.find((id, index) => ids.indexOf(id) !== index);
      return twice === undefined
        ? 'fine'
        : { expected: 'distinct ids', actual: `an id twice, of ${ids.length}`, exchange };
    },
  },
];

const byId = (exchange: Exchange): Map<unknown, JsonObject> =>
  new Map(itemsOf(exchange).map((item) => [item.id, item]));

type Listed = ReadonlyMap<unknown, JsonObject>;

/** What two lists tell differently of a template that is in both. */
const contradiction = (one: Listed, other: Listed): string | undefined => {
  for (const [id, item] of one) {
    const twin = other.get(id);
    const field =
      twin &&
      ['name', 'body', 'variables', 'created_at'].find(
        (name) => JSON.stringify(item[name]) !== JSON.stringify(twin[name]),
      );
    if (field !== undefined) return `a template has two values of ${field}`;
  }
  return undefined;
};

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

export const templateChecks: readonly ActiveCheck[] = [
  {
    id: 'templates.list.agrees',
    title: 'two lists, under every path form, tell the same of a template',
    section: '4.2',
    level: 'derived',
    ...list,
    run: async (session) => {
      const ability = session.abilities.get('listTemplates');
      const forms = ability?.usable ? ability.forms : [];
      const seen: { path: string; exchange: Exchange; list: Listed }[] = [];
      // In turn and often enough that a fault which shows only now and then shows here.
      for (let round = 0; round < 8; round += 1) {
        const path = forms[round % forms.length] ?? '';
        const exchange = await session.send('listTemplates', { path });
        if (exchange.outcome === 'success') seen.push({ path, exchange, list: byId(exchange) });
      }
      const [first] = seen;
      if (!first) throw new CheckInconclusive('no list succeeded');
      for (const { list: other, exchange } of seen) {
        const difference = contradiction(first.list, other);
        if (difference !== undefined) fail('one value of each field', difference, exchange);
      }
      const perForm = forms.map((form) =>
        seen.filter(({ path }) => path === form).map(({ list: one }) => one),
      );
      if (perForm.some(flicker))
        fail(
          'the same templates in every list',
          'a template that is gone from one list and back in the next',
          first.exchange,
        );
      if (disagree(perForm))
        fail('the same templates under both path forms', 'each form has its own', seen.at(-1)?.exchange);
    },
  },
];
