// How requests to an admin API are read and answered, whatever its routes are: those of the mock, or of the proxy of the suite.
import { describeFault, printError } from '../contract/printable.ts';
import { assumedAnswers, withSuggestion } from '../contract/questions.ts';
import type { Redact } from '../contract/redaction.ts';
import { AdminError, type AdminRequest, type Handling, type OpenStream, RawReply } from '../route/noun.ts';
import { readQuery, runRoute } from '../route/router.ts';
import { announcesNoBody, bodyHeadersError, decodeUtf8, parseJson } from '../service/body.ts';
import { jsonHeaders, statusOf, toApiError } from '../service/errors.ts';
import type { ApiRequest } from '../service/request.ts';
import { limits } from '../store/store.ts';

/** A complete request to the admin API. */
export type AdminHttpRequest = Pick<ApiRequest, 'method' | 'url' | 'headers' | 'body' | 'isTooLarge'> & {
  /** The address of the connection. */
  readonly peer: string | undefined;
  readonly signal: () => AbortSignal;
};

export type AdminHttpReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | OpenStream;
  /** The reason for an error response, for the log. */
  readonly why?: string;
};

/** The control plane, under `/__admin`. */
export type Admin = (request: AdminHttpRequest) => Promise<AdminHttpReply>;

/**
 * Runs a request to a route.
 * @param getParts called with the query when the request is valid
 * @param isStrict whether a parameter of the query that the route does not describe is an error
 * @throws AdminError or ApiError, with nothing changed
 */
export const runRequest = <Parts>(
  route: Handling<Parts>,
  { id, base, headers, body, url, signal, isTooLarge }: AdminHttpRequest & Pick<AdminRequest, 'id' | 'base'>,
  getParts: (query: URLSearchParams) => Parts,
  redact: Redact,
  isStrict = true,
): object | Promise<object> => {
  // A form of another site cannot send JSON.
  const refused = announcesNoBody(headers) ? undefined : bodyHeadersError(headers);
  if (refused) throw refused;
  if (isTooLarge)
    throw new AdminError(413, `body is larger than ${limits.stateBytes} bytes`, 'Nothing was done.');
  const sent = new URLSearchParams(url.split('?', 2)[1]);
  const query = isStrict ? readQuery(route, sent) : (Object.fromEntries(sent) as never);
  const parsed = body?.length ? parseJson(decodeUtf8(body), redact, limits.stateValues) : undefined;
  const given = { id, query, headers: headers as Record<string, string>, body: parsed, base, signal };
  return runRoute(route, () => getParts(sent), given);
};

export const toReply = (result: object, status: number): AdminHttpReply =>
  result instanceof RawReply ? result : { status, headers: jsonHeaders, body: JSON.stringify(result) };

/** The error response to an error of the admin API or the JSON parser, or to a defect of the mock. */
export const toErrorReply = (error: Error, redact: Redact): AdminHttpReply => {
  const { status, headers, message, hint, details } = toAdminError(error);
  // The quoted part of the request may be a key in the wrong place.
  if (status === 500) printError(redact(describeFault(error)));
  const body = { error: redact(message), message: redact(hint), ...details };
  const why = withSuggestion(body.error, body.message);
  return { status, headers: { ...jsonHeaders, ...headers }, body: JSON.stringify(body), why };
};

/** An error of the service has the status that it has by default. */
const toAdminError = (error: Error): AdminError => {
  if (error instanceof AdminError) return error;
  const cause = toApiError(error);
  return new AdminError(Number(statusOf(cause, assumedAnswers())), cause.message, cause.hint);
};
