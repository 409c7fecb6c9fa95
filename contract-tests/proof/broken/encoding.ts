import { rewrite } from '../server/mutation.ts';
import type { Mutation, RawResponse } from '../server/types.ts';
import { derived, documented } from '../server/types.ts';
import { always, baseAt, brokenGroup, succeeds } from './mutation.ts';

const broken = brokenGroup('encoding', documented('1'));

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
  broken('bom', 'Replies begin with a byte order mark').with(
    rewriteText(always, (text) => Buffer.concat([bom, Buffer.from(text)])),
  ),
  broken('latin1-bytes', 'Replies are written in Latin-1').with(
    rewriteText(always, (text) => Buffer.from(text, 'latin1')),
  ),
  broken('utf16', 'Replies are written in UTF-16', 'integer-ids').with(
    rewriteText(always, (text) => Buffer.from(`\ufeff${text}`, 'utf16le')),
  ),
  broken('surrogates-as-utf8', 'Characters beyond the basic plane are two halves', 'uuid-ids').with(
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
  broken('trailing-garbage', 'A warning follows the JSON', 'php-style').with(
    rewriteText(always, (text) => `${text}\n<br />Notice: undefined index`),
  ),
  broken('two-values', 'Update lead answers with two objects', 'bodies-422').with(
    rewriteText(succeeds('updateLead'), (text) => `${text}\n{"success":true}`),
  ),
  broken('guard-prefix', 'Replies begin with a guard against scripts', 'uuid-ids').with(
    rewriteText(always, (text) => `)]}',\n${text}`),
  ),
  broken('trailing-comma', 'The template list ends in a comma', 'integer-ids').with(
    rewriteText(succeeds('listTemplates'), (text) => text.replace(/\}$/, ',}')),
  ),
  broken('single-quotes', 'Delete lead quotes with apostrophes').with(
    rewriteText(succeeds('deleteLead'), (text) => text.replaceAll('"', "'")),
  ),
  broken('raw-line-breaks', 'Line breaks in texts are not escaped', 'refusals-at-200').with(
    rewriteText(always, (text) => text.replaceAll('\\n', '\n')),
  ),
  broken('json-in-a-string', 'Replies are a JSON string of JSON', 'strict-fields', '4').with(
    rewriteText(always, (text) => JSON.stringify(text)),
  ),
  broken('success-twice', 'Replies hold success false, then success true', 'plain', derived('1')).with(
    rewriteText(succeeds('sendEmail'), (text) => text.replace('{', '{"success":false,')),
  ),
  broken('lead-id-twice', 'Add lead holds two different lead_id', 'integer-ids', derived('1')).with(
    rewriteText(succeeds('addLead'), (text) => text.replace('{"lead_id"', '{"lead_id":"0","lead_id"')),
  ),
];

const contentType = brokenGroup('content-type', derived('1'));

const labelled =
  (type: string) =>
  ({ headers }: RawResponse) => ({ headers: { ...headers, 'content-type': type } });

/** §1, §5.2: JSON is labelled as such. */
export const contentTypes = [
  contentType('not-labelled', 'Add lead has no content type').with(
    rewrite(succeeds('addLead'), () => ({ headers: {} })),
  ),
  contentType('every-third-labelled-html', 'Every third update is labelled text/html', baseAt(4)).with(
    rewrite(
      (reply, call) => succeeds('updateLead')(reply, call) && call.nth % 3 === 0,
      labelled('text/html'),
    ),
  ),
];
