import type { OpenAPIV3_1 } from 'openapi-types';
import { type Extended, propertiesOf, reference, schemaOf } from './contract-parts.ts';
import type { Answers } from './questions.ts';
import type { Contract, Schema } from './spec.ts';
import { standingHeaders } from './standing-headers.ts';

const idPatterns: Readonly<Record<Answers['lead.id-format'], string>> = {
  prefixed: '^lead_[0-9]{6,}$',
  uuid: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  integer: '^[1-9][0-9]*$',
  opaque: '^[A-Za-z0-9_-]{22}$',
};

/** What a success carries beyond what the document states. */
export const successes = (document: Contract, answers: Answers): void => {
  schemaOf(document, 'LeadId').pattern = idPatterns[answers['lead.id-format']];
  // Where an unknown lead is updated all the same, the reply repeats an id the service never made.
  if (answers['failure.unknown-lead-status'] === 'accepted') {
    const data = propertiesOf(document, 'LeadUpdated').data as { properties: Record<string, Schema> };
    data.properties.lead_id = { type: 'string', minLength: 1, description: 'The id of the request.' };
  }
  const added = schemaOf(document, 'LeadAdded');
  const present = answers['success.error-field'] === 'empty';
  propertiesOf(document, 'LeadAdded').error = present ? (reference('schemas', 'NoError') as Schema) : false;
  if (present) added.required = [...(added.required ?? []), 'error'];
};

/** What a refusal carries beyond the `error` that §7 promises. */
export const failureShape = (document: Contract, answers: Answers): void => {
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

/** The statuses with which each operation refuses, beside the `default` that stays for what nobody asked. */
export const failureStatuses = (document: Contract, answers: Answers): void => {
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
    ...(id === 'listTemplates' && answers['templates.limit-parameter'] !== 'ignored'
      ? [answers['failure.validation-status']]
      : []),
    ...(id === 'updateLead' || id === 'retrieveLead' ? [answers['failure.unknown-lead-status']] : []),
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

/** §8 and §9: headers that every reply carries, where an answer says that there are any. */
export const replyHeaders = (document: Contract, answers: Answers): void => {
  const names = Object.keys(standingHeaders(answers) ?? {});
  if (names.length === 0) return;
  const headers = Object.fromEntries(names.map((name) => [name, { schema: { type: 'string' as const } }]));
  const replies = [
    ...Object.values(document.components?.responses ?? {}),
    ...Object.values(document.paths ?? {}).flatMap((item) =>
      (Object.values(item ?? {}) as Extended[]).flatMap(({ responses }) => Object.values(responses ?? {})),
    ),
  ];
  for (const reply of replies) if (!('$ref' in reply)) Object.assign(reply, { headers });
};
