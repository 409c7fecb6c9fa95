import { NoAnswer } from './client.ts';
import { type Exchange, isObject, speaks, wordsOf } from './exchange.ts';
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
  const redirect = replies.find(({ status }) => status >= 300 && status < 400);
  if (redirect && !replies.some(({ outcome }) => outcome === 'success')) {
    throw new CannotTest(
      `the deployment redirects (${redirect.status}) to ${redirect.headers.location ?? 'nowhere'}: give the address that answers itself as --url`,
    );
  }
  if (replies.every(({ outcome }) => outcome === 'gateway')) {
    throw new CannotTest(
      `a gateway answers in the service's place (${wordsOf(replies[0] as Exchange)}): is the service behind it up?`,
    );
  }
  if (await keyIsRefused(session, replies)) {
    throw new CannotTest(
      `key refused: a random key gets the same answer (${wordsOf(replies[0] as Exchange)}); check EMAIL_LEADS_API_KEY, and that it belongs to this deployment`,
    );
  }
};

const ask = async (session: Session, path: string): Promise<Exchange> => {
  try {
    return await session.send('listTemplates', { path, intent: 'probe' });
  } catch (error) {
    if (!(error instanceof NoAnswer) || error.kind === 'interrupted') throw error;
    const hints = {
      unreachable: 'check the address and that the deployment runs',
      tls: 'check the certificate; NODE_EXTRA_CA_CERTS names a file of further authorities',
      timeout: 'raise --timeout if it is slow',
      interrupted: '',
    };
    throw new CannotTest(`not reachable: ${error.message}: ${hints[error.kind]}`, { cause: error });
  }
};

/** Refused with the key just as with a random one. An absent or crashing list says nothing about the key. */
const keyIsRefused = async (session: Session, replies: readonly Exchange[]): Promise<boolean> => {
  if (replies.some(({ outcome }) => outcome === 'success' || outcome === 'broken')) return false;
  const refused = replies.filter(
    ({ outcome, status }) => outcome === 'refusal' && status < 500 && ![404, 405].includes(status),
  );
  const [first] = refused;
  if (!first) return false;
  const random = await session.send('listTemplates', {
    path: first.path,
    credentials: 'random key',
    intent: 'probe',
  });
  return random.status === first.status && errorOf(random) === errorOf(first);
};

const errorOf = ({ json }: Exchange): string => JSON.stringify(isObject(json) ? (json.error ?? null) : null);

/** Whether any reply was in the service's terms: a JSON object with a documented field. */
export const isThisService = (exchanges: readonly Exchange[]): boolean =>
  exchanges.some(({ json }) => speaks(json));
