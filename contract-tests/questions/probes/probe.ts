import type { OperationId } from '../../../mock/contract/operation-id.ts';
import { type Answer, findQuestion, parseAnswer, type QuestionId } from '../../../mock/contract/questions.ts';
import {
  describeRefusal,
  type Exchange,
  isObject,
  isRateLimit,
  type JsonObject,
} from '../../exchange/exchange.ts';
import { concernsOneLead, type Need } from '../../exchange/operations.ts';
import { textChanges } from '../../model/text.ts';
import { CheckInconclusive, CheckSkipped } from '../../session/outcome.ts';
import type { Session } from '../../session/session.ts';

/** The effect of a probe on a deployment. `unaddressed`: mail whose recipient the deployment chooses. */
type ProbeNeed = Need | 'unaddressed';

/** An answer, the exchange that shows it best, and what else the probe read from it. */
export type ProbeAnswer = { readonly answer: Answer; readonly exchange: Exchange; readonly detail?: string };

/** The answers of earlier probes of the run. */
export type KnownAnswers = ReadonlyMap<QuestionId, Answer>;

/**
 * Sends the requests of a probe.
 * @param before the expected answer, from the first run or from a profile: then only the edge of a limit is tested
 * @throws CheckInconclusive if the responses do not show an answer; NotPermitted, CheckSkipped, RequestFailed
 */
export type Ask<Result = Exchange> = (
  session: Session,
  known: KnownAnswers,
  before?: Answer,
) => Promise<Result>;

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
  readonly probe: Ask<ProbeAnswer>;
};

/** Reads an answer from the fields of a response; `undefined` if they show none. */
type Reading = (fields: JsonObject, exchange: Exchange) => Answer | undefined;

/** What a probe has beside its question and its request. */
type Common = Omit<Probe, 'question' | 'description' | 'probe'>;

/** A probe. The response to its request is read as a status, as one of two answers, or by its fields. */
export type Row = readonly [
  question: QuestionId,
  description: string,
  ask: Ask<Exchange | ProbeAnswer>,
  reading?: readonly [accepted: Answer, refused: Answer] | Reading | undefined,
  own?: Partial<Common>,
];

/** The answers of a question about something that may be left out, and about something that may be sent. */
export const required = ['optional', 'required'] as const;
export const rejected = ['accepted', 'rejected'] as const;

/** @param common what the probes have in common */
export const probesOf = (common: Common, rows: readonly Row[]): Probe[] =>
  rows.map(([question, description, ask, reading, own]) => ({
    ...common,
    ...own,
    question,
    description,
    probe: async (...context) => {
      const asked = await ask(...context);
      return 'answer' in asked ? asked : { answer: read(question, asked, reading), exchange: asked };
    },
  }));

const read = (question: QuestionId, exchange: Exchange, reading: Row[3]): Answer => {
  if (typeof reading === 'function') return readFields(exchange, reading);
  const accepted = isAccepted(exchange);
  if (reading !== undefined) return reading[accepted ? 0 : 1];
  return answerAmong(question, accepted ? 'accepted' : exchange.status);
};

/** The value as an answer to the question. @throws CheckInconclusive if it is none */
export const answerAmong = (id: QuestionId, value: Answer): Answer => {
  const question = findQuestion(id);
  try {
    if (question) return parseAnswer(question, value);
  } catch {
    // Not among the answers: see below.
  }
  return inconclusive(`${value} is not among the answers (${question?.answers.join(', ')})`);
};

const readFields = (exchange: Exchange, reading: Reading): Answer => {
  const { json } = exchange;
  if (!isObject(json)) return inconclusive('the response is not a JSON object');
  const names = Object.keys(json).join(', ');
  const undecided = `the response has the fields ${names}, which do not decide the question`;
  return reading(json, exchange) ?? inconclusive(undecided);
};

/** @throws CheckInconclusive always */
export const inconclusive = (reason: string): never => {
  throw new CheckInconclusive(reason);
};

/**
 * Whether a request was accepted or refused. 502 and 504 are valid refusals here if they are the same every
 * time (see `observe`); a rate limit and 503 never are.
 * @throws CheckInconclusive for other responses: a redirect, another 2xx, a rate limit
 */
export const isAccepted = (exchange: Exchange): boolean => {
  const { outcome, status } = exchange;
  if (outcome === 'success') return true;
  if (outcome === 'gateway' && (isRateLimit(exchange) || status === 503))
    inconclusive(`${status} after every retry: the deployment is rate limiting or overloaded`);
  if (outcome === 'broken')
    inconclusive(`neither success nor an error response: ${describeRefusal(exchange)}`);
  if (status >= 300 && status < 400) inconclusive(`it redirects (${status})`);
  return false;
};

/** Expects what an answer needs to succeed. @param what the request, for the reason */
export const expectAccepted = (exchange: Exchange, what: string): Exchange =>
  isAccepted(exchange) ? exchange : inconclusive(`${what} was refused: ${describeRefusal(exchange)}`);

/** @throws CheckSkipped or CheckInconclusive if discovery found the operation unusable, with the reason */
export const needUsable = (session: Session, operation: OperationId): void => {
  if (session.can(operation)) return;
  // Without a lead, updates and deletions cannot be tested: then the reason is that of Add Lead.
  const first = concernsOneLead(operation) ? session.discovery.get('addLead')?.skipped : undefined;
  const skipped = first ?? session.discovery.get(operation)?.skipped;
  if (skipped !== undefined) throw new CheckSkipped(skipped);
  inconclusive(`${operation} could not be used: ${session.obstacleTo(operation).reason}`);
};

// How responses show answers: those to the requests of the probes, and those in the traffic of others.

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
} satisfies { readonly [Id in QuestionId]?: (fields: JsonObject) => Answer | undefined };

/** §4.5: `error` in the response to an addition that succeeded. */
export const readErrorOfSuccess = ({ error }: JsonObject): Answer | undefined => {
  if (error === undefined) return 'absent';
  return error === '' ? 'empty' : undefined;
};

/** How a text was stored, if that is an answer to this question. */
export const readText = (id: QuestionId, sent: string, shown: unknown): Answer | undefined =>
  shown === sent
    ? 'kept'
    : textChanges.find(({ question, change }) => question === id && change(sent) === shown)?.answer;
