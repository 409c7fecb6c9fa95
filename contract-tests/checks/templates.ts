import { type Exchange, itemsOf } from '../client/exchange.ts';
import type { Check, ReplyCheck } from '../session/check.ts';
import { claimOf } from '../session/operations.ts';
import { CheckFailed, CheckInconclusive, type Failure, fail, show } from '../session/outcome.ts';
import type { Session } from '../session/session.ts';
import {
  type Change,
  changesIn,
  type ListResponse,
  successesIn,
  type TemplatesById,
  templateHistoryChecks,
} from './template-history.ts';

const list = claimOf('listTemplates');

/**
 * The placeholders of a body in the form `{{variable_name}}` of §2.2. Returns `undefined` if the braces mean something else:
 * sections, helpers, comments and triple braces belong to a template language that the document does not describe.
 */
export const placeholdersIn = (body: string): string[] | undefined => {
  if (/\{\{\{|\}\}\}|\\[{}]/.test(body)) return undefined;
  const names = [...body.matchAll(/\{\{([^{}]*)\}\}/g)].map((match) => (match[1] ?? '').trim());
  const leftOver = body.replace(/\{\{[^{}]*\}\}/g, '');
  const plain = names.every((name) => /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(name));
  return plain && !/\{\{|\}\}/.test(leftOver) ? names : undefined;
};

const perTemplate =
  (
    judge: (names: readonly string[], variables: readonly unknown[]) => string | undefined,
    expected: string,
  ) =>
  (exchange: Exchange): Failure | 'fine' | 'not applicable' => {
    if (exchange.outcome !== 'success') return 'not applicable';
    let isApplicable = false;
    for (const [index, { body, variables }] of itemsOf(exchange).entries()) {
      const names = typeof body === 'string' ? placeholdersIn(body) : undefined;
      if (!names || !Array.isArray(variables)) continue;
      isApplicable = true;
      const wrong = judge(names, variables);
      if (wrong !== undefined) {
        const pointer = `/data/${index}/variables`;
        return { expected, actual: `${pointer}: ${wrong}`, exchange, pointer };
      }
    }
    return isApplicable ? 'fine' : 'not applicable';
  };

export const templateReplyChecks: readonly ReplyCheck[] = [
  {
    id: 'templates.list.placeholders-listed',
    title: 'variables lists every placeholder of body',
    level: 'documented',
    ...list,
    section: '2.2',
    inspect: perTemplate((names, variables) => {
      const missing = names.filter((name) => !variables.includes(name));
      return missing.length > 0 ? `variables lacks ${show([...new Set(missing)])}` : undefined;
    }, 'each placeholder of body in variables'),
  },
  {
    id: 'templates.list.no-extra-variables',
    title: 'variables lists only placeholders of body',
    level: 'derived',
    ...list,
    section: '2.2',
    inspect: perTemplate((names, variables) => {
      const extra = variables.filter((name) => !names.includes(String(name)));
      return extra.length > 0 ? `variables has ${show(extra)}, which body does not use` : undefined;
    }, 'only placeholders of body in variables'),
  },
  {
    id: 'templates.list.distinct-ids',
    title: 'no two templates share an id',
    level: 'derived',
    ...list,
    section: '2.2',
    inspect: (exchange) => {
      if (exchange.outcome !== 'success') return 'not applicable';
      const ids = itemsOf(exchange).map(({ id }) => id);
      const twice = ids.find((id, index) => ids.indexOf(id) !== index);
      return twice === undefined
        ? 'fine'
        : { expected: 'distinct ids', actual: `an id twice, among ${ids.length}`, exchange };
    },
  },
];

/**
 * Whether a change cannot be an edit by another user: an earlier value reappears, every list has
 * another value, or it concerns `created_at`.
 */
const cannotBeEdit =
  (lists: number) =>
  ({ field, history }: Change): boolean =>
    field === 'created_at' || history.length === lists || new Set(history).size < history.length;

const isWithin = (part: TemplatesById, whole: TemplatesById): boolean =>
  part.size < whole.size && [...part.keys()].every((id) => whole.has(id));

/**
 * Finds a list that lacks a template which the lists before and after it contain. Other differences prove nothing: paging and
 * order are not shown (§4.2), and another user may add or delete a template in the meantime.
 */
const flickering = (responses: readonly ListResponse[]): ListResponse | undefined =>
  responses.find(
    ({ list }, index) =>
      responses.slice(0, index).some((earlier) => isWithin(list, earlier.list)) &&
      responses.slice(index + 1).some((later) => isWithin(list, later.list)),
  );

const sameIds = (left: TemplatesById, right: TemplatesById): boolean =>
  [...left.keys(), ...right.keys()].every((id) => left.has(id) && right.has(id));

/** Groups the responses by path form. */
const perForm = (responses: readonly ListResponse[]): ListResponse[][] => {
  const forms = [...new Set(responses.map(({ exchange }) => exchange.path))];
  return forms.map((form) => responses.filter(({ exchange }) => exchange.path === form));
};

/** Whether two path forms each return a constant list, and the two lists differ. */
const disagree = (responses: readonly ListResponse[]): boolean => {
  const forms = perForm(responses).map((lists) => lists.map(({ list }) => list));
  const steady = forms.every(
    (lists) => lists.length > 1 && lists.every((list) => lists[0] !== undefined && sameIds(list, lists[0])),
  );
  const [first, second] = forms.map(([list]) => list);
  return steady && first && second ? !sameIds(first, second) : false;
};

/** Requests lists at alternating path forms, two per form: a change from list to list is then not due to the form. */
const listInTurn = async (
  session: Session,
  forms: readonly string[],
  rounds: number,
): Promise<ListResponse[]> => {
  const exchanges: Exchange[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const path = forms[Math.floor(round / 2) % forms.length] ?? '';
    exchanges.push(await session.send('listTemplates', { path }));
  }
  return successesIn(exchanges);
};

/** Fails with a sporadic finding: each list alone is correct, and the next one may equal the first again. */
const failSporadically = (expected: string, actual: string, exchange: Exchange | undefined): never => {
  throw new CheckFailed({ expected, actual, exchange, sporadic: true });
};

const expectConsistentValues = async (
  session: Session,
  forms: readonly string[],
  first: readonly ListResponse[],
): Promise<void> => {
  if (changesIn(first).length === 0) return;
  // Another user may have edited a template in the meantime: then the value from before the edit does not reappear.
  const responses = [...first, ...(await listInTurn(session, forms, 4))];
  const changes = changesIn(responses);
  const change = changes.find(cannotBeEdit(responses.length));
  if (change)
    failSporadically(
      'one value of each field',
      `a template has several values of ${change.field}`,
      responses.at(-1)?.exchange,
    );
  const reason = `a template was edited during the check: another ${changes[0]?.field}`;
  const { exchange } = responses.at(-1) ?? {};
  const failure = { expected: 'one value of each field', actual: reason, exchange, sporadic: true } as const;
  session.unstable.push({ reason, failure });
};

/** Maps each name and body to the ids of its templates. */
const idsByText = ({ list }: ListResponse): ReadonlyMap<string, readonly unknown[]> => {
  const ids = new Map<string, unknown[]>();
  for (const [id, { name, body }] of list) {
    const text = JSON.stringify([name, body]);
    ids.set(text, [...(ids.get(text) ?? []), id]);
  }
  return ids;
};

/** From this number of lists on, it is unlikely that another user replaced a template before each one. */
const enoughLists = 4;

/** Fails if a template is in every list, with a different id each time. */
const expectSameIds = (responses: readonly ListResponse[]): void => {
  const lists = responses.map(idsByText);
  const [first = new Map<string, unknown>()] = lists;
  const isRenamed = [...first.keys()].some((text) => {
    const ids = lists.map((list) => list.get(text) ?? []);
    return ids.every((some) => some.length > 0) && new Set(ids.flat()).size === ids.flat().length;
  });
  if (lists.length >= enoughLists && isRenamed)
    fail(
      'a template to keep its id',
      `a different id in each of ${lists.length} lists`,
      responses.at(-1)?.exchange,
    );
};

const expectSameTemplates = (responses: readonly ListResponse[]): void => {
  if (disagree(responses))
    fail('the same templates under both path forms', 'different templates', responses.at(-1)?.exchange);
  const missing = flickering(responses);
  if (missing)
    failSporadically(
      'the same templates in every list',
      'a template that is missing in one list and present in the next',
      missing.exchange,
    );
};

/** Compares two concurrent lists with the lists before and after them. */
const expectSameTogether = async (session: Session, path: string): Promise<void> => {
  const ask = (): Promise<Exchange> => session.send('listTemplates', { path });
  const before = await ask();
  const together = await Promise.all([ask(), ask()]);
  const after = await ask();
  for (const response of together) expectSameTemplates(successesIn([before, response, after]));
};

export const templateListChecks: readonly Check[] = [
  {
    id: 'templates.list.agrees',
    title: 'repeated lists agree on every template, under every path form',
    level: 'derived',
    ...list,
    run: async (session) => {
      const forms = session.pathForms('listTemplates');
      const responses = await listInTurn(session, forms, 8);
      if (responses.length === 0) throw new CheckInconclusive('no request for the list succeeded');
      await expectConsistentValues(session, forms, responses);
      expectSameIds(responses);
      expectSameTemplates(responses);
      await expectSameTogether(session, forms[0] ?? '');
    },
  },
  ...templateHistoryChecks,
];
