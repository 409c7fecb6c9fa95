/** Every way the mock refuses a request; with `failure.error-style=code` these are the texts of `error`. */
export type FailureCode =
  | 'bad_request'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'authentication_missing'
  | 'authentication_malformed'
  | 'key_unknown'
  | 'media_type_unsupported'
  | 'content_encoding_unsupported'
  | 'body_too_large'
  | 'json_malformed'
  | 'validation_failed'
  | 'lead_not_found'
  | 'lead_already_deleted'
  | 'template_not_found'
  | 'asked_for'
  | 'fault'
  | 'internal_error';

/** A refusal: thrown by handlers and admission, rendered in one place. */
export class ApiError extends Error {
  readonly code: FailureCode;
  /** What to do about it; becomes `message` in the reply. */
  readonly hint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Fixed status where no open question decides it. */
  readonly status: number | undefined;

  /** @param what what is wrong and where; becomes `error` in the reply */
  constructor(
    code: FailureCode,
    what: string,
    hint: string,
    extra: { readonly headers?: Readonly<Record<string, string>>; readonly status?: number } = {},
  ) {
    super(what);
    this.name = 'ApiError';
    this.code = code;
    this.hint = hint;
    this.headers = extra.headers ?? {};
    this.status = extra.status;
  }
}

/** A value as it may stand in an error: quoted and cut, so that hostile input cannot flood a log. */
export const quoted = (value: string): string =>
  JSON.stringify(value.length > 80 ? `${value.slice(0, 77)}...` : value);
