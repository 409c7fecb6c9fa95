import type { OpenAPIV3_1 } from 'openapi-types';
import {
  type AliasedOperation,
  type Contract,
  copyOf,
  propertiesOf,
  reference,
  requireIn,
  type Schema,
  schemaOf,
} from './document.ts';
import type { Answers } from './questions.ts';

/** §4.1 and §4.3: what a request to send must carry. */
export const applyEmailRequests = (document: Contract, answers: Answers): void => {
  const message = propertiesOf(document, 'EmailMessage');
  if (answers['send.address-format'] === 'unchecked') {
    for (const field of [message.from, message.to]) delete (field as Schema).format;
  }
  if (answers['send.field-limits'] === 'limited')
    for (const [field, maxLength] of Object.entries(fieldLimits))
      message[field] = { ...(message[field] as Schema), maxLength };
  requireIn(document, 'EmailMessage', {
    subject: answers['send.subject'],
    from: answers['send.from'],
    to: answers['send.to'],
    html: answers['send.html'],
  });
  const recipient: Schema = { type: 'string', format: 'email', description: 'Recipient address.' };
  propertiesOf(document, 'TemplateEmail').to = answers['template-send.to'] === 'rejected' ? false : recipient;
  requireIn(document, 'TemplateEmail', {
    template_id: 'required',
    variables: answers['template-send.variables'],
    to: answers['template-send.to'],
  });
};

// The document shows no numbers (§8): a subject that fits into a header line, and the longest address of RFC 5321.
const fieldLimits = { subject: 255, from: 254, to: 254, html: 100_000 };

const leadFields = ['name', 'source', 'note'] as const;

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

/** §2.3, §4.5 and §4.6: optional and required fields of a new lead and of an update. */
export const applyLeadRequests = (document: Contract, answers: Answers): void => {
  const newLead = propertiesOf(document, 'NewLead');
  for (const field of leadFields) {
    const schema = newLead[field] as Schema;
    const limit = answers[`lead.${field}-limit`];
    if (limit !== 'none') schema.maxLength = limit;
    if (answers['lead.wrong-type'] === 'accepted')
      Object.assign(schema, { type: ['string', 'number', 'boolean'] });
    if (answers['lead.control-characters'] === 'rejected') schema.pattern = `^[^${controlCharacters}]*$`;
    schema.description = `${schema.description}${describeText(answers)}`;
  }
  if (answers['lead.empty-name'] === 'rejected') (newLead.name as Schema).minLength = 1;
  requireIn(document, 'NewLead', {
    name: answers['lead.name'],
    source: answers['lead.source'],
    note: answers['lead.note'],
  });
  const changes = propertiesOf(document, 'LeadChanges');
  changes.note = copyOf(newLead.note ?? true);
  for (const field of ['name', 'source'] as const) {
    const answer = answers[`lead.update-${field}`];
    const acceptedSchema =
      answer === 'ignored' ? { description: 'Taken and ignored.' } : copyOf(newLead[field] ?? true);
    changes[field] = answer === 'rejected' ? false : acceptedSchema;
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

const limit: Parameter = {
  name: 'limit',
  in: 'query',
  description: 'How many templates to list at most. Not in the interface document (§4.2); observed.',
  schema: { type: 'integer', minimum: 0 },
};

/** The number of templates in a page (§4.2 shows none). */
export const templatesPerPage = 20;

const page: Parameter = {
  name: 'page',
  in: 'query',
  description: `Which page of ${templatesPerPage} templates to list, counted from 1. A common name: the interface document shows none (§4.2).`,
  schema: { type: 'integer', minimum: 1 },
};

const name: Parameter = {
  name: 'name',
  in: 'query',
  description:
    'Lists only templates with this text in their name, ignoring case. A common name: the interface document shows none (§4.2).',
  schema: { type: 'string' },
};

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

const idPatterns: Readonly<Record<Answers['lead.id-format'], string>> = {
  prefixed: '^lead_[0-9]{6,}$',
  uuid: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  integer: '^[1-9][0-9]*$',
  opaque: '^[A-Za-z0-9_-]{22}$',
};

/** Adds the fields of successes that the document does not state. */
export const applySuccessFields = (document: Contract, answers: Answers): void => {
  schemaOf(document, 'LeadId').pattern = idPatterns[answers['lead.id-format']];
  // If updates of unknown leads are accepted, the response repeats an id that the service never created.
  if (answers['failure.unknown-lead-status'] === 'accepted') {
    const data = propertiesOf(document, 'LeadUpdated').data as { properties: Record<string, Schema> };
    data.properties.lead_id = { type: 'string', minLength: 1, description: 'The id of the request.' };
  }
  const added = schemaOf(document, 'LeadAdded');
  const present = answers['success.error-field'] === 'empty';
  propertiesOf(document, 'LeadAdded').error = present ? (reference('schemas', 'NoError') as Schema) : false;
  if (present) added.required = [...(added.required ?? []), 'error'];
};

/** Adds the fields of error responses beside the `error` that §7 states. */
export const applyFailureShape = (document: Contract, answers: Answers): void => {
  const properties = propertiesOf(document, 'Failure');
  const required = ['error'];
  const success = answers['failure.success-field'] === 'false';
  properties.success = success ? { type: 'boolean', const: false } : false;
  if (success) required.unshift('success');
  if (answers['failure.message-field'] === 'present') required.push('message');
  else properties.message = false;
  if (answers['failure.error-style'] === 'code') (properties.error as Schema).pattern = '^[a-z][a-z_]*$';
  schemaOf(document, 'Failure').required = required;
};

/** Adds the error statuses of each operation. The `default` response stays for all others. */
export const applyFailureStatuses = (document: Contract, answers: Answers): void => {
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const [verb, operation] of Object.entries(item ?? {}) as [string, AliasedOperation][]) {
      if (operation.responses) setStatuses(operation, failureStatusesOf(operation, path, verb, answers));
    }
  }
};

const failureStatusesOf = (
  operation: AliasedOperation,
  path: string,
  verb: string,
  answers: Answers,
): readonly (string | number)[] => {
  const id = operation['x-alias-of'] ?? operation.operationId;
  return [
    answers['auth.missing-status'],
    answers['auth.malformed-status'],
    answers['auth.unknown-key-status'],
    ...(answers['limits.rate'] === 'limited' ? [429] : []),
    ...(operation.requestBody
      ? [
          answers['failure.validation-status'],
          answers['failure.malformed-json-status'],
          answers['failure.media-type-status'],
          413,
        ]
      : []),
    ...(id === 'listTemplates' &&
    (answers['templates.limit-parameter'] !== 'ignored' || answers['templates.page-size'] === 'paged')
      ? [answers['failure.validation-status']]
      : []),
    ...(path.includes('{id}') && verb !== 'delete' ? [answers['failure.unknown-lead-status']] : []),
    ...(verb === 'delete' ? [answers['failure.delete-again-status']] : []),
    ...(id === 'sendTemplateEmail' ? [answers['failure.unknown-template-status']] : []),
  ];
};

const setStatuses = (operation: AliasedOperation, statuses: readonly (string | number)[]): void => {
  const { '4XX': anyClientError, default: defaultResponse, ...documented } = operation.responses ?? {};
  const responses: OpenAPIV3_1.ResponsesObject = copyOf(documented);
  for (const status of statuses) {
    if (typeof status === 'number' && status !== 200) responses[status] = reference('responses', 'Failure');
  }
  if (statuses.includes(200)) allowFailureWith200(responses);
  if (anyClientError && !Object.keys(responses).some((status) => status.startsWith('4')))
    responses['4XX'] = anyClientError;
  if (defaultResponse) responses.default = defaultResponse;
  operation.responses = responses;
};

const allowFailureWith200 = (responses: OpenAPIV3_1.ResponsesObject): void => {
  const media = (responses['200'] as OpenAPIV3_1.ResponseObject).content?.['application/json'];
  if (!media?.schema) throw new Error('openapi.yaml: a 200 response has no JSON schema');
  media.schema = { anyOf: [media.schema, reference('schemas', 'Failure')] };
};

/** §8 and §9: adds the headers of every response, if an answer adds any. */
export const applyResponseHeaders = (document: Contract, answers: Answers): void => {
  const names = Object.keys(standingHeaders(answers) ?? {});
  if (names.length === 0) return;
  const headers = Object.fromEntries(names.map((name) => [name, { schema: { type: 'string' as const } }]));
  const replies = [
    ...Object.values(document.components?.responses ?? {}),
    ...Object.values(document.paths ?? {}).flatMap((item) =>
      (Object.values(item ?? {}) as AliasedOperation[]).flatMap(({ responses }) =>
        Object.values(responses ?? {}),
      ),
    ),
  ];
  for (const reply of replies) if (!('$ref' in reply)) Object.assign(reply, { headers });
};
