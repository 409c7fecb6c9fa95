import type { Answer, QuestionId } from '../../mock/contract/questions.ts';
import { dataOf, type Exchange, isObject, isRefusal, isSuccess, sentJson } from '../exchange/exchange.ts';
import { type LeadField, leadFields } from '../exchange/leads.ts';
import { existence, type LeadState } from '../model/lead.ts';
import type { Model } from '../model/model.ts';
import { leadIdOf } from '../model/requests.ts';
import { textChanges } from '../model/text.ts';

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
  const success = json.success === false ? 'false' : Object.hasOwn(json, 'success') ? undefined : 'absent';
  return [
    ['failure.success-field', success],
    [
      'failure.message-field',
      typeof json.message === 'string' ? 'present' : Object.hasOwn(json, 'message') ? undefined : 'absent',
    ],
    [
      'failure.error-style',
      json.error.trim() === '' ? undefined : /\s/.test(json.error.trim()) ? 'sentence' : 'code',
    ],
  ];
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
  return textChanges.flatMap(({ question, answer, change }): Shown[] => {
    const changed = change(sent);
    if (changed === sent) return [];
    return [[question, shown === sent ? 'kept' : shown === changed ? answer : undefined]];
  });
};

/**
 * §2.3 and §4.5: permitted and required fields of a new lead. Only requests with a single deviation show which one was refused.
 */
const additionAnswers = (exchange: Exchange): Shown[] => {
  const request = sentJson(exchange);
  if (exchange.operation !== 'addLead' || !isObject(request)) return [];
  const missing = leadFields.filter((name) => !Object.hasOwn(request, name));
  const extra = Object.keys(request).filter((name) => !(leadFields as readonly string[]).includes(name));
  const wrong = leadFields.filter(
    (name) => Object.hasOwn(request, name) && typeof request[name] !== 'string',
  );
  const [onlyMissing, onlyExtra] = [
    missing.length === 1 && extra.length + wrong.length === 0,
    extra.length === 1 && missing.length + wrong.length === 0,
  ];
  const shown = dataOf(exchange);
  const texts =
    isSuccess(exchange) && extra.length === 0
      ? leadFields.flatMap((name) => textAnswers(request[name], shown[name]))
      : [];
  return [
    ...missing.flatMap((name): Shown[] =>
      isSuccess(exchange)
        ? [[`lead.${name}`, 'optional']]
        : onlyMissing
          ? [[`lead.${name}`, takenOr(exchange, 'optional', 'required')]]
          : [],
    ),
    ...(onlyExtra
      ? [
          [
            extra[0] === 'email' ? 'lead.email' : 'lead.unknown-field',
            takenOr(exchange, 'accepted', 'rejected'),
          ] as const,
        ]
      : []),
    ...(wrong.length === 1 &&
    missing.length + extra.length === 0 &&
    typeof request[wrong[0] ?? 'name'] === 'number'
      ? [
          ['lead.wrong-type', takenOr(exchange, 'accepted', 'rejected')] as const,
          ['failure.validation-status', isRefused(exchange) ? statusOf(exchange) : undefined] as const,
        ]
      : []),
    ...(request.name === '' && missing.length + extra.length + wrong.length === 0
      ? [['lead.empty-name', takenOr(exchange, 'accepted', 'rejected')] as const]
      : []),
    ...(isSuccess(exchange) && isObject(exchange.json)
      ? [
          [
            'success.error-field',
            Object.hasOwn(exchange.json, 'error')
              ? exchange.json.error === ''
                ? 'empty'
                : undefined
              : 'absent',
          ] as const,
        ]
      : []),
    ...texts,
  ];
};

/** §4.6: permitted fields of an update, and the response for a deleted lead. */
const updateAnswers = (exchange: Exchange, model: Model): Shown[] => {
  const request = sentJson(exchange);
  if (exchange.operation !== 'updateLead' || !isObject(request)) return [];
  if (isDeleted(exchange, model))
    return [['failure.unknown-lead-status', isSuccess(exchange) ? undefined : statusOf(exchange)]];
  const lead = leadOf(exchange, model);
  const shown = dataOf(exchange);
  const named = (['name', 'source'] as const).flatMap((field): Shown[] => {
    const [sent, before] = [request[field], lead && shownLast(lead, field)];
    if (
      !isSuccess(exchange) ||
      exchange.overlaps ||
      typeof sent !== 'string' ||
      before === undefined ||
      sent === before
    )
      return [];
    return [
      [
        `lead.update-${field}`,
        shown[field] === sent ? 'accepted' : shown[field] === before ? 'ignored' : undefined,
      ],
    ];
  });
  const empty: Shown[] =
    Object.keys(request).length === 0 && lead
      ? [['lead.update-empty', takenOr(exchange, 'accepted', 'rejected')]]
      : [];
  return [...named, ...empty, ...(isSuccess(exchange) ? textAnswers(request.note, shown.note) : [])];
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
export const shownAnswers = (exchange: Exchange, model: Model): Shown[] =>
  [
    errorAnswers,
    keyAnswers,
    additionAnswers,
    updateAnswers,
    deletionAnswers,
    mailAnswers,
    bodyAnswers,
  ].flatMap((answersIn) => answersIn(exchange, model));
