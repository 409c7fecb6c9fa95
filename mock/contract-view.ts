import { examples } from './contract-examples.ts';
import { pathForms, undocumentedOperations } from './contract-paths.ts';
import { failureShape, failureStatuses, replyHeaders, successes } from './contract-replies.ts';
import { emailRequests, leadRequests, listParameters } from './contract-requests.ts';
import { type Answers, listQuestions } from './questions.ts';
import { type Contract, contract } from './spec.ts';

/**
 * The contract as one set of answers makes it: OpenAPI 3.1 with concrete paths, required lists, limits and statuses.
 * The mock serves and obeys this document. `openapi.yaml` itself stays as the interface document states it.
 */
export const contractUnder = (answers: Answers, stated: Contract = contract): Contract => {
  const document = structuredClone(stated);
  emailRequests(document, answers);
  leadRequests(document, answers);
  listParameters(document, answers);
  pathForms(document, answers);
  successes(document, answers);
  undocumentedOperations(document, answers);
  failureShape(document, answers);
  failureStatuses(document, answers);
  replyHeaders(document, answers);
  examples(document, answers);
  markAnswers(document, answers);
  return document;
};

/** Beside every open question the answer in force, for whoever reads the document. */
const markAnswers = (document: Contract, answers: Answers): void => {
  for (const question of listQuestions(document)) Object.assign(question, { answer: answers[question.id] });
};
