import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from './context.ts';
import { ApiError, type FailureCode } from './errors.ts';
import type { Why } from './journal-entry.ts';
import type { Answers, QuestionId } from './questions.ts';
import { createRedactor } from './redaction.ts';
import { discardRest } from './unread-body.ts';

// The question that decides the status of each refusal (§7.4); a number where no question does.
const statuses: Readonly<Record<FailureCode, QuestionId | number>> = {
  bad_request: 400,
  route_not_found: 'failure.unknown-route-status',
  method_not_allowed: 'failure.wrong-method-status',
  authentication_missing: 'auth.missing-status',
  authentication_malformed: 'auth.malformed-status',
  key_unknown: 'auth.unknown-key-status',
  media_type_unsupported: 'failure.media-type-status',
  content_encoding_unsupported: 415,
  body_too_large: 413,
  json_malformed: 'failure.malformed-json-status',
  validation_failed: 'failure.validation-status',
  lead_not_found: 'failure.unknown-lead-status',
  lead_already_deleted: 'failure.delete-again-status',
  template_not_found: 'failure.unknown-template-status',
  asked_for: 400,
  fault: 500,
  internal_error: 500,
};

/** A refusal ready to be sent: §7's shape, as the answers in force refine it. */
export type Refusal = {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
};

export const renderRefusal = (error: ApiError, answers: Answers): Refusal => {
  const status = statusOf(error, answers);
  if (status === 'accepted') return takenAsSuccess;
  return {
    status,
    headers: error.headers,
    body: {
      ...(answers['failure.success-field'] === 'false' ? { success: false } : {}),
      error: answers['failure.error-style'] === 'code' ? error.code : error.message,
      ...(answers['failure.message-field'] === 'present' ? { message: error.hint } : {}),
    },
  };
};

// A deployment may take any path and method for a success; there is nothing behind it to do.
const takenAsSuccess: Refusal = {
  status: 200,
  headers: {},
  body: { success: true, message: 'Nothing to do here; this deployment takes it all the same' },
};

const statusOf = (error: ApiError, answers: Answers): number | 'accepted' => {
  if (error.status !== undefined) return error.status;
  const decided = statuses[error.code];
  const status = typeof decided === 'number' ? decided : (answers[decided] as number | 'accepted');
  if (status !== 'accepted' || error.code === 'route_not_found' || error.code === 'method_not_allowed')
    return status;
  // Elsewhere handlers do what `accepted` means; what they still refuse, another answer tells them to.
  return error.code === 'lead_not_found' ? 404 : 400;
};

type Thrown = Error & { readonly statusCode?: number };

/** Fastify's own refusals in this mock's words; anything else is a defect of the mock and says so. */
export const refusalFor = (error: Thrown): ApiError => {
  if (error instanceof ApiError) return error;
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new ApiError('bad_request', error.message, 'The request could not be read.', {
      status: error.statusCode,
    });
  }
  return new ApiError(
    'internal_error',
    `the mock failed: ${error.message}`,
    'This is a defect of the mock. Its stack is on stderr.',
  );
};

const longestWhy = 500;

/** The same for the journal, with the answer that decided the status. */
export const whyOf = (error: ApiError, answers: Answers): Why => {
  const question = error.status === undefined ? statuses[error.code] : undefined;
  return {
    code: error.code,
    what: error.message.slice(0, longestWhy),
    ...(typeof question === 'string' ? { question, answer: answers[question] } : {}),
  };
};

/** What a refusal quotes of a request may be a key that stood in a wrong place. */
const withoutKeys = (
  error: ApiError,
  { headers: { authorization } }: FastifyRequest,
  { workspaces: { secrets } }: Context,
): ApiError => {
  const { message } = createRedactor(secrets, authorization);
  const what = message(error.message);
  const hint = message(error.hint);
  if (what === error.message && hint === error.hint) return error;
  const { code, headers, status } = error;
  return new ApiError(code, what, hint, { headers, ...(status === undefined ? {} : { status }) });
};

/** The only place a refusal is written, for the service and around it (§7). */
export const sendRefusal = (
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
  context: Context,
): FastifyReply => {
  const { answers } = request.view ?? context.view;
  const cause = withoutKeys(refusalFor(error), request, context);
  if (cause.code === 'internal_error') console.error(error);
  const { status, body, headers } = renderRefusal(cause, answers);
  if (request.trace) request.trace.why = whyOf(cause, answers);
  discardRest(request.raw);
  // To close the connection would keep a client that still sends from reading the reply.
  if (!request.raw.complete) reply.removeHeader('connection');
  return reply.code(status).headers(headers).send(body);
};
