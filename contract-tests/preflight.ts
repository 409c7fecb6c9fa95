import { NoAnswer } from './client.ts';
import { type Credentials, type Exchange, isObject, speaks, wordsOf } from './exchange.ts';
import type { NoAnswerKind } from './no-answer.ts';
import { paths, type Session, type Shared, sessionFor } from './session.ts';

/** Why nothing can be tested, and what to try: one line, exit 3. */
export class CannotTest extends Error {}

/**
 * Asks whether the service is there at all, before a check could take a wrong address or key for thirty broken promises.
 * @throws CannotTest
 */
export const preflight = async (shared: Shared): Promise<void> => {
  const session = sessionFor(shared, 'preflight');
  const replies: Exchange[] = [];
  for (const path of paths.listTemplates) replies.push(await ask(session, path));
  if (replies.some(({ outcome }) => outcome === 'success')) return;
  const obstacle = redirected(replies) ?? stoppedByProxy(replies) ?? stoppedByGateway(replies);
  if (obstacle !== undefined) throw new CannotTest(obstacle);
  const refusal = await refusedLikeAnyKey(session, replies);
  if (refusal) {
    throw new CannotTest(
      `key refused: a random key gets the same answer (${wordsOf(refusal)}); check EMAIL_LEADS_API_KEY, and that it belongs to this deployment`,
    );
  }
};

const redirected = (replies: readonly Exchange[]): string | undefined => {
  const redirect = replies.find(({ status }) => status >= 300 && status < 400);
  if (!redirect) return undefined;
  const to = redirect.headers.location ?? 'nowhere';
  return `the deployment redirects (${redirect.status}) to ${to}, and the key does not follow: give the address that answers itself as --url`;
};

const stoppedByProxy = (replies: readonly Exchange[]): string | undefined =>
  replies.every(({ status }) => status === 407)
    ? 'a proxy wants a password (407): put it into HTTP_PROXY or HTTPS_PROXY, or the host into NO_PROXY'
    : undefined;

const stoppedByGateway = (replies: readonly Exchange[]): string | undefined => {
  const [first] = replies;
  if (!first || !replies.every(({ outcome }) => outcome === 'gateway')) return undefined;
  if (first.status === 429) {
    const after = first.headers['retry-after'];
    return `the deployment limits the rate (429, Retry-After ${after ?? 'absent'}): try again later, and more slowly with --rate-limit`;
  }
  return `gateway: something answers in the service's place (${wordsOf(first)}); is the service behind it up?`;
};

const ask = async (session: Session, path: string, credentials: Credentials = 'key'): Promise<Exchange> => {
  try {
    return await session.send('listTemplates', { path, credentials, intent: 'probe' });
  } catch (error) {
    if (!(error instanceof NoAnswer) || error.kind === 'interrupted') throw error;
    throw new CannotTest(obstacles[error.kind](error.message), { cause: error });
  }
};

const obstacles: Readonly<Record<NoAnswerKind, (message: string) => string>> = {
  unreachable: (message) => `not reachable: ${message}; check the address and that the deployment runs`,
  closed: (message) => `not reachable: ${message}; check the port, and whether it is http or https`,
  proxy: (message) => `not reachable: ${message}; check HTTP_PROXY, HTTPS_PROXY and NO_PROXY`,
  timeout: (message) => `not reachable: ${message}; raise --timeout if it is slow`,
  tls: (message) => `TLS problem: ${message}; ${tlsHint(message)}`,
  malformed: (message) => `not this service: what answers there is not HTTP (${message}); check --url`,
  'too large': (message) => `not this service: ${message}; check --url`,
  interrupted: (message) => message,
};

const tlsHint = (message: string): string => {
  if (/EPROTO|ERR_SSL|wrong version/i.test(message)) return 'the port may not speak TLS: try http://';
  if (/ALTNAME|altnames|HOSTNAME/.test(message))
    return 'the certificate is for another host: check the name in --url';
  if (/EXPIRED|NOT_YET/.test(message)) return 'check its dates and the clock of this machine';
  return 'NODE_EXTRA_CA_CERTS names a file of further authorities to trust';
};

/** Refused with the key just as with a random one. An absent or crashing list says nothing about the key. */
const refusedLikeAnyKey = async (
  session: Session,
  replies: readonly Exchange[],
): Promise<Exchange | undefined> => {
  if (replies.some(({ outcome }) => outcome === 'broken')) return undefined;
  const refused = replies.find(
    ({ outcome, status }) => outcome === 'refusal' && status < 500 && ![404, 405].includes(status),
  );
  if (!refused) return undefined;
  const random = await ask(session, refused.path, 'random key');
  return random.status === refused.status && errorOf(random) === errorOf(refused) ? refused : undefined;
};

const errorOf = ({ json }: Exchange): string => JSON.stringify(isObject(json) ? (json.error ?? null) : null);

/** Whether any reply was in the service's terms: a JSON object with a documented field. */
export const isThisService = (exchanges: readonly Exchange[]): boolean =>
  exchanges.some(({ json }) => speaks(json));
