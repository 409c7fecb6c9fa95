import type { EnablingAnswer } from '../contract/in-force.ts';
import { apiPrefix, type ContractInForce, findEnablingAnswer } from '../contract/in-force.ts';
import { pathOf } from '../contract/path-template.ts';
import { describeFault, printError } from '../contract/printable.ts';
import {
  type Answers,
  nearestRoute,
  type QuestionId,
  quoted,
  withSuggestion,
} from '../contract/questions.ts';
import type { Redact } from '../contract/redaction.ts';
import type { Why } from '../nouns/journal.ts';
import { StoreFull } from '../store/store.ts';

/**
 * Every way the mock refuses a request, and the question that decides the status (§7.4); a fixed status where no question does.
 * With `failure.error-style=code` these names are the texts of `error`.
 */
const statuses = {
  bad_request: 400,
  route_not_found: 'failure.unknown-route-status',
  method_not_allowed: 'failure.wrong-method-status',
  authentication_missing: 'auth.missing-status',
  authentication_malformed: 'auth.malformed-status',
  key_unknown: 'auth.unknown-key-status',
  rate_limited: 429,
  media_type_unsupported: 'failure.media-type-status',
  content_encoding_unsupported: 415,
  body_too_large: 413,
  storage_full: 507,
  json_malformed: 'failure.malformed-json-status',
  validation_failed: 'failure.validation-status',
  lead_not_found: 'failure.unknown-lead-status',
  lead_already_deleted: 'failure.delete-again-status',
  template_not_found: 'failure.unknown-template-status',
  asked_for: 400,
  fault: 500,
  internal_error: 500,
} as const satisfies Readonly<Record<string, QuestionId | number>>;

type Extra = {
  readonly headers?: Readonly<Record<string, string>>;
  /** Fixed status where no open question decides it. */
  readonly status?: number;
  /** For the journal and the log, if the client must not read it. */
  readonly reason?: string;
  /** The answer with which the operation exists. */
  readonly enabling?: EnablingAnswer | undefined;
};

/** An error response: thrown by the steps of the pipeline and the handlers, rendered by `toErrorResponse`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: keyof typeof statuses;
  /** What to do about it; becomes `message` in the response. */
  readonly hint: string;
  readonly extra: Extra;

  /** @param what what is wrong and where; becomes `error` in the reply */
  constructor(code: ApiError['code'], what: string, hint: string, extra: Extra = {}) {
    super(what);
    this.code = code;
    this.hint = hint;
    this.extra = extra;
  }
}

// A deployment may answer an unknown path or method with a success. There is nothing to do for such a request.
const acceptedBody = { success: true, message: 'Nothing to do here; this deployment takes it all the same' };

export const statusOf = ({ code, extra }: ApiError, answers: Answers): number | 'accepted' => {
  const source = extra.status ?? statuses[code];
  const status = typeof source === 'number' ? source : answers[source];
  if (status !== 'accepted' || code === 'route_not_found' || code === 'method_not_allowed') return status;
  // For other errors the handlers implement `accepted`. What they still refuse is decided by another answer.
  return code === 'lead_not_found' ? 404 : 400;
};

/** The error for a path that cannot be decoded. */
const undecodablePath = new ApiError(
  'bad_request',
  'the path cannot be decoded: a "%" must be followed by the two hexadecimal digits of a UTF-8 byte',
  'Percent-encode the id, e.g. with encodeURIComponent.',
);

/** Any other error is a defect of the mock, status 500. */
export const toApiError = (error: Error): ApiError => {
  if (error instanceof ApiError) return error;
  if (error instanceof URIError) return undecodablePath;
  if (error instanceof StoreFull) return new ApiError('storage_full', error.message, error.hint);
  return new ApiError(
    'internal_error',
    `email-leads failed: ${error.message}`,
    'This is a defect of email-leads. Its stack is on stderr.',
  );
};

const maxReasonLength = 500;

/** A response of the service or around it. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

export const jsonHeaders: Readonly<Record<string, string>> = Object.freeze({
  'content-type': 'application/json; charset=utf-8',
});

/** The only place where an error becomes a response, for the service and around it (§7), and a reason for the journal. */
export const toErrorResponse = (
  error: Error,
  answers: Answers,
  redact: Redact,
): { readonly reply: Reply; readonly why: Why } => {
  const cause = toApiError(error);
  const { code, extra } = cause;
  if (code === 'internal_error') printError(redact(describeFault(error)));
  // What is quoted of the request may be a key in the wrong place.
  const [text, message] = [redact(cause.message), redact(cause.hint)];
  const question = extra.status ?? statuses[code];
  const why = {
    code,
    what: extra.reason ?? withSuggestion(text.slice(0, maxReasonLength), message),
    ...(typeof question === 'string' ? { question, answer: answers[question] } : {}),
    ...(extra.enabling ? { enabled_by: Object.fromEntries([extra.enabling]) } : {}),
  };
  const status = statusOf(cause, answers);
  if (status === 'accepted')
    return { reply: { status: 200, headers: jsonHeaders, body: JSON.stringify(acceptedBody) }, why };
  const body = {
    ...(answers['failure.success-field'] === 'false' ? { success: false } : {}),
    error: answers['failure.error-style'] === 'code' ? code : text,
    ...(answers['failure.message-field'] === 'present' ? { message } : {}),
  };
  const headers = { ...extra.headers, ...jsonHeaders };
  return { reply: { status, headers, body: JSON.stringify(body) }, why };
};

/** 405 where the path exists with other methods, else 404 naming the nearest operation. */
export const routeError = (
  { method, url }: { readonly method: string; readonly url: string },
  contract: ContractInForce,
): ApiError => {
  const path = pathOf(url);
  const methods = contract.methodsAt(path);
  const enabling = findEnablingAnswer(method, path);
  const suggestion =
    enabling === undefined
      ? ''
      : ` Where the service has it, start the mock with --answer ${enabling.join('=')}, or set that answer for the workspace.`;
  if (methods.length === 0) {
    const routes = contract.operations.map((known) => `${known.method.toUpperCase()} ${known.path}`);
    const hint = `Did you mean ${nearestRoute(method, path, routes)}?${suggestion} All are listed at /docs.`;
    return new ApiError('route_not_found', `there is no path ${quoted(path)}`, hint, { enabling });
  }
  // OPTIONS is allowed everywhere.
  const allow = [...methods, 'OPTIONS'].join(', ');
  const hint = `Allowed methods: ${allow}.${suggestion}`;
  const extra = { headers: { allow }, enabling };
  return new ApiError('method_not_allowed', `${quoted(path)} has no ${method}`, hint, extra);
};

/** 404 outside the service, with the addresses that exist. */
export const outsideService = (
  method: string,
  url: string,
  admin: boolean,
  contract: ContractInForce,
): ApiError => {
  const path = pathOf(url);
  // Finds paths that a wrong base URL produces: a duplicate slash, a missing part of the prefix.
  const segments = path.slice(0, maxComparedLength).split('/').filter(Boolean);
  const meant = segments
    .map((_, from) => [apiPrefix, ...segments.slice(from)].join('/'))
    .find((candidate) => contract.methodsAt(candidate).length > 0);
  const suggestion = meant === undefined ? '' : `Did you mean ${meant}? `;
  const outbox = admin ? ', the outbox at /__admin/outbox' : '';
  const hint = `${suggestion}The service is under /api/v1, its reference at /docs${outbox}.`;
  return new ApiError('route_not_found', `there is no ${method} ${quoted(path)}`, hint, { status: 404 });
};

const maxComparedLength = 200;
