import { show } from '../../exchange/describe.ts';
import { itemsOf, type JsonObject, textOf } from '../../exchange/exchange.ts';
import { claimOf, type ReplyCheck } from '../check.ts';

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

/** The names of placeholders by template. Equal lists share their templates, and a template may have 100,000 placeholders. */
const known = new WeakMap<JsonObject, { readonly names: ReadonlySet<string> | undefined }>();

const namesIn = (template: JsonObject): ReadonlySet<string> | undefined => {
  const { body } = template;
  const list = typeof body === 'string' && !known.has(template) ? placeholdersIn(body) : undefined;
  const entry = known.get(template) ?? { names: list && new Set(list) };
  known.set(template, entry);
  return entry.names;
};

/** The variables of a template, and the placeholders of its body. */
type Placeholders = { readonly names: ReadonlySet<string>; readonly variables: readonly unknown[] };

const placeholdersOf = (template: JsonObject): Placeholders | undefined => {
  const names = namesIn(template);
  const { variables } = template;
  return names && Array.isArray(variables) ? { names, variables } : undefined;
};

/** A check of the variables of each template whose placeholders have the form of §2.2. */
const ofVariables = (
  check: Pick<ReplyCheck, 'id' | 'title' | 'level'>,
  expected: string,
  judge: (placeholders: Placeholders) => string | undefined,
): ReplyCheck => ({
  ...list,
  ...check,
  section: '2.2',
  missing: 'no template was listed whose placeholders all have the form of §2.2',
  applies: (exchange) => exchange.outcome === 'success' && itemsOf(exchange).some(placeholdersOf),
  defect: (exchange) => {
    for (const [index, template] of itemsOf(exchange).entries()) {
      const placeholders = placeholdersOf(template);
      const wrong = placeholders && judge(placeholders);
      if (wrong === undefined) continue;
      const pointer = `/data/${index}/variables`;
      return { expected, actual: `${pointer}: ${wrong}`, pointer };
    }
    return undefined;
  },
});

export const templateReplyChecks: readonly ReplyCheck[] = [
  ofVariables(
    {
      id: 'templates.list.placeholders-listed',
      title: 'variables lists every placeholder of body',
      level: 'documented',
    },
    'each placeholder of body in variables',
    ({ names, variables }) => {
      const listed = new Set(variables);
      const missing = [...names].filter((name) => !listed.has(name));
      return missing.length > 0 ? `variables lacks ${show(missing)}` : undefined;
    },
  ),
  ofVariables(
    {
      id: 'templates.list.no-extra-variables',
      title: 'variables lists only placeholders of body',
      level: 'derived',
    },
    'only placeholders of body in variables',
    ({ names, variables }) => {
      const extra = variables.filter((name) => !names.has(textOf(name)));
      return extra.length > 0 ? `variables has ${show(extra)}, which body does not use` : undefined;
    },
  ),
  {
    id: 'templates.list.distinct-ids',
    title: 'no two templates share an id',
    level: 'derived',
    ...list,
    section: '2.2',
    applies: ({ outcome }) => outcome === 'success',
    defect: (exchange) => {
      const ids = itemsOf(exchange).flatMap(({ id }) => id ?? []);
      return new Set(ids).size === ids.length
        ? undefined
        : { expected: 'distinct ids', actual: `an id twice, among ${ids.length}` };
    },
  },
];
