import { baseAt, breaking, documented, operations } from './breaking.ts';
import { inBody, without, withValue } from './faults.ts';

const success = breaking('success-field');
const message = breaking('message-field');
const error = breaking('error-field');

const called = (value: unknown) => (value === null ? 'null' : typeof value);

/** §4: `success` equal to true. */
const successes = operations.flatMap(([operation, word, title], index) => {
  const value = ['true', 1, null, 'true', 'ok', 1][index];
  return [
    success(
      `${word}-without-success`,
      `${title} succeeds without the field success`,
      baseAt(index),
      documented('4'),
      inBody(operation, without('success')),
    ),
    success(
      `${word}-success-${called(value)}`,
      `${title} succeeds with success ${JSON.stringify(value)}`,
      baseAt(index + 2),
      documented('4'),
      inBody(operation, withValue('success', value)),
    ),
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
      documented(section),
      inBody(operation, without('message')),
    ),
    message(
      `${word}-message-${kind}`,
      `${title} succeeds with message ${JSON.stringify(value)}`,
      baseAt(index + 4),
      documented(section),
      inBody(operation, withValue('message', value)),
    ),
  ];
});

const withError = operations.filter(([operation]) =>
  ['listTemplates', 'updateLead', 'deleteLead'].includes(operation),
);

/** §7.1: `error` is an empty string when these three succeed. */
const errors = withError.flatMap(([operation, word, title, section], index) => [
  error(
    `${word}-without-error`,
    `${title} succeeds without the field error`,
    baseAt(index),
    documented(section),
    inBody(operation, without('error')),
  ),
  error(
    `${word}-error-null`,
    `${title} succeeds with error null`,
    baseAt(index + 2),
    documented(section),
    inBody(operation, withValue('error', null)),
  ),
  error(
    `${word}-error-text`,
    `${title} succeeds with a text in error`,
    baseAt(index + 4),
    documented(section),
    inBody(operation, withValue('error', 'none')),
  ),
]);

export const envelope = [
  ...successes,
  ...messages,
  ...errors,
  error(
    'update-error-false',
    'Update lead succeeds with error false',
    'uuid-ids',
    documented('4.6'),
    inBody('updateLead', withValue('error', false)),
  ),
  error(
    'list-error-blank',
    'List templates succeeds with a blank in error',
    'extra-fields',
    documented('4.2'),
    inBody('listTemplates', withValue('error', ' ')),
  ),
  error(
    'singular-list-without-error',
    'List templates lacks error at its singular path only',
    'plain',
    documented('4.2'),
    inBody('listTemplates', (body, call) =>
      call.path.endsWith('/template') ? without('error')(body) : body,
    ),
  ),
];
