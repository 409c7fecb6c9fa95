// Answers to open questions that the traffic of a session shows; a profile is compared with them.
import { type Answer, findQuestion, parseAnswer, type QuestionId } from '../../mock/contract/questions.ts';
import {
  dataOf,
  type Exchange,
  isObject,
  isRefusal,
  isSuccess,
  type JsonObject,
  sentFields,
  sentJson,
} from '../exchange/exchange.ts';
import { leadFields } from '../exchange/leads.ts';
import { concernsOneLead, routes } from '../exchange/operations.ts';
import { existence } from '../model/lead.ts';
import type { Model } from '../model/model.ts';
import { leadIdOf } from '../model/requests.ts';
import { textChanges } from '../model/text.ts';
import type { QuestionResult } from '../questions/observe.ts';
import { errorReadings, readErrorOfSuccess, readText } from '../questions/probes/probe.ts';
import type { RequestFinding } from './exchanges/requests.ts';
import { notSeen } from './judge.ts';

/** How often an answer was seen, and what showed it first. */
type Seen = { readonly count: number; readonly by: string };

export const createAnswers = () => {
  const answersById = new Map<QuestionId, Map<Answer, Seen>>();
  const note = (question: QuestionId, answer: Answer, exchange: Exchange): void => {
    const answers = answersById.get(question) ?? new Map<Answer, Seen>();
    answersById.set(question, answers);
    const { count, by } = answers.get(answer) ?? { count: 0, by: shapeOf(exchange) };
    answers.set(answer, { count: count + 1, by });
  };
  return {
    /**
     * Adds the answers that this exchange shows.
     * @param model what may be true before it
     * @param deviations what its request has, or lacks
     */
    add: (exchange: Exchange, model: Model, deviations: readonly RequestFinding[]): void => {
      for (const [question, answer] of readers.flatMap((read) => read(exchange, model, deviations)))
        if (answer !== undefined && isPossible(question, answer)) note(question, answer, exchange);
    },
    /** A result for each question: answered, unstable if the traffic shows several answers, otherwise skipped. */
    results: (questions: readonly QuestionId[]): QuestionResult[] =>
      questions.flatMap((id) => resultFor(id, [...(answersById.get(id) ?? [])])),
  };
};

/** Whether it is one of the answers; a status may be one that the question does not have. */
const isPossible = (id: QuestionId, answer: Answer): boolean => {
  const question = findQuestion(id);
  try {
    return question !== undefined && parseAnswer(question, answer) === answer;
  } catch {
    return false;
  }
};

/** `PUT /api/v1/leads/{id}: 404` */
const shapeOf = ({ operation, method, path, status }: Exchange): string =>
  `${method} ${concernsOneLead(operation) ? routes[operation].paths[0] : path}: ${status}`;

const resultFor = (
  id: QuestionId,
  [first, second]: readonly (readonly [Answer, Seen])[],
): readonly QuestionResult[] => {
  const question = findQuestion(id);
  if (!question) return [];
  const unseen = question.observable ? notSeen : 'it cannot be observed from outside';
  if (!first) return [{ question, status: 'skipped', reason: unseen }];
  const [answer, { count, by }] = first;
  const other = second && `the traffic shows ${answer} (${count}×) and ${second[0]} (${second[1].count}×)`;
  if (other !== undefined) return [{ question, status: 'unstable', reason: other }];
  return [{ question, status: 'answered', answer, evidence: `traffic, ${count}×: ${by}` }];
};

/** What one exchange shows; no answer where it decides nothing. */
type Shown = readonly [question: QuestionId, answer: Answer | undefined];

type Reader = (exchange: Exchange, model: Model, deviations: readonly RequestFinding[]) => readonly Shown[];

/** Whether a request was refused for its content, and not by a gateway, for its key, or because the path does not exist. */
const isRefused = (exchange: Exchange): boolean =>
  isRefusal(exchange) && ![401, 403, 404, 405].includes(exchange.status) && !/^3/.test(`${exchange.status}`);

const statusOf = ({ outcome, status }: Exchange): Answer | undefined =>
  outcome === 'refusal' && (status === 200 || status >= 400) ? status : undefined;

const takenOr = (exchange: Exchange, refused: Answer | undefined): Answer | undefined =>
  isSuccess(exchange) ? 'accepted' : isRefused(exchange) ? refused : undefined;

/** §7: the form of error responses. */
const readError: Reader = ({ outcome, json }) => {
  if (outcome !== 'refusal' || !isObject(json) || typeof json.error !== 'string') return [];
  const questions = Object.keys(errorReadings) as (keyof typeof errorReadings)[];
  return questions.map((question) => [question, errorReadings[question](json)]);
};

/** §5: the responses to credentials other than a key. */
const readKey: Reader = (exchange) => {
  const { credentials } = exchange;
  if (credentials === 'none') return [['auth.missing-status', statusOf(exchange)]];
  const isMalformed = credentials === 'Basic' || credentials === 'Bearer without a key';
  return isMalformed ? [['auth.malformed-status', statusOf(exchange)]] : [];
};

/** How a text is stored, where it is one that common middleware changes. */
const readChange = (sent: unknown, shown: unknown): Shown[] =>
  typeof sent !== 'string' || typeof shown !== 'string'
    ? []
    : textChanges
        .filter(({ change }) => change(sent) !== sent)
        .map(({ question }) => [question, readText(question, sent, shown)]);

/**
 * §2.3, §4.1, §4.3 and §4.5: what a request has, or lacks, that a question leaves open. A refusal decides only if nothing else in the
 * request can be its reason.
 */
const readDeviations: Reader = (exchange, _model, deviations) => {
  const sent = sentFields(exchange);
  const isAddition = exchange.operation === 'addLead';
  if (exchange.operation === 'updateLead') return [];
  // No question is about a text that is a boolean, `null`, a list or an object.
  if (isAddition && leadFields.some((name) => !/^(string|number|undefined)$/.test(typeof sent[name])))
    return [];
  const open: readonly Pick<RequestFinding, 'kind' | 'question'>[] = [
    ...deviations,
    ...(isAddition && sent.name === '' ? [{ kind: 'wrong type', question: 'lead.empty-name' } as const] : []),
  ];
  if (isSuccess(exchange))
    return open.flatMap(({ kind, question }): Shown[] =>
      question === undefined ? [] : [[question, kind === 'missing field' ? 'optional' : 'accepted']],
    );
  const [{ kind, question } = {}, ...others] = open;
  if (!isAddition || question === undefined || others.length > 0 || !isRefused(exchange)) return [];
  return [
    [question, kind === 'missing field' ? 'required' : 'rejected'],
    ...(question === 'lead.wrong-type' ? [['failure.validation-status', statusOf(exchange)] as const] : []),
  ];
};

/** §4.5: the response to an addition. */
const readAddition: Reader = (exchange) => {
  if (exchange.operation !== 'addLead' || !isSuccess(exchange)) return [];
  const [sent, shown] = [sentFields(exchange), dataOf(exchange)];
  return [
    ['success.error-field', readErrorOfSuccess(exchange.json as JsonObject)],
    ...leadFields.flatMap((name) => readChange(sent[name], shown[name])),
  ];
};

/** §4.6 and §7.4: permitted fields of an update, and the responses for a lead that was deleted in this session. */
const readChangeOfLead: Reader = (exchange, { leads }) => {
  const { operation, sentAt, overlaps } = exchange;
  const lead = leads.get(leadIdOf(exchange));
  if (!lead) return [];
  const isDeleted = existence(lead, { from: sentAt, to: sentAt }) === 'no';
  if (operation === 'deleteLead' && isDeleted)
    return [['failure.delete-again-status', isSuccess(exchange) ? 'accepted' : statusOf(exchange)]];
  const request = sentJson(exchange);
  if (operation !== 'updateLead' || !isObject(request)) return [];
  if (isDeleted) return [['failure.unknown-lead-status', statusOf(exchange)]];
  if (Object.keys(request).length === 0) return [['lead.update-empty', takenOr(exchange, 'rejected')]];
  if (!isSuccess(exchange)) return [];
  const shown = dataOf(exchange);
  const named = (['name', 'source'] as const).flatMap((field): Shown[] => {
    const sent = request[field];
    const last = lead.texts[field].at(-1)?.value;
    const before = last === undefined || last === 'anything' ? undefined : last.shown;
    if (overlaps || typeof sent !== 'string' || before === undefined || sent === before) return [];
    if (shown[field] === sent) return [[`lead.update-${field}`, 'accepted']];
    return shown[field] === before ? [[`lead.update-${field}`, 'ignored']] : [];
  });
  return [...named, ...readChange(request.note, shown.note)];
};

/** §7: unreadable bodies and other media types. */
const readBody: Reader = (exchange) => {
  const { body = '', contentType, operation, credentials } = exchange;
  const request = sentJson(exchange);
  if (operation !== 'addLead' || body === '' || credentials !== 'key') return [];
  const status = takenOr(exchange, statusOf(exchange));
  if (contentType === 'application/json')
    return request === undefined ? [['failure.malformed-json-status', status]] : [];
  const isComplete = isObject(request) && leadFields.every((name) => typeof request[name] === 'string');
  return contentType !== undefined && isComplete ? [['failure.media-type-status', status]] : [];
};

const readers: readonly Reader[] = [
  readError,
  readKey,
  readDeviations,
  readAddition,
  readChangeOfLead,
  readBody,
];
