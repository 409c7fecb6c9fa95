import { pathForms, undocumentedOperations } from './contract-paths.ts';
import { failureShape, failureStatuses, replyHeaders, successes } from './contract-replies.ts';
import { emailRequests, leadRequests, listParameters } from './contract-requests.ts';
import type { Answers } from './questions.ts';
import { type Contract, contract } from './spec.ts';

/**
 * The contract as one set of answers makes it: OpenAPI 3.1 with concrete paths, required lists, limits and statuses.
 * The mock serves and obeys this document. `openapi.yaml` itself stays as the interface document states it.
 */
export const contractUnder = (given: Answers, stated: Contract = contract): Contract => {
  const document = structuredClone(stated);
  const answers = reconciled(given);
  emailRequests(document, answers);
  leadRequests(document, answers);
  listParameters(document, answers);
  pathForms(document, answers);
  successes(document, answers);
  undocumentedOperations(document, answers);
  failureShape(document, answers);
  failureStatuses(document, answers);
  replyHeaders(document, answers);
  return document;
};

/**
 * `failure.validation-status` is defined by what happens to a missing field, an empty name and a wrong type. Where the
 * answer is that such requests are accepted, these rules cannot hold as well: the contract says so instead of contradicting itself.
 */
const reconciled = (answers: Answers): Answers =>
  answers['failure.validation-status'] === 'accepted' ? { ...answers, ...lenient } : answers;

const lenient = {
  'send.to': 'optional',
  'send.from': 'optional',
  'send.subject': 'optional',
  'send.html': 'optional',
  'lead.name': 'optional',
  'lead.source': 'optional',
  'lead.note': 'optional',
  'lead.empty-name': 'accepted',
  'lead.wrong-type': 'accepted',
} as const satisfies Partial<Answers>;
