// What the answers make of responses and examples. They are for readers and checks and do not affect how a request is answered, so
// the builds for browsers use `responses.browser.ts` instead of this file.
import type { OpenAPIV3_1 } from 'openapi-types';
import {
  type AliasedOperation,
  type Contract,
  operationsOf,
  propertiesOf,
  reference,
  type Schema,
  schemaOf,
} from './document.ts';
import { type Answers, assumedAnswers, collectQuestions, type QuestionId } from './questions.ts';

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

/**
 * Describes responses and examples, after all operations have been added.
 * @param headers those that every response has
 */
export const describeResponses = (document: Contract, answers: Answers, headers: object = {}): void => {
  applyFailureShape(document, answers);
  for (const { path, method, operation } of operationsOf(document))
    setStatuses(operation, failureStatusesOf(operation, path, method, answers));
  addHeaders(document, Object.keys(headers));
  removeExamples(document, answers);
  for (const question of collectQuestions(document))
    Object.assign(question, { answer: answers[question.id] });
};

/** The fields of error responses beside the `error` that §7 states. */
const applyFailureShape = (document: Contract, answers: Answers): void => {
  const properties = propertiesOf(document, 'Failure');
  const success = answers['failure.success-field'] === 'false';
  const message = answers['failure.message-field'] === 'present';
  properties.success = success ? { type: 'boolean', const: false } : false;
  if (!message) properties.message = false;
  if (answers['failure.error-style'] === 'code') (properties.error as Schema).pattern = '^[a-z][a-z_]*$';
  schemaOf(document, 'Failure').required = [
    ...(success ? ['success'] : []),
    'error',
    ...(message ? ['message'] : []),
  ];
};

type Statuses = readonly (string | number)[];

const failureStatusesOf = (
  { 'x-alias-of': alias, operationId, requestBody }: AliasedOperation,
  path: string,
  method: string,
  answers: Answers,
): Statuses => {
  const id = alias ?? operationId;
  const isLimited =
    answers['templates.limit-parameter'] !== 'ignored' || answers['templates.page-size'] === 'paged';
  const ofBody: Statuses = [
    answers['failure.validation-status'],
    answers['failure.malformed-json-status'],
    answers['failure.media-type-status'],
    413,
  ];
  return [
    answers['auth.missing-status'],
    answers['auth.malformed-status'],
    answers['auth.unknown-key-status'],
    ...(answers['limits.rate'] === 'limited' ? [429] : []),
    ...(requestBody ? ofBody : []),
    ...(id === 'listTemplates' && isLimited ? [answers['failure.validation-status']] : []),
    ...(path.includes('{id}') && method !== 'delete' ? [answers['failure.unknown-lead-status']] : []),
    ...(method === 'delete' ? [answers['failure.delete-again-status']] : []),
    ...(id === 'sendTemplateEmail' ? [answers['failure.unknown-template-status']] : []),
  ];
};

/** Adds the error statuses of an operation. The `default` response stays for all others. */
const setStatuses = ({ responses = {} }: AliasedOperation, statuses: Statuses): void => {
  for (const status of statuses)
    if (typeof status === 'number' && status !== 200) responses[status] = reference('responses', 'Failure');
  const success = (responses['200'] as OpenAPIV3_1.ResponseObject).content?.['application/json'];
  if (success?.schema && statuses.includes(200))
    success.schema = { anyOf: [success.schema, reference('schemas', 'Failure')] };
  if (Object.keys(responses).some((status) => /^4\d\d$/.test(status))) delete responses['4XX'];
};

/** §8 and §9: adds the headers of every response, if an answer adds any. */
const addHeaders = (document: Contract, names: readonly string[]): void => {
  if (names.length === 0) return;
  const headers = Object.fromEntries(names.map((name) => [name, { schema: { type: 'string' as const } }]));
  const replies = [
    ...Object.values(document.components?.responses ?? {}),
    ...operationsOf(document).flatMap(({ operation }) => Object.values(operation.responses ?? {})),
  ];
  for (const reply of replies) if (!('$ref' in reply)) Object.assign(reply, { headers });
};

type Example = { readonly 'x-assumes'?: readonly QuestionId[] };

/** Removes the examples that show other answers than these, and would be invalid under their schemas. */
const removeExamples = (document: Contract, answers: Answers): void => {
  const assumed = assumedAnswers();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { examples = {} } = node as { readonly examples?: Record<string, Example> };
    for (const [name, { 'x-assumes': ids = [] }] of Object.entries(examples))
      if (ids.some((id) => answers[id] !== assumed[id])) delete examples[name];
    for (const child of Object.values(node)) visit(child);
  };
  visit(document);
};
