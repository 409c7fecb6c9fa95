import { type Exchange, itemsOf } from '../client/exchange.ts';
import type { ReplyCheck } from '../session/check.ts';
import { claimOf } from '../session/operations.ts';
import { type Failure, show } from '../session/outcome.ts';

const list = claimOf('listTemplates');

/**
 * The placeholders of a body in §2.2's form `{{variable_name}}`, or `undefined` where its braces mean something else:
 * sections, helpers, comments and triple braces are a template language the document does not describe.
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
        : { expected: 'distinct ids', actual: `an id twice, of ${ids.length}`, exchange };
    },
  },
];
