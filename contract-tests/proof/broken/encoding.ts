import { after, fieldsOf, rewrite } from '../server/mutation.ts';
import type { Mutation } from '../server/types.ts';
import { always, baseAt, server } from './mutation.ts';

const bom = Buffer.from([0xef, 0xbb, 0xbf]);
/** Replaces the body of a response, seen as text. */
const rewriteText = (
  applies: Parameters<typeof rewrite>[0],
  change: (text: string) => Buffer | string,
): Mutation =>
  rewrite(applies, ({ payload }) => ({ payload: Buffer.from(change(payload.toString('utf8'))) }));

/** Half of a surrogate pair in three bytes, as UTF-8 forbids. */
const encodeHalf = (unit: number) =>
  Buffer.from([0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)]);

/** §1: replies are JSON, that is UTF-8 without a mark at its start, one value, nothing after it. */
export const encodings = [
  server('A warning follows the JSON', 'replies.encoding', 'php-style').with(
    rewriteText(always, (text) => `${text}\n<br />Notice: undefined index`),
  ),
  server('Replies begin with a byte order mark', 'replies.encoding').with(
    rewriteText(always, (text) => Buffer.concat([bom, Buffer.from(text)])),
  ),
  server('Replies are written in Latin-1', 'replies.encoding').with(
    rewriteText(always, (text) => Buffer.from(text, 'latin1')),
  ),
  server('Characters beyond the basic plane are two halves', 'replies.encoding', 'uuid-ids').with(
    rewriteText(always, (text) =>
      Buffer.concat(
        [...text].flatMap((character) =>
          character.length === 1
            ? Buffer.from(character)
            : [encodeHalf(character.charCodeAt(0)), encodeHalf(character.charCodeAt(1))],
        ),
      ),
    ),
  ),
  server('Update lead answers with two objects', 'leads.update.success', 'bodies-422').with(
    rewriteText(after('updateLead'), (text) => `${text}\n{"success":true}`),
  ),
  server('The template list ends in a comma', 'templates.list.success', 'integer-ids').with(
    rewriteText(after('listTemplates'), (text) => text.replace(/\}$/, ',}')),
  ),
  server('Line breaks in texts are not escaped', 'leads.add.success', 'refusals-at-200').with(
    rewriteText(always, (text) => text.replaceAll('\\n', '\n')),
  ),
  server('Replies are a JSON string of JSON', 'replies.encoding', 'strict-fields').with(
    rewriteText(always, (text) => JSON.stringify(text)),
  ),
  server('Add lead holds two different lead_id', 'replies.distinct-names', 'integer-ids').with(
    rewriteText(after('addLead'), (text) => text.replace('{"lead_id"', '{"lead_id":"0","lead_id"')),
  ),
];

/** §1: a response is whole, a request is read as a whole, and the order of its members means nothing. */
export const parts = [
  server('A response ends after 30,000 bytes', 'leads.update.success').with(
    rewrite(
      (_, { refused }) => !refused,
      ({ payload }) => ({ payload: payload.subarray(0, 30_000) }),
    ),
  ),
  server('Every third update ends too early', 'replies.encoding', 'behind-a-proxy').with(
    rewrite(
      (call, reply) => after('updateLead')(call, reply) && call.nth % 3 === 0,
      ({ payload }) => ({ payload: payload.subarray(0, -1) }),
    ),
  ),
  server('A character is lost where a buffer ends', 'leads.update.keeps-long-texts', 'bodies-422').with({
    handle: (call, next) => {
      const bytes = Buffer.from(call.text);
      if (call.operation !== 'updateLead' || bytes.length <= 65_536) return next(call);
      const text = `${bytes.subarray(0, 65_536).toString()}${bytes.subarray(65_536).toString()}`;
      return next({ ...call, text, body: JSON.parse(text) });
    },
  }),
  server('Reads the fields of a new lead by their position', 'leads.add.echoes-fields').with({
    handle: (call, next) => {
      const names = ['name', 'source', 'note'];
      const values = Object.entries(fieldsOf(call)).filter(([name]) => names.includes(name));
      if (call.operation !== 'addLead' || values.length < names.length) return next(call);
      return next({ ...call, body: Object.fromEntries(names.map((name, at) => [name, values[at]?.[1]])) });
    },
  }),
];

/** §1, §5.2: JSON is labelled as such. */
export const contentTypes = [
  server('Add lead has no content type', 'replies.content-type').with(
    rewrite(after('addLead'), () => ({ headers: {} })),
  ),
  server('Every third update is labelled text/html', 'replies.content-type', baseAt(4)).with(
    rewrite(
      (call, reply) => after('updateLead')(call, reply) && call.nth % 3 === 0,
      ({ headers }) => ({ headers: { ...headers, 'content-type': 'text/html' } }),
    ),
  ),
];
