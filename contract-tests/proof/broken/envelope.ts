import { inBody, isKeyRefused, rewrite } from '../server/mutation.ts';
import { type Call, derived, documented, type Mutation, type Operation } from '../server/types.ts';
import { baseAt, brokenGroup, operations, succeeds, without, withStatus, withValue } from './mutation.ts';

const broken = brokenGroup('status', documented('4.7'));
const absent = brokenGroup('absent', documented('4'));
const constant = brokenGroup('constant-500', documented('4'));

/** A gateway that takes requests without a condition for repeated ones. */
const notModified = (applies: (call: Call) => boolean): Mutation =>
  rewrite(
    (reply, call) => succeeds('listTemplates')(reply, call) && applies(call),
    () => ({ status: 304, payload: Buffer.alloc(0), headers: {} }),
  );

/** A framework that wants a slash at the end of a path. */
const movedToSlash = (operation: Operation, path: string): Mutation =>
  rewrite(succeeds(operation), () => ({
    status: 308,
    payload: Buffer.alloc(0),
    headers: { location: `${path}/` },
  }));

/** §4: success is status 200. */
const wrongStatuses = [
  broken('send-202', 'Send email answers 202', 'plain', '4.1').with(withStatus('sendEmail', 202)),
  broken('send-308', 'Send email redirects to its path with a slash', 'plain', '4.1').with(
    movedToSlash('sendEmail', '/api/v1/email/send'),
  ),
  broken('list-203', 'List templates answers 203', 'integer-ids', '4.2').with(
    withStatus('listTemplates', 203),
  ),
  broken('list-304-every-second', 'Every second list of templates is a 304', 'uuid-ids', '4.2').with(
    notModified(({ nth }) => nth % 2 === 0),
  ),
  broken('template-send-202', 'Send from template answers 202', 'paths-as-in-examples', '4.3').with(
    withStatus('sendTemplateEmail', 202),
  ),
  broken('add-201', 'Add lead answers 201', 'plain', '4.5').with(withStatus('addLead', 201)),
  broken('update-201', 'Update lead answers 201', 'uuid-ids', '4.6').with(withStatus('updateLead', 201)),
  broken('delete-204', 'Delete lead answers 204 without a body').with({
    ...withStatus('deleteLead', 204),
    ...rewrite(succeeds('deleteLead'), () => ({ payload: Buffer.alloc(0), headers: {} })),
  }),
  broken('delete-200-empty', 'Delete lead answers 200 without a body', 'java-style').with(
    rewrite(succeeds('deleteLead'), () => ({ payload: Buffer.alloc(0) })),
  ),
];

/** §4: the operation exists. None of its path forms does here. */
const absentOperations = operations.map(([operation, word, title, section], index) => {
  const status = [404, 405, 501][index % 3] ?? 404;
  return absent(`${word}-absent`, `${title} answers ${status} at every address`, baseAt(index), section).with(
    {
      handle: (call, next) =>
        call.operation === operation && !isKeyRefused(call, next)
          ? { status, refused: 'route', body: { success: false, error: 'no such operation' } }
          : next(call),
    },
  );
});

/** A request that carries everything documented meets an internal error, always. */
const constantErrors = operations.map(([operation, word, title, section], index) =>
  constant(`${word}-500`, `${title} answers 500 to every good request`, baseAt(index + 3), section).with({
    handle: (call, next) => {
      const reply =
        call.operation === operation ? next({ ...call, id: '-', operation: undefined }) : next(call);
      if (call.operation !== operation || reply.refused === 'key') return reply;
      return { status: 500, refused: 'fields', body: { success: false, error: 'Internal Server Error' } };
    },
  }),
);

export const status = [...wrongStatuses, ...absentOperations, ...constantErrors];

const success = brokenGroup('success-field', documented('4'));
const message = brokenGroup('message-field', documented('4'));
const error = brokenGroup('error-field', documented('4.2'));

const called = (value: unknown) => (value === null ? 'null' : typeof value);

/** §4: `success` equal to true. */
const successes = operations.flatMap(([operation, word, title], index) => {
  const value = ['true', 1, null, 'true', 'ok', 1][index];
  return [
    success(`${word}-without-success`, `${title} succeeds without the field success`, baseAt(index)).with(
      inBody(operation, without('success')),
    ),
    success(
      `${word}-success-${called(value)}`,
      `${title} succeeds with success ${JSON.stringify(value)}`,
      baseAt(index + 2),
    ).with(inBody(operation, withValue('success', value))),
  ];
});

/** `message` is a string in the reply of every operation. */
const messages = operations.flatMap(([operation, word, title, section], index) => {
  const value = [null, 0, { text: 'done' }, null, 7, ['done']][index];
  const kind = Array.isArray(value) ? 'array' : called(value);
  return [
    message(
      `${word}-without-message`,
      `${title} succeeds without a message`,
      baseAt(index + 1),
      section,
    ).with(inBody(operation, without('message'))),
    message(
      `${word}-message-${kind}`,
      `${title} succeeds with message ${JSON.stringify(value)}`,
      baseAt(index + 4),
      section,
    ).with(inBody(operation, withValue('message', value))),
  ];
});

const withError = operations.filter(([operation]) =>
  ['listTemplates', 'updateLead', 'deleteLead'].includes(operation),
);

/** §7.1: `error` is an empty string when these three succeed. */
const errors = withError.flatMap(([operation, word, title, section], index) => [
  error(`${word}-without-error`, `${title} succeeds without the field error`, baseAt(index), section).with(
    inBody(operation, without('error')),
  ),
  error(`${word}-error-null`, `${title} succeeds with error null`, baseAt(index + 2), section).with(
    inBody(operation, withValue('error', null)),
  ),
  error(`${word}-error-text`, `${title} succeeds with a text in error`, baseAt(index + 4), section).with(
    inBody(operation, withValue('error', 'none')),
  ),
]);

export const envelope = [
  ...successes,
  ...messages,
  ...errors,
  error('update-error-false', 'Update lead succeeds with error false', 'uuid-ids', '4.6').with(
    inBody('updateLead', withValue('error', false)),
  ),
  error('add-error-null', 'Add lead succeeds with error null', 'plain', derived('7')).with(
    inBody('addLead', withValue('error', null)),
  ),
  error('send-error-text', 'Send email succeeds with a text in error', 'integer-ids', derived('7')).with(
    inBody('sendEmail', withValue('error', 'none')),
  ),
];
