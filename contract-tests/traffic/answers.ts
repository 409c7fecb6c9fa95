import { type Answer, findQuestion, parseAnswer, type QuestionId } from '../../mock/contract/questions.ts';
import {
  dataOf,
  type Exchange,
  isObject,
  isRefusal,
  isSuccess,
  type JsonObject,
  sentJson,
} from '../exchange/exchange.ts';
import { type LeadField, leadFields } from '../exchange/leads.ts';
import { concernsOneLead, routes } from '../exchange/operations.ts';
import { existence, type LeadState } from '../model/lead.ts';
import type { Model } from '../model/model.ts';
import { leadIdOf } from '../model/requests.ts';
import { textChanges } from '../model/text.ts';
import type { QuestionResult } from '../questions/observe.ts';
import { errorReadings, readErrorOfSuccess, readFormat, readText } from '../questions/probes/probe.ts';
import { notSeen } from './judge.ts';

type Seen = { readonly count: number; readonly exchange: Exchange };

/** An answer that one exchange shows. */
export type ShownAnswer = readonly [question: QuestionId, answer: Answer];

/** Answers to open questions that the traffic of a session shows; a profile is compared with them. */
export const createAnswers = () => {
  const answersById = new Map<QuestionId, Map<Answer, Seen>>();
  const forms = new Set<string>();
  const ids: string[] = [];

  const note = (question: QuestionId, answer: Answer | undefined, exchange: Exchange): ShownAnswer[] => {
    if (answer === undefined || !isPossible(question, answer)) return [];
    const answers = answersById.get(question) ?? new Map<Answer, Seen>();
    answersById.set(question, answers);
    const before = answers.get(answer);
    answers.set(answer, {
      count: (before?.count ?? 0) + 1,
      exchange: before?.exchange ?? withoutBodies(exchange),
    });
    return [[question, answer]];
  };

  /** §4.4: both path forms have succeeded. */
  const noteForms = (exchange: Exchange): ShownAnswer[] => {
    const { operation, path, outcome } = exchange;
    const { paths } = routes[operation];
    if (outcome !== 'success' || concernsOneLead(operation) || paths.length < 2) return [];
    forms.add(path);
    if (!paths.every((form) => forms.has(form))) return [];
    return note(
      operation === 'listTemplates' ? 'templates.list-path' : 'templates.send-path',
      'both',
      exchange,
    );
  };

  const noteId = (exchange: Exchange): ShownAnswer[] => {
    const { lead_id: id } = dataOf(exchange);
    if (exchange.operation !== 'addLead' || exchange.outcome !== 'success' || typeof id !== 'string')
      return [];
    // The same number of ids as in `observe`.
    if (ids.push(id) === 3) return note('lead.id-format', readFormat(ids), exchange);
    ids.length = Math.min(ids.length, 3);
    return [];
  };

  return {
    /** Adds the answers that this exchange shows, given what may be true before it, and returns them. */
    add: (exchange: Exchange, model: Model): readonly ShownAnswer[] => [
      ...shownAnswers(exchange, model).flatMap(([question, answer]) => note(question, answer, exchange)),
      ...noteForms(exchange),
      ...noteId(exchange),
    ],
    /** A result for each question: answered, unstable if the traffic shows several answers, otherwise skipped. */
    results: (questions: readonly QuestionId[]): QuestionResult[] =>
      questions.flatMap((id) => resultFor(id, answersById.get(id)) ?? []),
  };
};

const isPossible = (id: QuestionId, answer: Answer): boolean => {
  const question = findQuestion(id);
  try {
    return question !== undefined && parseAnswer(question, answer) === answer;
  } catch {
    return false; // not one of the answers, such as a status that the question does not have
  }
};

const withoutBodies = (exchange: Exchange): Exchange => ({
  ...exchange,
  text: '',
  rawText: '',
  json: undefined,
  body: undefined,
});

const resultFor = (
  id: QuestionId,
  answers: ReadonlyMap<Answer, Seen> | undefined,
): QuestionResult | undefined => {
  const question = findQuestion(id);
  if (!question) return undefined;
  const [first, second] = [...(answers ?? [])];
  if (!first)
    return {
      question,
      status: 'skipped',
      reason: question.observable ? notSeen : 'it cannot be observed from outside',
    };
  const [answer, { count, exchange }] = first;
  if (second)
    return {
      question,
      status: 'unstable',
      reason: `the traffic shows ${answer} (${count}×) and ${second[0]} (${second[1].count}×)`,
    };
  const path = concernsOneLead(exchange.operation) ? routes[exchange.operation].paths[0] : exchange.path;
  const evidence = `traffic, ${count}×: ${exchange.method} ${path}: ${exchange.status}`;
  return { question, status: 'answered', answer, evidence, exchange };
};

type Shown = readonly [question: QuestionId, answer: Answer | undefined];

const leadOf = (exchange: Exchange, { leads }: Model): LeadState | undefined => leads.get(leadIdOf(exchange));

/** Whether the lead was deleted in this session. */
const isDeleted = (exchange: Exchange, model: Model): boolean => {
  const lead = leadOf(exchange, model);
  return lead !== undefined && existence(lead, { from: exchange.sentAt, to: exchange.sentAt }) === 'no';
};

/** The text that the last response with this field showed. */
const shownLast = ({ texts }: LeadState, field: LeadField): string | undefined => {
  const value = texts[field].at(-1)?.value;
  return value === undefined || value === 'anything' ? undefined : value.shown;
};

/** Whether a request was refused for its content, and not by a gateway, for its key, or because the path does not exist. */
const isRefused = (exchange: Exchange): boolean =>
  isRefusal(exchange) &&
  ![401, 403, 404, 405].includes(exchange.status) &&
  !(exchange.status >= 300 && exchange.status < 400);

const statusOf = ({ outcome, status }: Exchange): Answer | undefined =>
  outcome === 'refusal' && (status === 200 || status >= 400) ? status : undefined;

const takenOr = (exchange: Exchange, accepted: Answer, refused: Answer | undefined): Answer | undefined =>
  isSuccess(exchange) ? accepted : isRefused(exchange) ? refused : undefined;

/** §7: the form of error responses. */
const errorAnswers = ({ outcome, json }: Exchange): Shown[] => {
  if (outcome !== 'refusal' || !isObject(json) || typeof json.error !== 'string') return [];
  const questions = Object.keys(errorReadings) as (keyof typeof errorReadings)[];
  return questions.map((question) => [question, errorReadings[question](json)]);
};

/** §5: the responses to credentials other than a key. */
const keyAnswers = (exchange: Exchange): Shown[] => {
  const { credentials } = exchange;
  if (credentials === 'none') return [['auth.missing-status', statusOf(exchange)]];
  return credentials === 'Basic' || credentials === 'Bearer without a key'
    ? [['auth.malformed-status', statusOf(exchange)]]
    : [];
};

/** The answers about text changes, for a text that common middleware changes; none for other texts. */
const textAnswers = (sent: unknown, shown: unknown): Shown[] => {
  if (typeof sent !== 'string' || typeof shown !== 'string') return [];
  return textChanges
    .filter(({ change }) => change(sent) !== sent)
    .map(({ question }) => [question, readText(question, sent, shown)]);
};

/** Something in a request that a question leaves open, with the answers if it is accepted and if it is refused. */
type Deviation = readonly [question: QuestionId, accepted: Answer, refused: Answer];

const isLeadField = (name: string): boolean => (leadFields as readonly string[]).includes(name);

/** §2.3 and §4.5: what a new lead has, or lacks, beside the three texts. */
const deviationsOf = (lead: JsonObject): readonly Deviation[] => [
  ...leadFields
    .filter((name) => !Object.hasOwn(lead, name))
    .map((name): Deviation => [`lead.${name}`, 'optional', 'required']),
  ...Object.keys(lead)
    .filter((name) => !isLeadField(name))
    .map((name): Deviation => {
      const question = name === 'email' ? 'lead.email' : 'lead.unknown-field';
      return [question, 'accepted', 'rejected'];
    }),
  ...leadFields
    .filter((name) => typeof lead[name] === 'number')
    .map((): Deviation => ['lead.wrong-type', 'accepted', 'rejected']),
  ...(lead.name === '' ? [['lead.empty-name', 'accepted', 'rejected'] as const] : []),
];

/** §2.3 and §4.5: only requests with a single deviation show which one was refused. */
const additionAnswers = (exchange: Exchange): Shown[] => {
  const sent = sentJson(exchange);
  if (exchange.operation !== 'addLead' || !isObject(sent)) return [];
  // No question is about a text that is a boolean, `null`, a list or an object.
  if (leadFields.some((name) => !/^(string|number|undefined)$/.test(typeof sent[name]))) return [];
  const deviations = deviationsOf(sent);
  if (isSuccess(exchange)) {
    const shown = dataOf(exchange);
    return [
      ...deviations.map(([question, accepted]): Shown => [question, accepted]),
      ['success.error-field', readErrorOfSuccess(exchange.json as JsonObject)],
      ...leadFields.flatMap((name) => textAnswers(sent[name], shown[name])),
    ];
  }
  const [only, ...others] = deviations;
  if (!only || others.length > 0 || !isRefused(exchange)) return [];
  const [question, , refused] = only;
  const status: Shown = ['failure.validation-status', statusOf(exchange)];
  return [[question, refused], ...(question === 'lead.wrong-type' ? [status] : [])];
};

/** §4.6: permitted fields of an update, and the response for a deleted lead. */
const updateAnswers = (exchange: Exchange, model: Model): Shown[] => {
  const request = sentJson(exchange);
  if (exchange.operation !== 'updateLead' || !isObject(request)) return [];
  if (isDeleted(exchange, model))
    return [['failure.unknown-lead-status', isSuccess(exchange) ? undefined : statusOf(exchange)]];
  const lead = leadOf(exchange, model);
  if (Object.keys(request).length === 0)
    return lead ? [['lead.update-empty', takenOr(exchange, 'accepted', 'rejected')]] : [];
  if (!isSuccess(exchange)) return [];
  const shown = dataOf(exchange);
  const named = (['name', 'source'] as const).flatMap((field): Shown[] => {
    const [sent, before] = [request[field], lead && shownLast(lead, field)];
    if (exchange.overlaps || typeof sent !== 'string' || before === undefined || sent === before) return [];
    if (shown[field] === sent) return [[`lead.update-${field}`, 'accepted']];
    return shown[field] === before ? [[`lead.update-${field}`, 'ignored']] : [];
  });
  return [...named, ...textAnswers(request.note, shown.note)];
};

const deletionAnswers = (exchange: Exchange, model: Model): Shown[] =>
  exchange.operation === 'deleteLead' && isDeleted(exchange, model)
    ? [['failure.delete-again-status', isSuccess(exchange) ? 'accepted' : statusOf(exchange)]]
    : [];

/** §4.1 and §4.3: required fields of a mail; only accepted requests show an answer. */
const mailAnswers = (exchange: Exchange): Shown[] => {
  const request = sentJson(exchange);
  if (!isSuccess(exchange) || !isObject(request)) return [];
  const lacks = (name: string): boolean => !Object.hasOwn(request, name);
  if (exchange.operation === 'sendEmail')
    return (['to', 'from', 'subject', 'html'] as const)
      .filter(lacks)
      .map((name) => [`send.${name}`, 'optional']);
  return exchange.operation === 'sendTemplateEmail' && lacks('variables')
    ? [['template-send.variables', 'optional']]
    : [];
};

/** §7: unreadable bodies and other media types. */
const bodyAnswers = (exchange: Exchange): Shown[] => {
  const { body = '', contentType, operation } = exchange;
  const request = sentJson(exchange);
  if (operation !== 'addLead' || body === '' || exchange.credentials !== 'key') return [];
  if (request === undefined && contentType === 'application/json')
    return [['failure.malformed-json-status', takenOr(exchange, 'accepted', statusOf(exchange))]];
  const isComplete = isObject(request) && leadFields.every((name) => typeof request[name] === 'string');
  const isOther = contentType !== undefined && contentType !== 'application/json' && isComplete;
  return isOther ? [['failure.media-type-status', takenOr(exchange, 'accepted', statusOf(exchange))]] : [];
};

/** The answers to open questions that one exchange shows, given what may be true before it. */
const shownAnswers = (exchange: Exchange, model: Model): Shown[] =>
  [
    errorAnswers,
    keyAnswers,
    additionAnswers,
    updateAnswers,
    deletionAnswers,
    mailAnswers,
    bodyAnswers,
  ].flatMap((answersIn) => answersIn(exchange, model));
