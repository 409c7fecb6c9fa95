// Responses and examples of the contract. They are for readers and checks and do not affect how a request is answered, so the
// builds for browsers use `responses.browser.ts` instead of this file.
import type { Contract } from './document.ts';
import { type Answers, assumedAnswers, listQuestions, type QuestionId } from './questions.ts';
import { applyFailureShape, applyFailureStatuses, applyResponseHeaders } from './schemas.ts';

export { applySuccessFields } from './schemas.ts';

/** Describes responses and examples, after all operations have been added. */
export const describeResponses = (document: Contract, answers: Answers): void => {
  applyFailureShape(document, answers);
  applyFailureStatuses(document, answers);
  applyResponseHeaders(document, answers);
  removeExamples(document, answers);
  addAnswers(document, answers);
};

/** Adds to every open question the answer in force. */
const addAnswers = (document: Contract, answers: Answers): void => {
  for (const question of listQuestions(document)) Object.assign(question, { answer: answers[question.id] });
};

const errorResponse: readonly QuestionId[] = [
  'failure.success-field',
  'failure.error-style',
  'failure.message-field',
];

/** The answers that an example of openapi.yaml shows, by its name. */
const shownAnswers: Readonly<Record<string, readonly QuestionId[]>> = {
  unaddressed: ['send.to'],
  welcome: ['template-send.to'],
  added: ['lead.id-format', 'success.error-field'],
  updated: ['lead.id-format'],
  validation_failed: errorResponse,
  authentication_missing: errorResponse,
  lead_not_found: errorResponse,
};

/** Removes the examples that show other answers than these, and would be invalid under their schemas. */
const removeExamples = (document: Contract, answers: Answers): void => {
  const assumed = assumedAnswers();
  const isWrong = (name: string): boolean =>
    shownAnswers[name]?.some((id) => answers[id] !== assumed[id]) ?? false;
  for (const parameter of document.paths?.['/api/v1/leads/{id}']?.parameters ?? [])
    if ('example' in parameter && isWrong('updated')) delete parameter.example;
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { examples = {} } = node as { readonly examples?: Record<string, unknown> };
    for (const name of Object.keys(examples)) if (isWrong(name)) delete examples[name];
    for (const child of Object.values(node)) visit(child);
  };
  visit(document);
};
