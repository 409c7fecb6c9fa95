import { after, inBody, isKeyRefused, refuse, rewrite } from '../server/mutation.ts';
import type { Call, Mutation, Operation } from '../server/types.ts';
import { baseAt, operations, server, without, withStatus, withValue } from './mutation.ts';

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
  server(
    'Every second list of templates is a 304',
    ['templates.list.every-time', 'templates.list.auth.then-key'],
    'uuid-ids',
  ).with(notModified(({ nth }) => nth % 2 === 0)),
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
    server(`${title} answers ${status} at every address`, `${group}.success`, baseAt(index + 3 * at)).with({
      handle: (call, next) =>
        call.operation === operation && !isKeyRefused(call, next)
          ? refuse(status, 'no such operation', 'route')
          : next(call),
    }),
  ),
);

export const status = [...wrongStatuses, ...failingOperations];

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
  server('Update lead succeeds with error false', 'leads.update.error', 'uuid-ids').with(
    inBody('updateLead', withValue('error', false)),
  ),
  server('Add lead succeeds with error null', 'replies.no-error').with(
    inBody('addLead', withValue('error', null)),
  ),
  server('Send email succeeds with a text in error', 'replies.no-error', 'integer-ids').with(
    inBody('sendEmail', withValue('error', 'none')),
  ),
];

export const envelope = [...wrongFields, ...errors];
