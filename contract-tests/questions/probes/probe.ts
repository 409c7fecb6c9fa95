import type { OperationId } from '../../../mock/contract/operation-id.ts';
import { type Answer, findQuestion, parseAnswer, type QuestionId } from '../../../mock/contract/questions.ts';
import { describeRefusal, type Exchange } from '../../client/exchange.ts';
import type { Discovery } from '../../session/outcome.ts';
import { CheckInconclusive, CheckSkipped } from '../../session/outcome.ts';
import { concernsOneLead } from '../../session/routes.ts';
import type { Session } from '../../session/session.ts';

/** What a probe does to a deployment, the least intrusive first. */
type ProbeNeed = 'read' | 'writes' | 'send' | 'unaddressed';

/** An answer, the exchange that shows it best, and what was seen in it where its status does not tell. */
export type ProbeAnswer = { readonly answer: Answer; readonly exchange: Exchange; readonly detail?: string };

/** What earlier probes of the run learned. */
export type ProbeContext = {
  readonly answers: ReadonlyMap<QuestionId, Answer>;
  readonly findings: Discovery;
  /** The id of a lead the run added and deleted, the same one every time. */
  readonly deletedLead: () => Promise<string>;
  /** Asks about a deleted lead; what still takes it for alive is asked again when a second has passed. */
  readonly afterDeletion: (ask: (leadId: string) => Promise<Exchange>) => Promise<Exchange>;
};

/** Answers one question. Asked twice; what is not the same both times is no answer. */
export type Probe = {
  readonly question: QuestionId;
  readonly needs: ProbeNeed;
  /** What it sends and how it reads the response, in one sentence. */
  readonly description: string;
  /** Mails one asking may cause. */
  readonly mails?: number;
  /** Questions that are asked before, because this one is asked in their terms. */
  readonly dependsOn?: readonly QuestionId[];
  /**
   * @param before the answer expected, from the first asking or from a profile: enough to look at the edge of a limit
   * @throws CheckInconclusive where the replies do not tell; NotPermitted, CheckSkipped, RequestFailed
   */
  readonly probe: (session: Session, known: ProbeContext, before?: Answer) => Promise<ProbeAnswer>;
};

/** @throws CheckInconclusive, always */
export const inconclusive = (reason: string): never => {
  throw new CheckInconclusive(reason);
};

/**
 * Whether a request was taken or refused. 502 and 504 are answers here, where they are the same every time (see
 * `observe`); 429 and 503 never are.
 * @throws CheckInconclusive for what is neither: a redirect, another 2xx, a rate limit
 */
export const answerFrom = (exchange: Exchange): 'accepted' | 'refused' => {
  const { outcome, status } = exchange;
  if (outcome === 'success') return 'accepted';
  if (outcome === 'gateway' && (status === 429 || status === 503))
    return inconclusive(`${status} after every retry: the deployment is rate limiting or overloaded`);
  if (outcome === 'broken')
    return inconclusive(`neither success nor an error response: ${describeRefusal(exchange)}`);
  if (status >= 300 && status < 400) return inconclusive(`it redirects (${status})`);
  return 'refused';
};

/** `yes` where the request was taken, `no` where it was refused. */
export const byOutcome = (exchange: Exchange, yes: Answer, no: Answer): ProbeAnswer => ({
  answer: answerFrom(exchange) === 'accepted' ? yes : no,
  exchange,
});

/** The answer to a question about statuses: `accepted`, or the status of the refusal. */
export const byStatus = (id: QuestionId, exchange: Exchange): ProbeAnswer => {
  const answer = answerFrom(exchange) === 'accepted' ? 'accepted' : exchange.status;
  const question = findQuestion(id);
  try {
    if (question) return { answer: parseAnswer(question, answer), exchange };
  } catch {
    // outside the space: below
  }
  return inconclusive(`${answer} is not among the answers (${question?.answers.join(', ')})`);
};

/** @throws CheckSkipped or CheckInconclusive where discovery could not use the operation, with its reason */
export const needUsable = (
  { capabilities }: Session,
  { findings }: ProbeContext,
  operation: OperationId,
): void => {
  const capability = capabilities.get(operation);
  const deletion = capabilities.get('deleteLead');
  if (capability?.available && operation === 'addLead' && deletion?.available === false)
    throw new CheckSkipped(`no more leads are added, because they could not be deleted: ${deletion.reason}`);
  if (capability?.available) return;
  // Without a lead nothing can be said of updates and deletions: the reason is why there is none.
  const first = concernsOneLead(operation) ? 'addLead' : operation;
  const skipped = findings.get(first)?.skipped ?? findings.get(operation)?.skipped;
  if (skipped !== undefined) throw new CheckSkipped(skipped);
  inconclusive(`${operation} could not be used: ${capability?.reason ?? 'it was not asked'}`);
};
