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

  /** @param what what is wrong and where; becomes `error` in the reply */
  constructor(
    code: FailureCode,
    what: string,
    hint: string,
    extra: {
      readonly headers?: Readonly<Record<string, string>>;
      readonly status?: number;
      readonly reason?: string;
    } = {},
  ) {
    super(what);
    this.name = 'ApiError';
    this.code = code;
    this.hint = hint;
    this.headers = extra.headers ?? {};
    this.status = extra.status;
    this.reason = extra.reason;
  }
}
