import type { QuestionId } from '../mock/questions.ts';

/** What a question is about, as `subject: 400 → 422` reads it, and why anybody should care. */
export type QuestionText = readonly [subject: string, matters: string];

const retries =
  'A client decides by the status whether to correct the request, to log in again or to try once more.';
const forms = 'A form has to ask for exactly these fields before it sends.';

/** The compiler asks for a text with every new question. */
export const questionTexts: Readonly<Record<QuestionId, QuestionText>> = {
  states: ['states', 'A client that shows a state would have to know how it changes.'],
  events: ['events', 'Without events a client has to ask again to learn of changes.'],
  'limits.rate': ['rate limit', 'Beyond it a client must wait, and has to be built to.'],
  'limits.body-size': [
    'body size limit',
    'Mails with embedded images grow large; beyond the limit they are lost.',
  ],
  'limits.rate-headers': ['rate-limit headers', 'With them a client can slow down before it is refused.'],
  'versioning.deprecation-headers': [
    'deprecation headers',
    'They announce that the version will go: somebody should notice.',
  ],
  'change-policy': ['change policy', 'It says how long a client built today will work.'],
  'send.to': [
    '`to` of a mail',
    'Where it is optional, a forgotten recipient is no error, and the mail goes to whoever the service picks.',
  ],
  'send.from': ['`from` of a mail', forms],
  'send.subject': ['`subject` of a mail', forms],
  'send.html': ['`html` of a mail', forms],
  'send.address-format': [
    'email addresses in a mail',
    'Where they are unchecked, a typing mistake shows only as a mail that never arrives.',
  ],
  'send.field-limits': ['field limits of a mail', 'Longer texts would be refused or cut.'],
  'templates.list-path': ['path of the template list', 'A client that uses the other path gets nothing.'],
  'templates.limit-parameter': [
    '`limit` of the template list',
    'A picker that asks for ten may get all, or an error.',
  ],
  'templates.order': ['order of the template list', 'A picker that relies on an order must sort itself.'],
  'templates.filtering': ['filters of the template list', 'Without them a client searches by itself.'],
  'templates.page-size': [
    'page size of the template list',
    'A client that reads one page only would miss templates.',
  ],
  'templates.write': ['writing templates', 'Without it templates are edited somewhere else.'],
  'templates.send-path': ['path of template mails', 'A client that uses the other path sends nothing.'],
  'template-send.to': [
    '`to` of a template mail',
    'It decides whether a client can say who gets the mail at all.',
  ],
  'template-send.variables': [
    '`variables` of a template mail',
    'A client for templates without placeholders may leave it out, or may not.',
  ],
  'template-send.missing-variable': [
    'missing variables',
    'Where they are accepted, people receive mails with holes in them.',
  ],
  'template-send.extra-variable': [
    'extra variables',
    'Where they are refused, removing a placeholder from a template breaks its senders.',
  ],
  'template-send.recipient': [
    'recipient of an unaddressed template mail',
    'Somebody receives it: better to know who.',
  ],
  'template-send.missing-variable-rendering': [
    'what stands for a missing variable',
    'It is what the recipient reads.',
  ],
  'template-send.escaping': ['escaping of variables', 'Without it a name with markup changes the mail.'],
  'lead.name': ['`name` of a new lead', forms],
  'lead.source': ['`source` of a new lead', forms],
  'lead.note': ['`note` of a new lead', forms],
  'lead.empty-name': ['empty names', 'An empty form field is sent as an empty text.'],
  'lead.email': ['`email` of a new lead', 'The examples send it; a client that follows them may be refused.'],
  'lead.unknown-field': [
    'unknown fields of a lead',
    'Where they are refused, a client cannot send more than it must.',
  ],
  'lead.wrong-type': ['numbers for texts', 'A numeric-looking name is easily sent as a number.'],
  'lead.id-format': [
    'format of lead ids',
    'It matters to whoever stores them; clients should treat them as opaque.',
  ],
  'lead.duplicate': ['repeated leads', 'A form submitted twice makes two leads, one, or an error.'],
  'lead.name-limit': ['length of a `name`', 'Longer texts are refused or cut: a form should stop before.'],
  'lead.source-limit': [
    'length of a `source`',
    'Longer texts are refused or cut: a form should stop before.',
  ],
  'lead.note-limit': ['length of a `note`', 'Longer texts are refused or cut: a form should stop before.'],
  'success.error-field': [
    '`error` in the success of Add Lead',
    'A client that tests for `error === ""` finds nothing there.',
  ],
  'lead.list': ['listing leads', 'Without it a client has to keep the ids it was given.'],
  'lead.update-name': ['`name` in an update', 'Where it is ignored, a rename seems to work and does not.'],
  'lead.update-source': [
    '`source` in an update',
    'Where it is ignored, a change seems to work and does not.',
  ],
  'lead.update-empty': ['empty updates', 'A form saved without a change sends one.'],
  'lead.retrieve': ['reading a lead', 'Without it a client shows what it remembers, not what is stored.'],
  'failure.unknown-lead-status': ['updates of an unknown lead', retries],
  'failure.delete-again-status': [
    'deleting a lead again',
    'A repeated click should not look like a failure, and with most statuses it does.',
  ],
  'auth.missing-status': ['requests without a key', retries],
  'auth.malformed-status': ['malformed `Authorization` headers', retries],
  'auth.unknown-key-status': ['unknown keys', retries],
  'key-issue': ['issue of keys', 'Somebody has to know where to get one.'],
  'key-scope': ['scope of keys', 'It says what is lost with a key.'],
  'key-revocation': ['revocation of keys', 'It is needed on the day a key leaks.'],
  'failure.validation-status': ['validation failures', retries],
  'failure.malformed-json-status': ['bodies that are not JSON', retries],
  'failure.media-type-status': ['bodies labelled as another media type', retries],
  'failure.unknown-template-status': ['mails from an unknown template', retries],
  'failure.unknown-route-status': [
    'unknown paths',
    'A client that mistypes a path should be told so, and not be taken for successful.',
  ],
  'failure.wrong-method-status': ['methods a path does not have', retries],
  'failure.success-field': [
    '`success` in a failure',
    'A client that tests `success === false` misses failures that lack it.',
  ],
  'failure.message-field': [
    '`message` in a failure',
    'A client that shows it shows nothing where it is absent.',
  ],
  'failure.error-style': [
    'style of `error`',
    'A sentence can be shown to people, a code can be decided on; neither can be both.',
  ],
  'failure.error-texts': ['error texts', 'A client that decides on them breaks when they are reworded.'],
};
