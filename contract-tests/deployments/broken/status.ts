import { baseAt, breaking, documented, operations } from './breaking.ts';
import { asBytes, succeeds, withStatus } from './faults.ts';

const broken = breaking('status');
const absent = breaking('absent');

/** §4: success is status 200. */
const otherStatuses = [
  broken('send-202', 'Send email answers 202', 'plain', documented('4.1'), withStatus('sendEmail', 202)),
  broken(
    'list-203',
    'List templates answers 203',
    'integer-ids',
    documented('4.2'),
    withStatus('listTemplates', 203),
  ),
  broken(
    'list-206',
    'List templates answers 206',
    'extra-fields',
    documented('4.2'),
    withStatus('listTemplates', 206),
  ),
  broken(
    'template-send-202',
    'Send from template answers 202',
    'paths-as-in-examples',
    documented('4.3'),
    withStatus('sendTemplateEmail', 202),
  ),
  broken('add-201', 'Add lead answers 201', 'plain', documented('4.5'), withStatus('addLead', 201)),
  broken(
    'add-201-among-200',
    'Add lead answers 201 although refusals come at 200',
    'refusals-at-200',
    documented('4.5'),
    withStatus('addLead', 201),
  ),
  broken(
    'update-201',
    'Update lead answers 201',
    'uuid-ids',
    documented('4.6'),
    withStatus('updateLead', 201),
  ),
  broken(
    'update-202',
    'Update lead answers 202',
    'bodies-422',
    documented('4.6'),
    withStatus('updateLead', 202),
  ),
  broken(
    'delete-202',
    'Delete lead answers 202',
    'strict-fields',
    documented('4.7'),
    withStatus('deleteLead', 202),
  ),
  broken('delete-204', 'Delete lead answers 204 without a body', 'plain', documented('4.7'), {
    ...withStatus('deleteLead', 204),
    ...asBytes(succeeds('deleteLead'), () => ({ payload: Buffer.alloc(0), headers: {} })),
  }),
  broken(
    'delete-200-empty',
    'Delete lead answers 200 without a body',
    'java-style',
    documented('4.7'),
    asBytes(succeeds('deleteLead'), () => ({ payload: Buffer.alloc(0) })),
  ),
];

/** §4: the operation exists. None of its path forms does here. */
const absentOperations = operations.map(([operation, word, title, section], index) => {
  const status = [404, 405, 501][index % 3] ?? 404;
  return absent(
    `${word}-absent`,
    `${title} answers ${status} at every address`,
    baseAt(index),
    documented(section),
    {
      around: (call, next) =>
        call.operation === operation && next({ ...call, operation: undefined }).refused !== 'key'
          ? { status, refused: 'route', body: { success: false, error: 'no such operation' } }
          : next(call),
    },
  );
});

/** A request that carries everything documented meets an internal error, always. */
const constantErrors = operations.map(([operation, word, title, section], index) =>
  breaking('constant-500')(
    `${word}-500`,
    `${title} answers 500 to every good request`,
    baseAt(index + 3),
    documented(section),
    {
      around: (call, next) => {
        const reply =
          call.operation === operation ? next({ ...call, id: '-', operation: undefined }) : next(call);
        if (call.operation !== operation || reply.refused === 'key') return reply;
        return { status: 500, refused: 'fields', body: { success: false, error: 'Internal Server Error' } };
      },
    },
  ),
);

export const status = [...otherStatuses, ...absentOperations, ...constantErrors];
