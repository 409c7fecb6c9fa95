import type { QuestionId } from '../../mock/questions.ts';
import type { Credentials, Exchange } from '../exchange.ts';
import type { Session } from '../session.ts';
import { inconclusive, needUsable, type Observation, type Probe, statusTold } from './probe.ts';

const listWith = (session: Session, credentials: Credentials): Promise<Exchange> =>
  session.send('listTemplates', { credentials, intent: 'probe' });

const refusalOf = async (
  session: Session,
  id: QuestionId,
  credentials: Credentials,
): Promise<Observation> => {
  const exchange = await listWith(session, credentials);
  if (exchange.outcome === 'success') inconclusive('it was not refused at all, which breaks §5.1');
  return statusTold(id, exchange);
};

const keyProbe = (question: QuestionId, asks: string, ...all: [Credentials, ...Credentials[]]): Probe => ({
  question,
  needs: 'read',
  asks,
  probe: async (session, known) => {
    needUsable(session, known, 'listTemplates');
    const [credentials, ...others] = all;
    const first = await refusalOf(session, question, credentials);
    for (const other of others) {
      const { answer } = await refusalOf(session, question, other);
      if (answer !== first.answer)
        inconclusive(`${credentials} is refused with ${first.answer}, ${other} with ${answer}`);
    }
    return first;
  },
});

/** §5 and §7.4: one try each, on the list; never with a part of the real key. */
export const authenticationProbes: readonly Probe[] = [
  keyProbe('auth.missing-status', 'GET the list of templates without an `Authorization` header', 'none'),
  keyProbe(
    'auth.malformed-status',
    'GET the list of templates with `Basic eDp5` and with `Bearer` alone; both must be refused alike',
    'Basic',
    'Bearer without a key',
  ),
  keyProbe(
    'auth.unknown-key-status',
    'GET the list of templates with a random key as long as the real one',
    'random key',
  ),
];
