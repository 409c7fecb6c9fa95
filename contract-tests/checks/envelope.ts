import { type ReplyCheck, show } from '../check.ts';
import { repeatedName } from '../repeated-name.ts';

/** For checks of the replies of every operation. */
export const every = { operation: 'listTemplates', needs: 'read', scope: 'every' } as const;

/** What holds for the replies of every operation, successes and refusals alike. */
export const envelopeChecks: readonly ReplyCheck[] = [
  {
    id: 'replies.distinct-names',
    title: 'no reply names a field twice',
    section: '1',
    level: 'derived',
    ...every,
    inspect: (exchange) => {
      const twice = repeatedName(exchange.rawText);
      return twice === undefined ? 'fine' : { expected: 'each field once', actual: twice, exchange };
    },
  },
  {
    id: 'replies.encoding',
    title: 'every reply is JSON in UTF-8 without a byte order mark',
    section: '4',
    level: 'documented',
    ...every,
    inspect: (exchange) =>
      exchange.byteProblem === undefined
        ? 'fine'
        : { expected: 'a body in UTF-8 without a byte order mark', actual: exchange.byteProblem, exchange },
  },
  {
    id: 'replies.content-type',
    title: 'every JSON reply is labelled as JSON',
    section: '1',
    level: 'derived',
    ...every,
    inspect: (exchange) => {
      if (exchange.json === undefined) return 'not applicable';
      const type = exchange.headers['content-type'];
      if (type !== undefined && /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) return 'fine';
      return { expected: 'Content-Type: application/json', actual: `Content-Type ${show(type)}`, exchange };
    },
  },
  {
    id: 'replies.no-server-error',
    title: 'no request that could be understood makes the server fail',
    section: '7',
    level: 'derived',
    ...every,
    inspect: (exchange) =>
      exchange.status >= 500 && exchange.outcome !== 'gateway'
        ? { expected: 'a reply or a refusal below 500', actual: `status ${exchange.status}`, exchange }
        : 'fine',
  },
];
