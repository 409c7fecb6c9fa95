// What the answers make of the requests, and the constants of answers for which the document has no numbers.
import {
  type AliasedOperation,
  type Contract,
  copyOf,
  propertiesOf,
  type Schema,
  schemaOf,
} from './document.ts';
import type { Answers, QuestionId } from './questions.ts';

/** The fields of bodies that an answer may require; `true` for one that is always required (§4.3). */
const requiredBy: Readonly<Record<string, Readonly<Record<string, QuestionId | true>>>> = {
  EmailMessage: { subject: 'send.subject', from: 'send.from', to: 'send.to', html: 'send.html' },
  TemplateEmail: { template_id: true, variables: 'template-send.variables', to: 'template-send.to' },
  NewLead: { name: 'lead.name', source: 'lead.source', note: 'lead.note' },
};

/** §2.1, §2.3, §4.1 to §4.6: what the body of a request must and may have. */
export const applyToBodies = (document: Contract, answers: Answers): void => {
  applyToMails(document, answers);
  applyToLeads(document, answers);
  for (const [name, fields] of Object.entries(requiredBy)) {
    const required = Object.entries(fields).filter(([, by]) => by === true || answers[by] === 'required');
    if (required.length > 0) schemaOf(document, name).required = required.map(([field]) => field);
  }
};

const applyToMails = (document: Contract, answers: Answers): void => {
  const message = propertiesOf(document, 'EmailMessage');
  if (answers['send.address-format'] === 'unchecked')
    for (const field of [message.from, message.to]) delete (field as Schema).format;
  if (answers['send.field-limits'] === 'limited')
    for (const [field, maxLength] of Object.entries(fieldLimits))
      Object.assign(message[field] ?? {}, { maxLength });
  const recipient: Schema = { type: 'string', format: 'email', description: 'Recipient address.' };
  propertiesOf(document, 'TemplateEmail').to = answers['template-send.to'] === 'rejected' ? false : recipient;
};

// The document shows no numbers (§8): a subject that fits into a header line, and the longest address of RFC 5321.
const fieldLimits = { subject: 255, from: 254, to: 254, html: 100_000 };

/** The characters of `lead.control-characters`, as a regular expression class: tabs and line breaks are ordinary text. */
export const controlCharacters = '\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F';

/** How a stored text differs from the text sent, for the descriptions in the contract. */
const describeText = (answers: Answers): string =>
  [
    answers['lead.control-characters'] === 'removed' ? ' Control characters are removed.' : '',
    answers['lead.line-breaks'] === 'normalised' ? ' CR LF becomes LF.' : '',
    answers['lead.unicode-form'] === 'composed' ? ' Letters are composed (NFC).' : '',
    answers['lead.outer-blanks'] === 'trimmed' ? ' White space at the ends is removed.' : '',
  ].join('');

const applyToLeads = (document: Contract, answers: Answers): void => {
  const [newLead, changes] = [propertiesOf(document, 'NewLead'), propertiesOf(document, 'LeadChanges')];
  if (answers['lead.empty-name'] === 'rejected') (newLead.name as Schema).minLength = 1;
  for (const field of ['name', 'source', 'note'] as const) {
    const schema = newLead[field] as Schema;
    const limit = answers[`lead.${field}-limit`];
    if (limit !== 'none') schema.maxLength = limit;
    if (answers['lead.wrong-type'] === 'accepted')
      Object.assign(schema, { type: ['string', 'number', 'boolean'] });
    if (answers['lead.control-characters'] === 'rejected') schema.pattern = `^[^${controlCharacters}]*$`;
    schema.description = `${schema.description}${describeText(answers)}`;
    const update = field === 'note' ? 'accepted' : answers[`lead.update-${field}`];
    const changed = update === 'ignored' ? { description: 'Taken and ignored.' } : copyOf(schema);
    changes[field] = update === 'rejected' ? false : changed;
  }
  if (answers['lead.update-empty'] === 'rejected') schemaOf(document, 'LeadChanges').minProperties = 1;
  for (const name of ['NewLead', 'LeadChanges']) {
    propertiesOf(document, name).email =
      answers['lead.email'] === 'rejected' ? false : { description: 'Taken; no reply carries it (§2.3).' };
    schemaOf(document, name).additionalProperties = answers['lead.unknown-field'] === 'accepted';
  }
};

/** §4.2: the contract has the parameters of the list to which the answers give an effect. */
export const applyListParameters = (document: Contract, answers: Answers): void => {
  const parameters = [
    ...(answers['templates.limit-parameter'] === 'honoured' ? [limit] : []),
    ...(answers['templates.page-size'] === 'paged' ? [page] : []),
    ...(answers['templates.filtering'] === 'supported' ? [name] : []),
  ];
  if (parameters.length === 0) return;
  for (const path of ['/api/v1/email/templates', '/api/v1/email/template']) {
    const operation = document.paths?.[path]?.get as AliasedOperation | undefined;
    if (operation) operation.parameters = parameters;
  }
};

type Parameter = NonNullable<AliasedOperation['parameters']>[number];

const parameter = (
  parameterName: string,
  description: string,
  schema: { readonly type: 'integer' | 'string'; readonly minimum?: number },
): Parameter => ({
  name: parameterName,
  in: 'query',
  description,
  schema,
});

/** The number of templates in a page (§4.2 shows none). */
export const templatesPerPage = 20;

const [limit, page, name] = [
  parameter('limit', 'How many templates to list at most. Not in the interface document (§4.2); observed.', {
    type: 'integer',
    minimum: 0,
  }),
  parameter(
    'page',
    `Which page of ${templatesPerPage} templates to list, counted from 1. A common name: the interface document shows none (§4.2).`,
    { type: 'integer', minimum: 1 },
  ),
  parameter(
    'name',
    'Lists only templates with this text in their name, ignoring case. A common name: the interface document shows none (§4.2).',
    { type: 'string' },
  ),
];

/** Where an answer limits requests: so many of a key in so many seconds. The document shows no numbers (§8). */
export const rateLimit = { requests: 100, seconds: 60 };

// §8 and §9 show no header names; these are the common ones. The last two change with the requests of a key.
const rate = {
  'ratelimit-limit': String(rateLimit.requests),
  'ratelimit-remaining': String(rateLimit.requests),
  'ratelimit-reset': String(rateLimit.seconds),
};
// RFC 9745 and RFC 8594.
const deprecation = { deprecation: '@1798761600', sunset: 'Fri, 31 Dec 2027 23:59:59 GMT' };

/** Headers of every response of a deployment with these answers; `undefined` for none. */
export const standingHeaders = (answers: Answers): Readonly<Record<string, string>> | undefined => {
  const headers = {
    ...(answers['limits.rate-headers'] === 'present' ? rate : {}),
    ...(answers['versioning.deprecation-headers'] === 'present' ? deprecation : {}),
  };
  return Object.keys(headers).length > 0 ? headers : undefined;
};
