import { after, changeBody, changeCall, inBody, refuse, refuseWhere, rewrite } from '../server/mutation.ts';
import type { Call, Mutation, Operation } from '../server/types.ts';
import { always, baseAt, operations, server, without, withStatus, withValue } from './mutation.ts';

/** A gateway that takes requests without a condition for repeated ones. */
const notModified = (applies: (call: Call) => boolean): Mutation =>
  rewrite(
    (call, reply) => after('listTemplates')(call, reply) && applies(call),
    () => ({ status: 304, payload: Buffer.alloc(0), headers: {} }),
  );

/** A framework that wants a slash at the end of a path. */
const movedToSlash = (operation: Operation, path: string): Mutation =>
  rewrite(after(operation), () => ({
    status: 308,
    payload: Buffer.alloc(0),
    headers: { location: `${path}/` },
  }));

/** §4: success is status 200. */
const wrongStatuses = [
  server('Send email redirects to its path with a slash', 'email.send.success').with(
    movedToSlash('sendEmail', '/api/v1/email/send'),
  ),
  server('List templates answers 203', 'templates.list.success', 'integer-ids').with(
    withStatus('listTemplates', 203),
  ),
  server('Every second list of templates is a 304', 'templates.list.every-time', 'uuid-ids').with(
    notModified(({ nth }) => nth % 2 === 0),
  ),
  server('Send from template answers 202', 'email.template.success', 'paths-as-in-examples').with(
    withStatus('sendTemplateEmail', 202),
  ),
  server('Add lead answers 201', 'leads.add.success').with(withStatus('addLead', 201)),
  server('Update lead answers 201', 'leads.update.success', 'uuid-ids').with(withStatus('updateLead', 201)),
  server('Delete lead answers 204 without a body', 'leads.delete.success').with({
    ...withStatus('deleteLead', 204),
    ...rewrite(after('deleteLead'), () => ({ payload: Buffer.alloc(0), headers: {} })),
  }),
];

/** §4: the operation exists. None of its path forms does here, or all of them meet an internal error. */
const failingOperations = operations.flatMap(([operation, title, group], index) =>
  [[404, 405, 501][index % 3] ?? 404, 500].map((status, at) =>
    server(`${title} answers ${status} at every address`, `${group}.success`, baseAt(index + 3 * at)).with(
      refuseWhere(operation, refuse(status, 'no such operation', 'route'), always),
    ),
  ),
);

/** What operations have for `success` and `message`, which are true and a string (§4); undefined stands for no such field. */
const wrongValues = [
  ['success', [undefined, 1, null, 'true', undefined, 'ok']],
  ['message', [null, undefined, { text: 'done' }, undefined, 7, ['done']]],
] as const;

const wrongFields = wrongValues.flatMap(([field, values], row) =>
  operations.map(([operation, title, group], index) => {
    const value = values[index];
    return server(
      `${title} succeeds with ${field} ${JSON.stringify(value) ?? 'left out'}`,
      `${group}.${field}`,
      baseAt(index + row),
    ).with(inBody(operation, value === undefined ? without(field) : withValue(field, value)));
  }),
);

/** §7.1: `error` is an empty string when lists, updates and deletions succeed; where the others have one, it is no failure. */
const errors = [
  server('List templates succeeds with a text in error', 'templates.list.error', 'behind-a-proxy').with(
    inBody('listTemplates', withValue('error', 'none')),
  ),
  server('Update lead succeeds without the field error', 'leads.update.error', 'refusals-at-200').with(
    inBody('updateLead', without('error')),
  ),
  server('Delete lead succeeds with error null', 'leads.delete.error', 'strict-fields').with(
    inBody('deleteLead', withValue('error', null)),
  ),
  server('Add lead succeeds with error null', 'replies.no-error').with(
    inBody('addLead', withValue('error', null)),
  ),
];

const bom = Buffer.from([0xef, 0xbb, 0xbf]);

/** Replaces the body of a response, seen as text. */
const rewriteText = (
  applies: Parameters<typeof rewrite>[0],
  change: (text: string) => Buffer | string,
): Mutation =>
  rewrite(applies, ({ payload }) => ({ payload: Buffer.from(change(payload.toString('utf8'))) }));

/** §1: replies are JSON, that is UTF-8 without a mark at its start, one value, nothing after it. */
const encodings = [
  server('A warning follows the JSON', 'replies.encoding', 'php-style').with(
    rewriteText(always, (text) => `${text}\n<br />Notice: undefined index`),
  ),
  server('Replies begin with a byte order mark', 'replies.encoding').with(
    rewriteText(always, (text) => Buffer.concat([bom, Buffer.from(text)])),
  ),
  server('Replies are written in Latin-1', 'replies.encoding').with(
    rewriteText(always, (text) => Buffer.from(text, 'latin1')),
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
const parts = [
  server('A response ends after 30,000 bytes', 'leads.update.success').with(
    rewrite(
      (_, { refused }) => !refused,
      ({ payload }) => ({ payload: payload.subarray(0, 30_000) }),
    ),
  ),
  server('A character is lost where a buffer ends', 'leads.update.keeps-long-texts', 'bodies-422').with(
    changeCall('updateLead', (call) => {
      const bytes = Buffer.from(call.text);
      if (bytes.length <= 65_536) return {};
      const text = `${bytes.subarray(0, 65_536).toString()}${bytes.subarray(65_536).toString()}`;
      return { text, body: JSON.parse(text) };
    }),
  ),
  server('Reads the fields of a new lead by their position', 'leads.add.echoes-fields').with(
    changeBody('addLead', (body) => {
      const names = ['name', 'source', 'note'];
      const values = Object.entries(body).filter(([name]) => names.includes(name));
      if (values.length < names.length) return body;
      return Object.fromEntries(names.map((name, at) => [name, values[at]?.[1]]));
    }),
  ),
  // §1, §5.2: JSON is labelled as such.
  server('Add lead has no content type', 'replies.content-type').with(
    rewrite(after('addLead'), () => ({ headers: {} })),
  ),
];

export const responses = [
  ...[wrongStatuses, failingOperations, wrongFields, errors].flat(),
  ...[encodings, parts].flat(),
];
