import type { OpenAPIV3_1 } from 'openapi-types';
import type { Answers } from './questions.ts';
import { type Contract, contract, type Schema } from './spec.ts';

type Properties = Record<string, Schema | boolean>;
type Verb = 'get' | 'post' | 'put' | 'delete';

/**
 * The contract as one set of answers makes it: OpenAPI 3.1 with concrete paths, required lists, limits and statuses.
 * The mock serves and obeys this document. `openapi.yaml` itself stays as the interface document states it.
 */
export const contractUnder = (answers: Answers, stated: Contract = contract): Contract => {
  const document = structuredClone(stated);
  emailRequests(document, answers);
  leadRequests(document, answers);
  pathForms(document, answers);
  successes(document, answers);
  failureShape(document, answers);
  failureStatuses(document, answers);
  undocumentedOperations(document, answers);
  return document;
};

const schemaOf = (document: Contract, name: string): Schema => {
  const found = document.components?.schemas?.[name];
  if (!found) throw new Error(`openapi.yaml: components/schemas/${name} is missing`);
  return found as Schema;
};

const propertiesOf = (document: Contract, name: string): Properties =>
  (schemaOf(document, name).properties ??= {}) as Properties;

const requireIn = (document: Contract, name: string, fields: Readonly<Record<string, string>>): void => {
  const required = Object.keys(fields).filter((field) => fields[field] === 'required');
  const schema = schemaOf(document, name);
  const all = [...new Set([...(schema.required ?? []), ...required])];
  if (all.length > 0) schema.required = all;
};

/** §4.1 and §4.3: what a request to send must carry. */
const emailRequests = (document: Contract, answers: Answers): void => {
  const message = propertiesOf(document, 'EmailMessage');
  if (answers['send.address-format'] === 'unchecked') {
    for (const field of [message.from, message.to]) delete (field as Schema).format;
  }
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

const leadFields = ['name', 'source', 'note'] as const;

/** §2.3, §4.5 and §4.6: what a new lead and a change of one may and must carry. */
const leadRequests = (document: Contract, answers: Answers): void => {
  const added = propertiesOf(document, 'NewLead');
  for (const field of leadFields) {
    const schema = added[field] as Schema;
    const limit = answers[`lead.${field}-limit`];
    if (limit !== 'none') schema.maxLength = limit;
    if (answers['lead.wrong-type'] === 'accepted')
      Object.assign(schema, { type: ['string', 'number', 'boolean'] });
  }
  if (answers['lead.empty-name'] === 'rejected') (added.name as Schema).minLength = 1;
  requireIn(document, 'NewLead', {
    name: answers['lead.name'],
    source: answers['lead.source'],
    note: answers['lead.note'],
  });
  const changed = propertiesOf(document, 'LeadChanges');
  changed.note = structuredClone(added.note ?? true);
  for (const field of ['name', 'source'] as const) {
    const answer = answers[`lead.update-${field}`];
    const taken =
      answer === 'ignored' ? { description: 'Taken and ignored.' } : structuredClone(added[field] ?? true);
    changed[field] = answer === 'rejected' ? false : taken;
  }
  if (answers['lead.update-empty'] === 'rejected') schemaOf(document, 'LeadChanges').minProperties = 1;
  for (const name of ['NewLead', 'LeadChanges']) {
    propertiesOf(document, name).email =
      answers['lead.email'] === 'rejected' ? false : { description: 'Taken; no reply carries it (§2.3).' };
    schemaOf(document, name).additionalProperties = answers['lead.unknown-field'] === 'accepted';
  }
};

/** §4.4: of the two path forms of the template operations, those that exist. */
const pathForms = (document: Contract, answers: Answers): void => {
  const list = answers['templates.list-path'];
  if (list === 'plural') removeOperation(document, '/api/v1/email/template', 'get');
  if (list === 'singular') replaceForm(document, 'get', '/api/v1/email/templates', '/api/v1/email/template');
  const send = answers['templates.send-path'];
  if (send === 'template') removeOperation(document, '/api/v1/email/send-template', 'post');
  if (send === 'send-template')
    replaceForm(document, 'post', '/api/v1/email/template', '/api/v1/email/send-template');
};

type Extended = OpenAPIV3_1.OperationObject & { 'x-alias-of'?: string };

const removeOperation = (document: Contract, path: string, verb: Verb): Extended => {
  const item = document.paths?.[path];
  const operation = item?.[verb];
  if (!item || !operation) throw new Error(`openapi.yaml: ${verb.toUpperCase()} ${path} is missing`);
  delete item[verb];
  if (Object.keys(item).length === 0) delete document.paths?.[path];
  return operation;
};

/** The alias becomes the operation: it keeps its path and takes over the name. */
const replaceForm = (document: Contract, verb: Verb, stated: string, example: string): void => {
  const { operationId, ...operation } = removeOperation(document, stated, verb);
  removeOperation(document, example, verb);
  const item = { ...document.paths?.[example], [verb]: { operationId, ...operation } };
  document.paths = { ...document.paths, [example]: item as OpenAPIV3_1.PathItemObject };
};

const idPatterns: Readonly<Record<Answers['lead.id-format'], string>> = {
  prefixed: '^lead_[0-9]{6,}$',
  uuid: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  integer: '^[1-9][0-9]*$',
  opaque: '^[A-Za-z0-9_-]{22}$',
};

/** What a success carries beyond what the document states. */
const successes = (document: Contract, answers: Answers): void => {
  const id = schemaOf(document, 'LeadId');
  id.pattern = idPatterns[answers['lead.id-format']];
  const added = schemaOf(document, 'LeadAdded');
  const present = answers['success.error-field'] === 'empty';
  propertiesOf(document, 'LeadAdded').error = present ? (reference('schemas', 'NoError') as Schema) : false;
  if (present) added.required = [...(added.required ?? []), 'error'];
};

const failureShape = (document: Contract, answers: Answers): void => {
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

const reference = (kind: 'schemas' | 'responses', name: string): OpenAPIV3_1.ReferenceObject => ({
  $ref: `#/components/${kind}/${name}`,
});

/** The statuses with which each operation refuses, beside the `default` that stays for what nobody asked. */
const failureStatuses = (document: Contract, answers: Answers): void => {
  for (const item of Object.values(document.paths ?? {})) {
    for (const [verb, operation] of Object.entries(item ?? {}) as [string, Extended][]) {
      if (operation.responses) stateStatuses(operation, refusalsOf(operation, verb, answers));
    }
  }
};

const refusalsOf = (operation: Extended, verb: string, answers: Answers): readonly (string | number)[] => {
  const id = operation['x-alias-of'] ?? operation.operationId;
  return [
    answers['auth.missing-status'],
    answers['auth.malformed-status'],
    answers['auth.unknown-key-status'],
    ...(operation.requestBody
      ? [
          answers['failure.validation-status'],
          answers['failure.malformed-json-status'],
          answers['failure.media-type-status'],
          answers['limits.body-size'] === 'unlimited' ? 'accepted' : 413,
        ]
      : []),
    ...(id === 'updateLead' ? [answers['failure.unknown-lead-status']] : []),
    ...(verb === 'delete' ? [answers['failure.delete-again-status']] : []),
    ...(id === 'sendTemplateEmail' ? [answers['failure.unknown-template-status']] : []),
  ];
};

const stateStatuses = (operation: Extended, statuses: readonly (string | number)[]): void => {
  const { '4XX': anyClientError, default: otherwise, ...stated } = operation.responses ?? {};
  const responses: OpenAPIV3_1.ResponsesObject = structuredClone(stated);
  for (const status of statuses) {
    if (typeof status === 'number' && status !== 200) responses[status] = reference('responses', 'Failure');
  }
  if (statuses.includes(200)) refuseWith200(responses);
  if (anyClientError && !Object.keys(responses).some((status) => status.startsWith('4')))
    responses['4XX'] = anyClientError;
  if (otherwise) responses.default = otherwise;
  operation.responses = responses;
};

const refuseWith200 = (responses: OpenAPIV3_1.ResponsesObject): void => {
  const media = (responses['200'] as OpenAPIV3_1.ResponseObject).content?.['application/json'];
  if (!media?.schema) throw new Error('openapi.yaml: a 200 response has no JSON schema');
  media.schema = { anyOf: [media.schema, reference('schemas', 'Failure')] };
};

/** §4.8: reading leads is in no document; it enters the contract only where a deployment has it. */
const undocumentedOperations = (document: Contract, answers: Answers): void => {
  const read = (operationId: string, summary: string, data: Schema): Extended => ({
    operationId,
    tags: ['leads'],
    summary,
    description: `${summary}. Not in the interface document (§4.8); observed.`,
    responses: {
      200: { description: 'Found.', content: { 'application/json': { schema: leadReply(document, data) } } },
      '4XX': reference('responses', 'Failure'),
      default: reference('responses', 'Failure'),
    },
  });
  const lead = structuredClone(schemaOf(document, 'LeadAdded').properties?.data) as Schema;
  const add = (path: string, operation: Extended): void => {
    const item = document.paths?.[path];
    if (item) Object.assign(item, { get: operation });
  };
  if (answers['lead.retrieve'] === 'present')
    add('/api/v1/leads/{id}', read('retrieveLead', 'Read a lead', lead));
  if (answers['lead.list'] === 'present')
    add('/api/v1/leads', read('listLeads', 'List the leads', { type: 'array', items: lead }));
};

const leadReply = (document: Contract, data: Schema): Schema => ({
  ...structuredClone(schemaOf(document, 'LeadAdded')),
  properties: { ...propertiesOf(document, 'LeadAdded'), data },
});
