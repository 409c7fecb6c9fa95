import type { OperationId } from '../../../mock/contract/operation-id.ts';
import { type Answer, findQuestion, parseAnswer, type QuestionId } from '../../../mock/contract/questions.ts';
import { describeRefusal, type Exchange, type JsonObject } from '../../exchange/exchange.ts';
import { concernsOneLead } from '../../exchange/operations.ts';
import { textChanges } from '../../model/text.ts';
import { CheckInconclusive, CheckSkipped } from '../../session/outcome.ts';
import type { Session } from '../../session/session.ts';

/** The effect of a probe on a deployment, from least to most intrusive. */
type ProbeNeed = 'read' | 'writes' | 'send' | 'unaddressed';

/** An answer, the exchange that shows it best, and what the probe read from it if the status alone is not enough. */
export type ProbeAnswer = { readonly answer: Answer; readonly exchange: Exchange; readonly detail?: string };

/** The answers of earlier probes of the run. */
export type KnownAnswers = ReadonlyMap<QuestionId, Answer>;

/** Answers one question. It runs twice; different results are no answer. */
export type Probe = {
  readonly question: QuestionId;
  readonly needs: ProbeNeed;
  /** Operations without which the probe shows nothing; discovery must have found that they work. */
  readonly uses?: readonly OperationId[];
  /** The request and how the response is read, in one sentence. */
  readonly description: string;
  /** Number of mails that one run of the probe may cause. */
  readonly mails?: number;
  /**
   * @param before the expected answer, from the first run or from a profile: then only the edge of a limit is tested
   * @throws CheckInconclusive if the responses do not show an answer; NotPermitted, CheckSkipped, RequestFailed
   */
  readonly probe: (session: Session, known: KnownAnswers, before?: Answer) => Promise<ProbeAnswer>;
};

/** @throws CheckInconclusive always */
export const inconclusive = (reason: string): never => {
  throw new CheckInconclusive(reason);
};

/**
 * Whether a request was accepted or refused. 502 and 504 are valid results here if they are the same every
 * time (see `observe`); 429 and 503 never are.
 * @throws CheckInconclusive for other responses: a redirect, another 2xx, a rate limit
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

/** The answer to a question about statuses: `accepted`, or the status of the refusal. */
export const byStatus = (id: QuestionId, exchange: Exchange): ProbeAnswer => {
  const answer = answerFrom(exchange) === 'accepted' ? 'accepted' : exchange.status;
  const question = findQuestion(id);
  try {
    if (question) return { answer: parseAnswer(question, answer), exchange };
  } catch {
    // not in the answer space: see below
  }
  return inconclusive(`${answer} is not among the answers (${question?.answers.join(', ')})`);
};

/** Sends the request of a probe. */
export type Ask = (session: Session, known: KnownAnswers) => Promise<Exchange>;

/** What a probe has beside its question and its request. */
type Common = Omit<Probe, 'question' | 'description' | 'probe'>;

/** A question that one request answers: with the status, or with one of two answers. */
type Row = readonly [
  question: QuestionId,
  description: string,
  ask: Ask,
  answers?: readonly [accepted: Answer, refused: Answer] | undefined,
  own?: Partial<Common>,
];

/** The answers of a question about something that may be left out, and about something that may be sent. */
export const required = ['optional', 'required'] as const;
export const rejected = ['accepted', 'rejected'] as const;

/** The probes that send one request each. @param common what they have in common */
export const oneRequestEach = (common: Common, rows: readonly Row[]): Probe[] =>
  rows.map(([question, description, ask, answers, own]) => ({
    ...common,
    ...own,
    question,
    description,
    probe: async (session, known) => {
      const exchange = await ask(session, known);
      if (answers === undefined) return byStatus(question, exchange);
      const [accepted, refused] = answers;
      return { answer: answerFrom(exchange) === 'accepted' ? accepted : refused, exchange };
    },
  }));

/** @throws CheckSkipped or CheckInconclusive if discovery found the operation unusable, with the reason */
export const needUsable = (session: Session, operation: OperationId): void => {
  if (session.can(operation)) return;
  // Without a lead, updates and deletions cannot be tested: then the reason is that of Add Lead.
  const first = concernsOneLead(operation) ? session.discovery.get('addLead')?.skipped : undefined;
  const skipped = first ?? session.discovery.get(operation)?.skipped;
  if (skipped !== undefined) throw new CheckSkipped(skipped);
  inconclusive(`${operation} could not be used: ${session.obstacleTo(operation)}`);
};

// How responses show answers: those to the requests of the probes, and those in the traffic of others.

/** Reads an answer from the fields of a response; `undefined` if they show none. */
type Reading = (fields: JsonObject) => Answer | undefined;

/** §7: the form of error responses. */
export const errorReadings = {
  'failure.success-field': ({ success }) => {
    if (success === undefined) return 'absent';
    return success === false ? 'false' : undefined;
  },
  'failure.message-field': ({ message }) => {
    if (message === undefined) return 'absent';
    return typeof message === 'string' ? 'present' : undefined;
  },
  'failure.error-style': ({ error }) => {
    if (typeof error !== 'string' || error.trim() === '') return undefined;
    return /\s/.test(error.trim()) ? 'sentence' : 'code';
  },
} satisfies { readonly [Id in QuestionId]?: Reading };

/** §4.5: `error` in the response to an addition that succeeded. */
export const readErrorOfSuccess: Reading = ({ error }) => {
  if (error === undefined) return 'absent';
  return error === '' ? 'empty' : undefined;
};

/** How a text was stored, if that is an answer to this question. */
export const readText = (id: QuestionId, sent: string, shown: unknown): Answer | undefined =>
  shown === sent
    ? 'kept'
    : textChanges.find(({ question, change }) => question === id && change(sent) === shown)?.answer;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The format that several ids have in common. */
export const readFormat = (ids: readonly string[]): Answer => {
  if (ids.every((id) => uuid.test(id))) return 'uuid';
  if (ids.every((id) => /^\d+$/.test(id))) return 'integer';
  const [prefix = ''] = /^[a-z]+[_-]/i.exec(ids[0] ?? '') ?? [];
  return prefix !== '' && ids.every((id) => id.startsWith(prefix)) ? 'prefixed' : 'opaque';
};
