import type { QuestionId } from '../mock/questions.ts';

/** A place where the document leaves something open: it says so, or it is silent about what an implementation must decide. */
export type OpenPoint = {
  readonly section: string;
  readonly kind: 'not shown' | 'silent';
  /** What the document says or leaves out, in our words. */
  readonly says: string;
  readonly questions: readonly QuestionId[];
};

const notShown = (section: string, says: string, ...questions: QuestionId[]): OpenPoint => ({
  section,
  kind: 'not shown',
  says,
  questions,
});
const silent = (section: string, says: string, ...questions: QuestionId[]): OpenPoint => ({
  section,
  kind: 'silent',
  says,
  questions,
});

/** The registry is held against this table: a point without a question would be lost, a question without a point invented. */
export const openPoints: readonly OpenPoint[] = [
  silent(
    '2.1',
    'It calls the addresses of a mail email addresses, and does not say that others are refused.',
    'send.address-format',
  ),
  notShown(
    '2.3',
    'Which fields a lead must have is declared not shown.',
    'lead.name',
    'lead.source',
    'lead.note',
  ),
  notShown(
    '2.3',
    'How long the fields of a lead may be is declared not shown, again in §8.',
    'lead.name-limit',
    'lead.source-limit',
    'lead.note-limit',
  ),
  notShown('2.3', 'What identifiers look like is declared not shown.', 'lead.id-format'),
  silent(
    '2.3',
    'Some request examples send `email` with a lead; no documented body and no reply has it.',
    'lead.email',
  ),
  silent(
    '2.3',
    'It names fields and types of a lead, and does not say what becomes of other fields, other types, an empty name or a lead that is there already.',
    'lead.unknown-field',
    'lead.wrong-type',
    'lead.empty-name',
    'lead.duplicate',
  ),
  notShown('3', 'States and transitions are declared not shown.', 'states'),
  notShown(
    '4.1',
    'One request shape has `to`, the other has not; whether `to`, `from` and `subject` are required is declared not shown.',
    'send.to',
    'send.from',
    'send.subject',
  ),
  silent('4.1', 'It does not say whether a mail needs `html`.', 'send.html'),
  notShown(
    '4.2',
    'Paging, filtering and order of the list are declared not shown.',
    'templates.limit-parameter',
    'templates.page-size',
    'templates.filtering',
    'templates.order',
  ),
  notShown(
    '4.3',
    'Who receives a template mail is declared not shown.',
    'template-send.recipient',
    'template-send.to',
  ),
  notShown(
    '4.3',
    'What happens when a listed variable is missing is declared not shown.',
    'template-send.missing-variable',
    'template-send.missing-variable-rendering',
  ),
  silent(
    '4.3',
    'It does not say whether `variables` may be left out or hold more than is listed, nor whether values are escaped.',
    'template-send.variables',
    'template-send.extra-variable',
    'template-send.escaping',
  ),
  notShown(
    '4.4',
    'Endpoint listing and code examples name different paths; which is definitive is declared not shown.',
    'templates.list-path',
    'templates.send-path',
  ),
  notShown(
    '4.6',
    'The documented update carries `note`; whether `name` and `source` may be sent is declared not shown.',
    'lead.update-name',
    'lead.update-source',
  ),
  silent('4.6', 'It does not say what an update without any field does.', 'lead.update-empty'),
  notShown('4.8', 'Reading one lead and listing leads are declared not shown.', 'lead.retrieve', 'lead.list'),
  notShown('4.8', 'Creating, editing and deleting templates is declared not shown.', 'templates.write'),
  notShown(
    '5',
    'How a key is issued, what it gives access to and how it is revoked are declared not shown.',
    'key-issue',
    'key-scope',
    'key-revocation',
  ),
  notShown('6', 'Webhooks and other events are declared not shown.', 'events'),
  silent(
    '7',
    'Three successes have an empty `error`; the one of Add Lead is shown without.',
    'success.error-field',
  ),
  notShown(
    '7',
    'The statuses of failures are declared not shown; anything but 200 is a failure.',
    'failure.validation-status',
    'failure.malformed-json-status',
    'failure.media-type-status',
    'failure.unknown-lead-status',
    'failure.delete-again-status',
    'failure.unknown-template-status',
    'failure.unknown-route-status',
    'failure.wrong-method-status',
    'auth.missing-status',
    'auth.malformed-status',
    'auth.unknown-key-status',
  ),
  notShown(
    '7',
    'Error codes and texts are declared not shown.',
    'failure.error-style',
    'failure.error-texts',
  ),
  notShown(
    '7',
    'What a failure body holds beside `error` is declared not shown.',
    'failure.success-field',
    'failure.message-field',
  ),
  notShown('8', 'Rate limits are declared not shown.', 'limits.rate', 'limits.rate-headers'),
  notShown(
    '8',
    'Limits of payloads and fields are declared not shown.',
    'limits.body-size',
    'send.field-limits',
  ),
  notShown(
    '9',
    'How versions are deprecated and changed is declared not shown.',
    'versioning.deprecation-headers',
    'change-policy',
  ),
];

/** The point a question comes from. */
export const pointOf = (id: QuestionId): OpenPoint | undefined =>
  openPoints.find(({ questions }) => questions.includes(id));
