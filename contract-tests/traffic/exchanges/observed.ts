import type { IncomingHttpHeaders } from 'node:http';
import { normalize } from 'node:path/posix';
import { type OperationId, operationIds } from '../../../mock/contract/operation-id.ts';
import { pathMatcher, pathOf } from '../../../mock/contract/path-template.ts';
import { type Redact, redactHeader } from '../../../mock/contract/redaction.ts';
import { canDecode, readBody } from '../../client/decode-body.ts';
import { RequestFailed } from '../../client/errors.ts';
import { type Call, excerpt, type Response } from '../../exchange/exchange.ts';
import { operationOf } from '../../exchange/operations.ts';

/** A body in observed traffic: what is read of its bytes, or the reason why it is unknown. */
export type ObservedBody =
  | Pick<Response, 'rawText' | 'json' | 'byteProblem' | 'size'>
  | { readonly missing: string };

/** One observed request and its response, from any client and any source. */
export type ObservedExchange = {
  readonly method: string;
  /** Path and query below the base URL, as sent. */
  readonly target: string;
  readonly requestHeaders: IncomingHttpHeaders;
  readonly requestBody: ObservedBody;
  readonly status: number;
  readonly responseHeaders: IncomingHttpHeaders;
  readonly responseBody: ObservedBody;
  /** Milliseconds since 1970. Those of the proxy are never set back, as the clock of a machine may be. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Whether another request for the same path was pending at the same time, so that their order of effect is unknown. */
  readonly overlaps: boolean;
  /** What the suite knows of a request of its own. */
  readonly call?: OwnCall;
  /** What the proxy did to it. */
  readonly injected?: Injected | undefined;
};

/**
 * The effect of the proxy on an exchange. `answered`: a fault rule answered in place of the service, which did not get the request.
 * `refused`: the same by `--enforce`. `lost`: the response is that of the service, and the client did not get it. `delayed`: it came
 * later.
 */
export type Injected = { readonly effect: (typeof injectedEffects)[number]; readonly what: string };

export const injectedEffects = ['answered', 'refused', 'lost', 'delayed'] as const;

/** What only the sender of a request knows. */
export type OwnCall = Pick<Call, 'credentials' | 'intent' | 'scenario'>;

/** A request without its response. */
export type ObservedRequest = Pick<ObservedExchange, 'method' | 'target' | 'requestHeaders' | 'requestBody'>;

/** Maximum size in bytes of a body to check. */
export const maxJudgedBytes = 2 ** 20;

/** Whether a target belongs to the service, and not to something else on the same host. */
export const isServicePath = (target: string): boolean => /^\/api\/v1(?:[/?]|$)/.test(target);

/** Whether browsers and tools send requests with this method beside those of an app. */
export const isAuxiliary = (method: string): boolean => method === 'OPTIONS' || method === 'HEAD';

/** A path as lenient servers read it: decoded, also twice, in lower case, with slashes for backslashes, without `;a=1`. */
const readLeniently = (target: string): string =>
  pathOf(target)
    .replaceAll(/%(?:25)*([0-7][\da-f])/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .toLowerCase()
    .replaceAll('\\', '/')
    .replaceAll(/;[^/]*/g, '');

/**
 * Whether some server may take a target for one of the service, however it is written.
 * @param prefix the path of the base URL, which precedes the target
 */
export const mayReachService = (target: string, prefix = ''): boolean =>
  `${normalize(readLeniently(prefix + target))}/`.startsWith(normalize(`${prefix.toLowerCase()}/api/v1/`));

const forms = operationIds.flatMap((operation) => {
  const { method, paths } = operationOf(operation);
  return paths.map((path) => ({ operation, method, matches: pathMatcher(path) }));
});

const formsAt = (target: string) => {
  const path = readLeniently(target);
  // `..` is no id: servers leave the path that it is in.
  return normalize(path) === path ? forms.filter(({ matches }) => matches(pathOf(target))) : [];
};

/** The operation of a request; `undefined` if the document has none. */
export const findOperation = (method: string, target: string): OperationId | undefined =>
  formsAt(target).find((form) => form.method === method)?.operation;

/** The operations that the document has at the path, with any method. */
export const operationsAt = (target: string): readonly OperationId[] =>
  formsAt(target).map(({ operation }) => operation);

/** Reads text and JSON of a body, or returns the reason why it cannot be checked. */
export const readObserved = (bytes: Buffer, headers: IncomingHttpHeaders = {}): ObservedBody => {
  const size = bytes.length;
  if (size === 0) return noBody;
  if (size > maxJudgedBytes) return { missing: tooLarge };
  const { 'content-encoding': encoding = '' } = headers;
  if (!canDecode(encoding)) return { missing: `compressed with ${excerpt(encoding, 40)}` };
  try {
    return { size, ...readBody(bytes, encoding, maxJudgedBytes) };
  } catch (error) {
    if (!(error instanceof RequestFailed)) throw error;
    return { missing: error.message };
  }
};

export const noBody = { size: 0, rawText: '', json: undefined, byteProblem: undefined };

/** Prefix of the reason for an exchange without a response. */
export const noResponse = 'without a response';

export const clientLeft = `${noResponse}, because the client left`;

export const tooLarge = `larger than ${maxJudgedBytes} bytes`;

/** The headers for output: without keys and cookies. */
export const shownHeaders = (
  headers: IncomingHttpHeaders,
  redact: Redact,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      return [redact(name), redactHeader(name, String(value), redact, 'REDACTED')];
    }),
  );
