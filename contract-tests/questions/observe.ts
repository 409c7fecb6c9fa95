import { type Answer, findQuestion, type Question, type QuestionId } from '../../mock/contract/questions.ts';
import { MailsUsedUp, RequestFailed } from '../client/errors.ts';
import type { Permissions } from '../client/permissions.ts';
import { type Exchange, excerpt, isObject, parseJson } from '../exchange/exchange.ts';
import { idsIn, madeUpMark } from '../exchange/leads.ts';
import { describeFirewall, isFirewallPage } from '../exchange/origin.ts';
import { deleteCreated } from '../runner/cleanup.ts';
import { confirmAlive, confirmationMails } from '../runner/control-requests.ts';
import { retryIfDisconnected } from '../runner/demands.ts';
import { discoveryMails } from '../runner/discover-email.ts';
import { discover } from '../runner/discovery.ts';
import { CheckInconclusive, classifyError, isInterruption } from '../session/outcome.ts';
import { type Session, sessionFor } from '../session/session.ts';
import type { Shared } from '../session/shared.ts';
import { operationsOf } from './probes/index.ts';
import { type KnownAnswers, needUsable, type Probe, type ProbeAnswer } from './probes/probe.ts';

/** The result of one question. `unstable`: two attempts gave different answers. */
export type QuestionResult = { readonly question: Question } & (
  | {
      readonly status: 'answered';
      readonly answer: Answer;
      readonly evidence: string;
      /** What a command may repeat; not a request of an app. */
      readonly exchange?: Exchange;
    }
  | { readonly status: 'unstable' | 'inconclusive' | 'skipped'; readonly reason: string }
);

export type ObserveResult = {
  readonly results: readonly QuestionResult[];
  readonly interrupted: boolean;
  /** What the deployment stopped doing during the run, one sentence each. */
  readonly troubles: readonly string[];
};

/** Maximum number of mails that these probes may request without retries, including those of discovery. */
export const mailsOf = (probes: readonly Probe[], permissions: Permissions): number => {
  const permitted = probes.filter(({ needs }) => needs !== 'unaddressed' || permissions.unaddressed);
  const mails = discoveryMails(operationsOf(permitted), permissions);
  if (mails === 0 || permissions.sendTo === undefined) return 0;
  return permitted.reduce((sum, { mails = 0 }) => sum + 2 * mails, mails + confirmationMails);
};

/**
 * Runs the probes on a deployment in their order, and deletes what the run created in any case.
 * @param expected the answers in a profile: a limit is then confirmed at its edge before a search starts
 */
export const observe = async (
  shared: Shared,
  probes: readonly Probe[],
  expected: KnownAnswers = new Map(),
): Promise<ObserveResult> => {
  const results: QuestionResult[] = [];
  const answers = new Map<QuestionId, Answer>();
  let interrupted = false;
  try {
    const unknown = new Set([...operationsOf(probes)].filter((id) => !shared.discovery.has(id)));
    await discover(sessionFor(shared, 'discovery'), unknown);
    for (const probe of probes) {
      const result = await ask(shared, probe, answers, expected.get(probe.question));
      if (result.status === 'answered') answers.set(probe.question, result.answer);
      results.push(result);
    }
    await confirmAlive(shared, shared.health.unconfirmed());
  } catch (error) {
    if (!isInterruption(error)) throw error;
    interrupted = true;
  } finally {
    await deleteCreated(shared);
  }
  const sure = results.map((result) => withdrawDoubtful(shared, result, interrupted));
  return { results: sure, interrupted, troubles: troublesOf(shared).map(shared.client.redact) };
};

/** The troubles of the run. A firewall that responds for the service hides the service's own response. */
const troublesOf = ({ health, client, history }: Shared): readonly string[] => {
  const page = client.exchanges.find((exchange) => isFirewallPage(exchange, history.model.servers));
  return page && health.troubles().length === 0 ? [describeFirewall(page)] : health.troubles();
};

/** Withdraws an answer that rests on a refusal which no later success confirms, or on the page of a firewall. */
const withdrawDoubtful = (shared: Shared, result: QuestionResult, interrupted: boolean): QuestionResult => {
  if (result.status !== 'answered') return result;
  const { client, health, history } = shared;
  const name = checkOf(result.question.id);
  const exchanges = client.exchanges.filter(({ scenario }) => scenario === name);
  const page = exchanges.find((exchange) => isFirewallPage(exchange, history.model.servers));
  const [trouble] = exchanges.some(health.isDoubtful) ? health.troubles() : [];
  const isUntested = interrupted && exchanges.some(health.isUnconfirmed);
  const untested = isUntested ? 'the run was interrupted before a control request' : undefined;
  const text = trouble ?? untested ?? (page && describeFirewall(page));
  if (text === undefined) return result;
  const reason = mask(sessionFor(shared, name), text);
  return { question: result.question, status: 'inconclusive', reason };
};

/** The check name for the requests of a probe. */
const checkOf = (question: QuestionId): string => `observe.${question}`;

const ask = async (
  shared: Shared,
  probe: Probe,
  answers: KnownAnswers,
  expected?: Answer,
): Promise<QuestionResult> => {
  const session = sessionFor(shared, checkOf(probe.question));
  const question = findQuestion(probe.question);
  if (!question) throw new Error(`the probe of ${probe.question} has no question`);
  const unanswered = (status: 'unstable' | 'inconclusive' | 'skipped', text: string): QuestionResult => {
    return { question, status, reason: mask(session, text) };
  };
  const needs = ['mail', 'unaddressed'].includes(probe.needs) ? 'mail' : 'writes';
  const attempt = (before?: Answer): Promise<ProbeAnswer> =>
    retryIfDisconnected(shared, { needs }, () => {
      for (const operation of probe.uses ?? []) needUsable(session, operation);
      return probe.probe(session, answers, before);
    });
  try {
    const first = await attempt(expected);
    await session.discardLeads(); // leads of the first attempt must not affect the second one
    await expectControl(session);
    const second = await attempt(first.answer);
    if (second.answer !== first.answer)
      return unanswered('unstable', `first ${first.answer}, then ${second.answer}`);
    const evidence = evidenceOf(session, first.exchange, first.detail);
    return { question, status: 'answered', answer: first.answer, evidence, exchange: first.exchange };
  } catch (error) {
    const undecided = classifyError(error);
    if (!undecided) throw error;
    if (error instanceof RequestFailed) await confirmAlive(shared, ['listTemplates']);
    // A pinned answer that was not asked for lack of mails must not make a run green.
    return unanswered(error instanceof MailsUsedUp ? 'inconclusive' : undecided.status, undecided.reason);
  } finally {
    await session.discardLeads();
  }
};

/** After a refusal the list must still succeed: both attempts of a probe could fall into one outage. */
const expectControl = async (session: Session): Promise<void> => {
  if (session.client.exchanges.at(-1)?.outcome === 'success') return;
  const end = await confirmAlive(session, ['listTemplates']);
  if (end !== undefined) throw new CheckInconclusive(end);
};

const dotted =
  /\b(?:[a-z0-9-]+\.)+(?:com|net|org|io|dev|app|cloud|local|internal|lan|test|example|localhost)\b(?::\d+)?/gi;

const patterns: readonly (readonly [RegExp, string])[] = [
  [/https?:\/\/[^\s"'<>)]+/gi, '<host>'],
  [/[^\s"'<>:;,()]+@[^\s"'<>;,()]+/g, '<address>'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b(?::\d+)?/g, '<host>'],
  [/\blocalhost(?::\d+)?\b/gi, '<host>'],
  [dotted, '<host>'],
  [/\b(?:[a-z0-9-]+\.){2,}[a-z]{2,}\b/gi, '<host>'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '<id>'],
  [/\b[a-z]+[_-](?=[a-z_-]*\d)[a-z0-9_-]{4,}\b/gi, '<id>'],
  [/\b(?=[a-z]*\d)[a-z0-9_-]{12,}\b/gi, '<id>'],
  // Six digits or more, except for a limit, as in "below 1048576 bytes".
  [/\b\d{6,}\b(?! bytes\b)/g, '<id>'],
];

// Far more characters than are shown. The time of some expressions grows with the square of the length.
const maxMasked = 2000;

/**
 * Masks a text so that it can be committed: the key, ids, texts and the id of the run, addresses and hosts. Texts of leads that
 * the run did not create never reach this function: evidence comes only from refusals and from shapes of bodies.
 */
const mask = (session: Session, text: string): string => {
  let masked = session.client.redact(text).slice(0, maxMasked);
  for (const id of idsIn(session.client.exchanges)) masked = withoutId(masked, id);
  masked = masked
    .replaceAll(new RegExp(`Contract test ${session.runId}-\\w+ ?\\w*`, 'g'), '<text>')
    .replaceAll(new RegExp(`${madeUpMark}${session.runId}-\\w+-`, 'g'), '')
    .replaceAll(session.runId, '<run>');
  return patterns.reduce((rest, [pattern, name]) => rest.replaceAll(pattern, name), masked);
};

// A short id (`7`) may occur anywhere by chance: it is masked only in quotes or at the end of a path.
const withoutId = (text: string, id: string): string => {
  const literal = id.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const before = id.length < 4 ? `["'/]` : '[^\\w-]';
  return text.replaceAll(new RegExp(`(?<=^|${before})${literal}(?![\\w-])`, 'g'), '<id>');
};

/**
 * Describes a request and its response, short and masked: `POST /api/v1/leads {source, note}: 400 body/name is required`.
 * @param detail what the probe read from the response, in addition to its status
 */
const evidenceOf = (session: Session, exchange: Exchange, detail?: string): string =>
  `${requestShape(session, exchange)}: ${replyShape(session, exchange)}${detail === undefined ? '' : `; ${detail}`}`;

const requestShape = (session: Session, exchange: Exchange): string => {
  const { method, path, credentials, contentType } = exchange;
  const place = path.replace(/(\/leads\/)[^/?]+/, '$1<id>').replace(/contract-test-.*/, '<random>');
  return [
    `${method} ${mask(session, place)}`,
    ...(credentials === 'key' ? [] : [`(${credentials === 'none' ? 'no key' : credentials})`]),
    ...(exchange.body === undefined ? [] : [bodyShape(exchange.body)]),
    ...(contentType === undefined || contentType === 'application/json' ? [] : [`as ${contentType}`]),
  ].join(' ');
};

/** The names of the fields. The values are omitted, because the run created them. */
const bodyShape = (body: string): string => {
  const json = parseJson(body);
  const shape = isObject(json) ? `{${Object.entries(json).map(fieldShape).join(', ')}}` : excerpt(body, 20);
  return body.length > 1000 ? `${shape} of ${body.length} bytes` : shape;
};

const fieldShape = ([name, value]: [string, unknown]): string => {
  if (value === '' || typeof value === 'number') return `${name}: ${JSON.stringify(value)}`;
  return isObject(value) && Object.keys(value).length === 0 ? `${name}: {}` : name;
};

const replyShape = (session: Session, { outcome, status, json }: Exchange): string => {
  if (outcome === 'success') return '200 success';
  const error = isObject(json) && typeof json.error === 'string' ? json.error : '';
  return error === '' ? `${status}` : `${status} ${excerpt(mask(session, error), 80)}`;
};
