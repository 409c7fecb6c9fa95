import { setTimeout as wait } from 'node:timers/promises';
import { preflight as preflightName, RequestFailed } from '../client/client.ts';
import { type RequestFailureKind, tlsHint } from '../client/errors.ts';
import {
  type Call,
  type Credentials,
  describeRefusal,
  type Exchange,
  hasServiceEnvelope,
  isObject,
  isRefusal,
} from '../client/exchange.ts';
import type { Wait } from '../client/throttle.ts';
import { routes } from '../session/routes.ts';
import { type Session, sessionFor } from '../session/session.ts';
import type { Shared } from '../session/shared.ts';
import { hasServiceForm, isSameForOthers } from '../session/trouble.ts';

/** Why nothing can be tested and what to try, on one line; exit code 3. */
export class CannotTest extends Error {}

/** No response yet, or the response of a gateway: a service that is starting may be available a moment later. */
class NotReady extends CannotTest {}

const pauseMs = 500;

/** Sends the first requests of a run, and repeats them while a starting service is not available. @throws CannotTest */
export const waitForService = async (
  shared: Shared,
  { waitForStart = 0, onWait }: { waitForStart?: number | undefined; onWait?: Announce | undefined },
): Promise<void> => {
  const started = performance.now();
  let announced = false;
  for (;;) {
    try {
      return await preflight(shared);
    } catch (error) {
      const waited = performance.now() - started;
      if (!(error instanceof NotReady) || waited + pauseMs > waitForStart) throw error;
      if (!announced) onWait?.({ reason: error.message, ms: waitForStart, totalMs: 0, maxMs: waitForStart });
      announced = true;
      await wait(pauseMs);
    }
  }
};

type Announce = (wait: Wait) => void;

/**
 * Checks that the service is reachable and accepts the key, so that a wrong URL or key does not fail thirty checks.
 * @throws CannotTest
 */
export const preflight = async (shared: Shared): Promise<void> => {
  const session = sessionFor(shared, preflightName);
  const replies: Exchange[] = [];
  for (const path of routes.listTemplates.paths) {
    const exchange = await ask(session, path, 'key', replies.length === 0 ? 'complete' : 'probe');
    replies.push(exchange);
    shared.firstLists.set(path, exchange);
  }
  if (replies.some(({ outcome }) => outcome === 'success')) return;
  const gateway = stoppedByGateway(replies);
  if (gateway !== undefined) throw new NotReady(gateway);
  const obstacle = redirected(replies) ?? stoppedByProxy(replies);
  if (obstacle !== undefined) throw new CannotTest(obstacle);
  const refusal = await refusedLikeAnyKey(session, replies);
  if (refusal) {
    throw new CannotTest(
      `key refused: a random key gets the same response (${describeRefusal(refusal)}); check EMAIL_LEADS_API_KEY, and that it belongs to this deployment`,
    );
  }
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

const stoppedByGateway = (replies: readonly Exchange[]): string | undefined => {
  const [first] = replies;
  if (!first || !replies.every(({ outcome }) => outcome === 'gateway')) return undefined;
  if (first.status === 429) {
    const after = first.headers['retry-after'];
    return `the deployment limits the rate (429, Retry-After ${after ?? 'absent'}): try again later, and more slowly with --rate-limit`;
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
  closed: (message) => `not reachable: ${message}; check the port, and whether it is http or https`,
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
 * Whether any response has the service's envelope, a JSON object with a documented field,
 * and is not the same for several operations.
 */
export const isThisService = (exchanges: readonly Exchange[]): boolean =>
  exchanges.some(
    (exchange) =>
      hasServiceEnvelope(exchange.json) &&
      (hasServiceForm(exchange) || !isSameForOthers(exchange, exchanges)),
  );

/**
 * If discovery got only server errors with the key, sends one request without the key: its response distinguishes a service
 * that fails from a gateway that fails in its place.
 * @throws CannotTest
 */
export const expectService = async (shared: Shared): Promise<void> => {
  const { exchanges } = shared.client;
  const [first] = exchanges;
  if (!first || exchanges.some(({ status }) => status < 500)) return;
  const { status } = await ask(sessionFor(shared, preflightName), first.path, 'none');
  if (status < 500) return;
  throw new CannotTest(
    `every request gets a server error, also without a key (${describeRefusal(first)}): is the service running?`,
  );
};
