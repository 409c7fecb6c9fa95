import {
  apiPrefix,
  type ContractInForce,
  type EnablingAnswer,
  findEnablingAnswer,
} from '../contract/in-force.ts';
import { pathOf } from '../contract/path-template.ts';
import { describeFault, printError } from '../contract/printable.ts';
import {
  type Answers,
  nearestRoute,
  type QuestionId,
  quoted,
  withSuggestion,
} from '../contract/questions.ts';
import type { Why } from '../nouns/journal.ts';
import type { RedactKeys } from '../store/ids.ts';
import { StoreFull } from '../store/store.ts';

/** Every way the mock refuses a request; with `failure.error-style=code` these are the texts of `error`. */
export type FailureCode =
  | 'bad_request'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'authentication_missing'
  | 'authentication_malformed'
  | 'key_unknown'
  | 'rate_limited'
  | 'media_type_unsupported'
  | 'content_encoding_unsupported'
  | 'body_too_large'
  | 'storage_full'
  | 'json_malformed'
  | 'validation_failed'
  | 'lead_not_found'
  | 'lead_already_deleted'
  | 'template_not_found'
  | 'asked_for'
  | 'fault'
  | 'internal_error';

/** An error response: thrown by the steps of the pipeline and the handlers, rendered in `error-response.ts`. */
export class ApiError extends Error {
  readonly code: FailureCode;
  /** What to do about it; becomes `message` in the response. */
  readonly hint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Fixed status where no open question decides it. */
  readonly status: number | undefined;
  /** For the journal and the log, if the client must not read it. */
  readonly reason: string | undefined;
  /** The answer with which the operation exists. */
  readonly enabling: EnablingAnswer | undefined;

  /** @param what what is wrong and where; becomes `error` in the reply */
  constructor(
    code: FailureCode,
    what: string,
    hint: string,
    extra: {
      readonly headers?: Readonly<Record<string, string>>;
      readonly status?: number;
      readonly reason?: string;
      readonly enabling?: EnablingAnswer | undefined;
    } = {},
  ) {
    super(what);
    this.name = 'ApiError';
    this.code = code;
    this.hint = hint;
    this.headers = extra.headers ?? {};
    this.status = extra.status;
    this.reason = extra.reason;
    this.enabling = extra.enabling;
  }
}

// The question that decides the status of each error response (§7.4); a fixed status where no question does.
const statuses: Readonly<Record<FailureCode, QuestionId | number>> = {
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
};

/** An error response ready to be sent: §7's shape, as the answers in force refine it. */
type ErrorResponse = {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
};

const renderErrorResponse = (error: ApiError, answers: Answers): ErrorResponse => {
  const status = statusOf(error, answers);
  if (status === 'accepted') return acceptedResponse;
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

// A deployment may answer an unknown path or method with a success. There is nothing to do for such a request.
const acceptedResponse: ErrorResponse = {
  status: 200,
  headers: {},
  body: { success: true, message: 'Nothing to do here; this deployment takes it all the same' },
};

const statusOf = (error: ApiError, answers: Answers): number | 'accepted' => {
  if (error.status !== undefined) return error.status;
  const statusSource = statuses[error.code];
  const status =
    typeof statusSource === 'number' ? statusSource : (answers[statusSource] as number | 'accepted');
  if (status !== 'accepted' || error.code === 'route_not_found' || error.code === 'method_not_allowed')
    return status;
  // For other errors the handlers implement `accepted`. What they still refuse is decided by another answer.
  return error.code === 'lead_not_found' ? 404 : 400;
};

/** Any other error is a defect of the mock, status 500. */
const toApiError = (error: Error): ApiError => {
  if (error instanceof ApiError) return error;
  if (error instanceof StoreFull) return new ApiError('storage_full', error.message, error.hint);
  return new ApiError(
    'internal_error',
    `the mock failed: ${error.message}`,
    'This is a defect of the mock. Its stack is on stderr.',
  );
};

const maxReasonLength = 500;

/** The reason of an error response for the journal, with the answer that decided the status. */
const reasonFor = (error: ApiError, answers: Answers): Why => {
  const question = error.status === undefined ? statuses[error.code] : undefined;
  return {
    code: error.code,
    what: error.reason ?? withSuggestion(error.message.slice(0, maxReasonLength), error.hint),
    ...(typeof question === 'string' ? { question, answer: answers[question] } : {}),
    ...(error.enabling ? { enabled_by: { [error.enabling.id]: error.enabling.answer } } : {}),
  };
};

/** Redacts what an error response quotes of the request: it may be a key in the wrong place. */
const redactError = (error: ApiError, redact: RedactKeys): ApiError => {
  const text = redact(error.message);
  const hint = redact(error.hint);
  if (text === error.message && hint === error.hint) return error;
  const { code, headers, status, reason, enabling } = error;
  return new ApiError(code, text, hint, {
    headers,
    ...(status === undefined ? {} : { status }),
    ...(reason === undefined ? {} : { reason }),
    enabling,
  });
};

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
  redact: RedactKeys,
): { readonly reply: Reply; readonly why: Why } => {
  const cause = redactError(toApiError(error), redact);
  if (cause.code === 'internal_error') printError(redact(describeFault(error)));
  const { status, body, headers } = renderErrorResponse(cause, answers);
  return {
    reply: { status, headers: { ...headers, ...jsonHeaders }, body: JSON.stringify(body) },
    why: reasonFor(cause, answers),
  };
};

/** 405 where the path exists with other methods, else 404 naming the nearest operation. */
export const routeError = (
  { method, url }: { readonly method: string; readonly url: string },
  contract: ContractInForce,
): ApiError => {
  const path = pathOf(url);
  const methods = contract.methodsAt(path);
  const enabling = findEnablingAnswer(method, path);
  if (methods.length === 0) {
    return new ApiError(
      'route_not_found',
      `there is no path ${quoted(path)}`,
      `${suggestSpelling(method, path, contract)}${suggestAnswer(enabling)} All are listed at /docs.`,
      { enabling },
    );
  }
  const allow = allowHeader(methods);
  return new ApiError(
    'method_not_allowed',
    `${quoted(path)} has no ${method}`,
    `Allowed methods: ${allow}.${suggestAnswer(enabling)}`,
    { headers: { allow }, enabling },
  );
};

const suggestSpelling = (method: string, path: string, contract: ContractInForce): string => {
  const withoutSlash = path.replace(/\/$/, '');
  if (withoutSlash !== path && contract.methodsAt(withoutSlash).includes(method))
    return `Did you mean ${method} ${withoutSlash.slice(0, maxComparedLength)}, without the slash at the end?`;
  if (withoutSlash !== path && contract.methodsAt(`${path}id`).includes(method))
    return 'The id at the end of the path is empty.';
  return `Did you mean ${nearestOperation(method, path, contract)}?`;
};

/** A hint for an operation that exists only with another answer. */
const suggestAnswer = (enabling: EnablingAnswer | undefined): string =>
  enabling === undefined
    ? ''
    : ` Where the service has it, start the mock with --answer ${enabling.id}=${enabling.answer}, or set that answer for the workspace.`;

/** The error for a path that cannot be decoded. */
export const undecodablePath = new ApiError(
  'bad_request',
  'the path cannot be decoded: a "%" must be followed by the two hexadecimal digits of a UTF-8 byte',
  'Percent-encode the id, e.g. with encodeURIComponent.',
);

/** 404 outside the service, with the addresses that exist. */
export const outsideService = (
  method: string,
  url: string,
  admin: boolean,
  contract: ContractInForce,
): ApiError => {
  const suggestion = suggestPath(pathOf(url), contract);
  return new ApiError(
    'route_not_found',
    `there is no ${method} ${quoted(pathOf(url))}`,
    `${suggestion === undefined ? '' : `Did you mean ${suggestion}? `}The service is under /api/v1, its reference at /docs${admin ? ', the outbox at /__admin/outbox' : ''}.`,
    { status: 404 },
  );
};

// Finds paths that a wrong base URL produces: a duplicate slash, a missing part of the prefix.
const suggestPath = (path: string, { methodsAt }: ContractInForce): string | undefined => {
  const segments = path.slice(0, maxComparedLength).split('/').filter(Boolean);
  return segments
    .map((_, from) => [apiPrefix, ...segments.slice(from)].join('/'))
    .find((candidate) => methodsAt(candidate).length > 0);
};

/** The value of an `Allow` header: GET implies HEAD, and OPTIONS is allowed everywhere. */
const allowHeader = (methods: readonly string[]): string =>
  [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].join(', ');

const maxComparedLength = 200;

const nearestOperation = (method: string, path: string, { operations }: ContractInForce): string =>
  nearestRoute(
    method,
    path,
    operations.map((operation) => `${operation.method.toUpperCase()} ${operation.path}`),
  );
