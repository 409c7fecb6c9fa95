import { type Problem, type ReplyCheck, show } from '../check.ts';
import { type Exchange, isObject, type JsonObject } from '../exchange.ts';

const list = { operation: 'listTemplates', needs: 'read' } as const;

export const itemsOf = ({ json }: Exchange): JsonObject[] =>
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
