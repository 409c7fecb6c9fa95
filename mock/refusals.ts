import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from './context.ts';
import { ApiError, type FailureCode } from './errors.ts';
import type { Answers, QuestionId } from './questions.ts';

// The question that decides the status of each refusal (§7.4); a number where no question does.
const statuses: Readonly<Record<FailureCode, QuestionId | number>> = {
  bad_request: 400,
  route_not_found: 'failure.unknown-route-status',
  method_not_allowed: 'failure.wrong-method-status',
  authentication_missing: 'auth.missing-status',
  authentication_malformed: 'auth.malformed-status',
  key_unknown: 'auth.unknown-key-status',
  media_type_unsupported: 'failure.media-type-status',
  body_too_large: 413,
  json_malformed: 'failure.malformed-json-status',
  validation_failed: 'failure.validation-status',
  lead_not_found: 'failure.unknown-lead-status',
  lead_already_deleted: 'failure.delete-again-status',
  template_not_found: 'failure.unknown-template-status',
  asked_for: 400,
  internal_error: 500,
};

/** A refusal ready to be sent: §7's shape, as the answers in force refine it. */
export type Refusal = {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
};

export const renderRefusal = (error: ApiError, answers: Answers): Refusal => ({
  status: statusOf(error, answers),
  headers: error.headers,
  body: {
    ...(answers['failure.success-field'] === 'false' ? { success: false } : {}),
    error: answers['failure.error-style'] === 'code' ? error.code : error.message,
    ...(answers['failure.message-field'] === 'present' ? { message: error.hint } : {}),
  },
});

const statusOf = (error: ApiError, answers: Answers): number => {
  if (error.status !== undefined) return error.status;
  const decided = statuses[error.code];
  const status = typeof decided === 'number' ? decided : answers[decided];
  // `accepted` leaves no status to refuse with; what still must be refused is refused plainly.
  return typeof status === 'number' ? status : 400;
};

type Thrown = Error & { readonly code?: string; readonly statusCode?: number };

/** Fastify's own refusals in this mock's words; anything else is a defect of the mock and says so. */
export const refusalFor = (error: Thrown, bodyLimit: number): ApiError => {
  if (error instanceof ApiError) return error;
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new ApiError(
      'body_too_large',
      `body is larger than ${bodyLimit} bytes`,
      'Nothing was done. Send less; the limit is the open question limits.body-size.',
    );
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new ApiError('bad_request', error.message, 'The request could not be read.', {
      status: error.statusCode,
    });
  }
  return new ApiError(
    'internal_error',
    `the mock failed: ${error.message}`,
    'This is a defect of the mock; its log has the stack.',
  );
};

/** The only place a refusal is written, for the service and around it (§7). */
export const sendRefusal = (
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
  context: Context,
): FastifyReply => {
  const { answers } = request.view ?? context.view;
  const cause = refusalFor(error, request.routeOptions.bodyLimit ?? 0);
  if (cause.code === 'internal_error') console.error(error);
  const { status, body, headers } = renderRefusal(cause, answers);
  return reply.code(status).headers(headers).send(body);
};

/** A path without its query. */
export const pathOf = (url: string): string => url.split('?', 1)[0] ?? url;
