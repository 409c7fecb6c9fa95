import type { Effort } from '../client/client.ts';
import { RequestFailed, type RequestFailureKind, tlsHint } from '../client/errors.ts';
import type { Wait } from '../client/throttle.ts';
import {
  type Call,
  type Credentials,
  describeRefusal,
  type Exchange,
  hasBooleanSuccess,
  hasServiceEnvelope,
  isObject,
  isRateLimit,
  isRefusal,
  preflight as preflightName,
  responseFingerprint,
} from '../exchange/exchange.ts';
import { operationOf } from '../exchange/operations.ts';
import { unknownPath, wrongMethodPath } from '../session/requests.ts';
import { type Session, sessionFor } from '../session/session.ts';
import type { Shared } from '../session/shared.ts';

/** Why nothing can be tested and what to try, on one line; exit code 3. */
export class CannotTest extends Error {
  /** What the run has sent until then. */
  readonly effort: Effort | undefined;

  constructor(message: string, { effort, ...options }: ErrorOptions & { readonly effort?: Effort } = {}) {
    super(message, options);
    this.effort = effort;
  }
}

/** No response yet, or the response of a gateway: a service that is starting may be available a moment later. */
class NotReady extends CannotTest {}

const pauseMs = 500;

/** Sends the first requests of a run, and repeats them while a starting service is not available. @throws CannotTest */
export const waitForService = async (
  shared: Shared,
  { waitForStart = 0, onWait }: { waitForStart?: number | undefined; onWait?: Announce | undefined },
): Promise<void> => {
  const { clock } = shared.client;
  const started = clock.now();
  let announced = false;
  for (;;) {
    try {
      return await preflight(shared);
    } catch (error) {
      const waited = clock.now() - started;
      if (!(error instanceof NotReady) || waited + pauseMs > waitForStart) throw error;
      const ms = waitForStart;
      if (!announced) onWait?.({ reason: error.message, ms, totalMs: ms, maxMs: ms });
      announced = true;
      await clock.wait(pauseMs);
    }
  }
};

type Announce = (wait: Wait) => void;

/**
 * Checks that the service is reachable and accepts the key, so that a wrong URL or key does not fail thirty checks, and that
 * nothing is written or sent to another service.
 * @throws CannotTest
 */
export const preflight = async (shared: Shared): Promise<void> => {
  const session = sessionFor(shared, preflightName);
  const replies: Exchange[] = [];
  for (const path of operationOf('listTemplates').paths) {
    const exchange = await ask(session, path, 'key', replies.length === 0 ? 'complete' : 'probe');
    replies.push(exchange);
    shared.firstLists.set(path, exchange);
  }
  if (replies.some(({ outcome }) => outcome === 'success')) return;
  const gateway = stoppedByGateway(replies);
  if (gateway !== undefined) throw new NotReady(gateway);
  const obstacle = redirected(replies) ?? stoppedByProxy(replies) ?? expectingTls(replies);
  if (obstacle !== undefined) throw new CannotTest(obstacle);
  const refusal = await refusedLikeAnyKey(session, replies);
  if (refusal) {
    throw new CannotTest(
      `key refused: a random key gets the same response (${describeRefusal(refusal)}); check EMAIL_LEADS_API_KEY, and that it belongs to this deployment`,
    );
  }
  await expectService(session, replies);
};

const redirected = (replies: readonly Exchange[]): string | undefined => {
  const redirect = replies.find(({ status }) => status >= 300 && status < 400);
  if (!redirect) return undefined;
  const to = redirect.headers.location ?? 'nowhere';
  return `the deployment redirects (${redirect.status}) to ${to}, and the key is not sent there: set --url to the address that does not redirect`;
};

const stoppedByProxy = (replies: readonly Exchange[]): string | undefined =>
  replies.every(({ status }) => status === 407)
    ? 'a proxy requires a password (407): add it to HTTP_PROXY or HTTPS_PROXY, or add the host to NO_PROXY'
    : undefined;

/** Web servers say so in words of their own, and for any key. */
const expectingTls = (replies: readonly Exchange[]): string | undefined => {
  const [first] = replies;
  const asksForTls = ({ status, json, rawText }: Exchange): boolean =>
    status === 400 && json === undefined && /\b(HTTPS|SSL|TLS)\b/.test(rawText);
  return first && replies.every(asksForTls)
    ? `the port expects https (${describeRefusal(first)}): set --url to an address with https://`
    : undefined;
};

const stoppedByGateway = (replies: readonly Exchange[]): string | undefined => {
  const [first] = replies;
  if (!first || !replies.every(({ outcome }) => outcome === 'gateway')) return undefined;
  if (isRateLimit(first)) {
    const after = first.headers['retry-after'];
    return `the deployment limits the rate (${first.status}, Retry-After ${after ?? 'absent'}): try again later, and more slowly with --rate-limit`;
  }
  return `gateway: something responds instead of the service (${describeRefusal(first)}); is the service behind it running?`;
};

const ask = async (
  session: Session,
  path: string,
  credentials: Credentials = 'key',
  intent: Call['intent'] = 'probe',
): Promise<Exchange> => {
  try {
    return await session.send('listTemplates', { path, credentials, intent });
  } catch (error) {
    if (!(error instanceof RequestFailed) || error.kind === 'interrupted') throw error;
    const Kind = startingKinds.has(error.kind) ? NotReady : CannotTest;
    throw new Kind(obstacles[error.kind](error.message), { cause: error });
  }
};

const startingKinds: ReadonlySet<RequestFailureKind> = new Set(['unreachable', 'closed', 'timeout']);

const obstacles: Readonly<Record<RequestFailureKind, (message: string) => string>> = {
  unreachable: (message) => `not reachable: ${message}; check the address and that the deployment runs`,
  closed: (message) =>
    `not reachable: ${message}; check the port, whether it is http or https, and whether it wants a client certificate (--client-cert)`,
  proxy: (message) => `not reachable: ${message}; check HTTP_PROXY, HTTPS_PROXY and NO_PROXY`,
  timeout: (message) => `not reachable: ${message}; raise --timeout if it is slow`,
  tls: (message) => `TLS problem: ${message}; ${tlsHint(message)}`,
  malformed: (message) => `not this service: the response is not HTTP (${message}); check --url`,
  'too large': (message) => `not this service: ${message}; check --url`,
  interrupted: (message) => message,
};

/**
 * The refusal of the key, if a random key gets the same response. An absent or failing list
 * does not show anything about the key.
 */
const refusedLikeAnyKey = async (
  session: Session,
  replies: readonly Exchange[],
): Promise<Exchange | undefined> => {
  if (replies.some(({ outcome }) => outcome === 'broken')) return undefined;
  const refused = replies.find((reply) => isRefusal(reply) && ![404, 405].includes(reply.status));
  if (!refused) return undefined;
  const random = await ask(session, refused.path, 'random key');
  return random.status === refused.status && errorOf(random) === errorOf(refused) ? refused : undefined;
};

const errorOf = ({ json }: Exchange): string => JSON.stringify(isObject(json) ? (json.error ?? null) : null);

/**
 * Reads until a response shows this service, before the first request that writes or sends anything. It is a JSON object with
 * a documented field which an unknown path does not get, or one with `success`. The list may be broken: an error response for
 * a missing key shows the service too (§5, §7), and so does one for the method at the path of another operation.
 * @throws CannotTest
 */
const expectService = async (session: Session, lists: readonly Exchange[]): Promise<void> => {
  const unknown = await ask(session, unknownPath(session));
  const shows = (exchange: Exchange): boolean =>
    exchange.outcome !== 'gateway' &&
    hasServiceEnvelope(exchange.json) &&
    (hasBooleanSuccess(exchange) || !isSameResponse(exchange, unknown));
  const isServerError = ({ status }: Exchange): boolean => status >= 500;
  const first = [...lists, unknown];
  if (first.some(shows) && !first.every(isServerError)) return;
  const others = [
    await ask(session, operationOf('listTemplates').paths[0], 'none'),
    await ask(session, operationOf('addLead').paths[0]),
    await ask(session, wrongMethodPath),
  ];
  const all = [...first, ...others];
  const refusal = describeRefusal(lists[0] ?? unknown);
  if (all.every(isServerError))
    throw new CannotTest(
      `every request gets a server error, also without a key (${refusal}): is the service running?`,
    );
  if (!all.some(shows))
    throw new CannotTest(
      `not this service: no path returned a JSON object with a documented field that an unknown path does not return (${refusal}); nothing was written or sent; check --url, and that GET ${operationOf('listTemplates').paths[0]} exists`,
    );
};

/** Whether two paths get the same response. The text of an error response may differ, because it may describe the request. */
const isSameResponse = (exchange: Exchange, other: Exchange): boolean =>
  exchange.status === other.status &&
  (exchange.outcome === 'refusal' || responseFingerprint(exchange) === responseFingerprint(other));
