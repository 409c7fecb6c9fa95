import type { Answer, QuestionId } from '../../mock/contract/questions.ts';
import { dataOf, isObject, isRefusal } from '../exchange/exchange.ts';
import { type LeadField, leadFields } from '../exchange/leads.ts';
import { existence, type LeadState } from '../model/lead.ts';
import { textChanges } from '../model/text.ts';
import type { Context } from './exchanges/reader.ts';

type Shown = readonly [question: QuestionId, answer: Answer | undefined];

/** Whether the lead was deleted in this session. */
const isDeleted = ({ lead, exchange }: Context): boolean =>
  lead !== undefined && existence(lead, { from: exchange.sentAt, to: exchange.sentAt }) === 'no';

/** The text that the last response with this field showed. */
const shownLast = ({ texts }: LeadState, field: LeadField): string | undefined => {
  const value = texts[field].at(-1)?.value;
  return value === undefined || value === 'anything' ? undefined : value.shown;
};

const isAccepted = ({ exchange }: Context): boolean => exchange.outcome === 'success';

/** Whether a request was refused for its content, and not by a gateway, for its key, or because the path does not exist. */
const isRefused = ({ exchange }: Context): boolean =>
  isRefusal(exchange) &&
  ![401, 403, 404, 405].includes(exchange.status) &&
  !(exchange.status >= 300 && exchange.status < 400);

const statusOf = ({ exchange: { outcome, status } }: Context): Answer | undefined =>
  outcome === 'refusal' && (status === 200 || status >= 400) ? status : undefined;

const takenOr = (context: Context, accepted: Answer, refused: Answer | undefined): Answer | undefined =>
  isAccepted(context) ? accepted : isRefused(context) ? refused : undefined;

/** §7: the form of error responses. */
const errorAnswers = ({ exchange }: Context): Shown[] => {
  const { outcome, json } = exchange;
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
const keyAnswers = (context: Context): Shown[] => {
  const { credentials } = context.exchange;
  if (credentials === 'none') return [['auth.missing-status', statusOf(context)]];
  return credentials === 'Basic' || credentials === 'Bearer without a key'
    ? [['auth.malformed-status', statusOf(context)]]
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
const additionAnswers = (context: Context): Shown[] => {
  const { request, exchange } = context;
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
    isAccepted(context) && extra.length === 0
      ? leadFields.flatMap((name) => textAnswers(request[name], shown[name]))
      : [];
  return [
    ...missing.flatMap((name): Shown[] =>
      isAccepted(context)
        ? [[`lead.${name}`, 'optional']]
        : onlyMissing
          ? [[`lead.${name}`, takenOr(context, 'optional', 'required')]]
          : [],
    ),
    ...(onlyExtra
      ? [
          [
            extra[0] === 'email' ? 'lead.email' : 'lead.unknown-field',
            takenOr(context, 'accepted', 'rejected'),
          ] as const,
        ]
      : []),
    ...(wrong.length === 1 &&
    missing.length + extra.length === 0 &&
    typeof request[wrong[0] ?? 'name'] === 'number'
      ? [
          ['lead.wrong-type', takenOr(context, 'accepted', 'rejected')] as const,
          ['failure.validation-status', isRefused(context) ? statusOf(context) : undefined] as const,
        ]
      : []),
    ...(request.name === '' && missing.length + extra.length + wrong.length === 0
      ? [['lead.empty-name', takenOr(context, 'accepted', 'rejected')] as const]
      : []),
    ...(isAccepted(context) && isObject(exchange.json)
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
const updateAnswers = (context: Context): Shown[] => {
  const { request, exchange, lead, observed } = context;
  if (exchange.operation !== 'updateLead' || !isObject(request)) return [];
  if (isDeleted(context))
    return [['failure.unknown-lead-status', isAccepted(context) ? undefined : statusOf(context)]];
  const shown = dataOf(exchange);
  const named = (['name', 'source'] as const).flatMap((field): Shown[] => {
    const [sent, before] = [request[field], lead && shownLast(lead, field)];
    if (
      !isAccepted(context) ||
      observed.overlaps ||
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
      ? [['lead.update-empty', takenOr(context, 'accepted', 'rejected')]]
      : [];
  return [...named, ...empty, ...(isAccepted(context) ? textAnswers(request.note, shown.note) : [])];
};

const deletionAnswers = (context: Context): Shown[] =>
  context.exchange.operation === 'deleteLead' && isDeleted(context)
    ? [['failure.delete-again-status', isAccepted(context) ? 'accepted' : statusOf(context)]]
    : [];

/** §4.1 and §4.3: required fields of a mail; only accepted requests show an answer. */
const mailAnswers = (context: Context): Shown[] => {
  const { request, exchange } = context;
  if (!isAccepted(context) || !isObject(request)) return [];
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
const bodyAnswers = (context: Context): Shown[] => {
  const { request, exchange } = context;
  const { body = '', contentType, operation } = exchange;
  if (operation !== 'addLead' || body === '' || exchange.credentials !== 'key') return [];
  if (request === undefined && contentType === 'application/json')
    return [['failure.malformed-json-status', takenOr(context, 'accepted', statusOf(context))]];
  const isComplete = isObject(request) && leadFields.every((name) => typeof request[name] === 'string');
  const isOther = contentType !== undefined && contentType !== 'application/json' && isComplete;
  return isOther ? [['failure.media-type-status', takenOr(context, 'accepted', statusOf(context))]] : [];
};

/** The answers to open questions that one exchange shows. */
export const shownAnswers = (context: Context): Shown[] =>
  [
    errorAnswers,
    keyAnswers,
    additionAnswers,
    updateAnswers,
    deletionAnswers,
    mailAnswers,
    bodyAnswers,
  ].flatMap((answersIn) => answersIn(context));
