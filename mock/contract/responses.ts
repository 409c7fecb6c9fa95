// Responses and examples of the contract. They are for readers and checks and do not affect how a request is answered, so the
// builds for browsers use `responses.browser.ts` instead of this file.
import type { Contract } from './document.ts';
import { type Answers, listQuestions } from './questions.ts';
import { applyFailureShape, applyFailureStatuses, applyResponseHeaders } from './schemas.ts';

export { applySuccessFields } from './schemas.ts';

/** Describes responses and examples, after all operations have been added. */
export const describeResponses = (document: Contract, answers: Answers): void => {
  applyFailureShape(document, answers);
  applyFailureStatuses(document, answers);
  applyResponseHeaders(document, answers);
  applyExamples(document, answers);
  addAnswers(document, answers);
};

/** Adds to every open question the answer in force. */
const addAnswers = (document: Contract, answers: Answers): void => {
  for (const question of listQuestions(document)) Object.assign(question, { answer: answers[question.id] });
};

type Value = Readonly<Record<string, unknown>>;

const exampleIds: Readonly<Record<Answers['lead.id-format'], string>> = {
  prefixed: 'lead_000001',
  uuid: '5d0b1c52-3f0e-4a6b-8c1d-9e2f7a604b13',
  integer: '1',
  opaque: 'pW3x_8JrQ2mVbT6yKd0-Zc',
};

/** Adjusts the examples of openapi.yaml to these answers, so that each is valid under its schema. */
const applyExamples = (document: Contract, answers: Answers): void => {
  const id = exampleIds[answers['lead.id-format']];
  for (const parameter of document.paths?.['/api/v1/leads/{id}']?.parameters ?? [])
    if ('example' in parameter) parameter.example = id;
  const rewriteByName = rewriters(answers, id);
  eachExample(document, (name, value) => (rewriteByName.get(name) ?? identity)(value));
};

const identity = (value: Value): Value => value;

/** Functions by the name of an example. Each returns the adjusted example, or `undefined` to remove it. */
const rewriters = (
  answers: Answers,
  id: string,
): ReadonlyMap<string, (value: Value) => Value | undefined> => {
  const withId = (value: Value): Value => ({ ...value, data: { ...(value.data as Value), lead_id: id } });
  const error = answers['success.error-field'] === 'empty' ? { error: '' } : {};
  const to = answers['template-send.to'] === 'required' ? { to: 'lena.fischer@example.com' } : {};
  return new Map([
    ['unaddressed', (value) => (answers['send.to'] === 'required' ? undefined : value)],
    ['welcome', (value) => ({ ...value, ...to })],
    ['added', (value) => ({ ...withId(value), ...error })],
    ['updated', withId],
    ...failureExamples.map((name) => [name, (value: Value) => rewriteFailure(name, value, answers)] as const),
  ]);
};

// Each by its code.
const failureExamples = ['validation_failed', 'authentication_missing', 'lead_not_found'] as const;

const rewriteFailure = (code: string, { success, error, message }: Value, answers: Answers): Value => ({
  ...(answers['failure.success-field'] === 'false' ? { success } : {}),
  error: answers['failure.error-style'] === 'code' ? code : error,
  ...(answers['failure.message-field'] === 'present' ? { message } : {}),
});

type Examples = Record<string, { value: Value }>;

/** Rewrites every named example below a node in place. An example that becomes `undefined` is removed. */
const eachExample = (node: unknown, rewrite: (name: string, value: Value) => Value | undefined): void => {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, child] of Object.entries(node)) {
    if (key !== 'examples' || Array.isArray(child)) {
      eachExample(child, rewrite);
      continue;
    }
    for (const [name, example] of Object.entries(child as Examples)) {
      const value = rewrite(name, example.value);
      if (value) example.value = value;
      else delete (child as Examples)[name];
    }
  }
};
