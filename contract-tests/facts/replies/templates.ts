import { show } from '../../exchange/describe.ts';
import { type Exchange, itemsOf, type JsonObject, textOf } from '../../exchange/exchange.ts';
import type { ReplyCheck } from '../check.ts';
import { claimOf } from '../check.ts';
import type { Failure } from '../failure.ts';

const list = claimOf('listTemplates');

const noPlaceholders = { missing: 'no template was listed whose placeholders all have the form of §2.2' };

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

const perTemplate =
  (
    judge: (names: ReadonlySet<string>, variables: readonly unknown[]) => string | undefined,
    expected: string,
  ) =>
  (exchange: Exchange): Failure | 'fine' | 'not applicable' => {
    if (exchange.outcome !== 'success') return 'not applicable';
    let isApplicable = false;
    for (const [index, template] of itemsOf(exchange).entries()) {
      const names = namesIn(template);
      const { variables } = template;
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
    ...noPlaceholders,
    inspect: perTemplate((names, variables) => {
      const listed = new Set(variables);
      const missing = [...names].filter((name) => !listed.has(name));
      return missing.length > 0 ? `variables lacks ${show(missing)}` : undefined;
    }, 'each placeholder of body in variables'),
  },
  {
    id: 'templates.list.no-extra-variables',
    title: 'variables lists only placeholders of body',
    level: 'derived',
    ...list,
    section: '2.2',
    ...noPlaceholders,
    inspect: perTemplate((names, variables) => {
      const extra = variables.filter((name) => !names.has(textOf(name)));
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
