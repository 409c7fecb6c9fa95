import type { OperationId } from '../../mock/spec.ts';
import type { Problem, ReplyCheck } from '../check.ts';
import { dataOf, type Exchange } from '../exchange.ts';
import { timeOf } from '../timestamp.ts';

const minute = 60_000;

/** Two machines may keep the time between them; no machine's clock is looked at but the deployment's own. */
const tolerance = 10 * minute;

/** An update of a lead that is older than this might be one that a deployment has good reason not to note. */
const young = 5 * minute;

const isOfThisMoment = ({ operation, outcome, intent, lead }: Exchange): boolean =>
  outcome === 'success' && intent === 'complete' && (operation === 'addLead' || (lead?.age ?? young) < young);

/** How far a time is ahead of the reply that tells it, by the reply's own `Date`; unknown where it has none. */
const aheadBy = (exchange: Exchange, field: string): number | undefined => {
  if (!isOfThisMoment(exchange)) return undefined;
  const told = dataOf(exchange)[field];
  const ahead = timeOf(typeof told === 'string' ? told : '') - Date.parse(exchange.headers.date ?? '');
  return Number.isNaN(ahead) ? undefined : ahead;
};

const inWords = (ahead: number): string => {
  const minutes = Math.round(Math.abs(ahead) / minute);
  const size = minutes < 120 ? `${minutes} minutes` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${size} ${ahead > 0 ? 'after' : 'before'} it`;
};

/** Several replies that are wrong by as much: one alone may have been long on its way. */
const wrongClock = (exchanges: readonly Exchange[], field: string): Problem | undefined => {
  const wrong = exchanges.flatMap((exchange) => {
    const ahead = aheadBy(exchange, field);
    return ahead !== undefined && Math.abs(ahead) > tolerance + minute ? [{ exchange, ahead }] : [];
  });
  const agreeing = wrong.find(({ ahead }) => wrong.filter((other) => near(other.ahead, ahead)).length > 1);
  if (!agreeing) return undefined;
  const { exchange, ahead } = agreeing;
  return {
    expected: `data.${field} within ${tolerance / minute} minutes of the reply's own Date, ${exchange.headers.date}`,
    actual: `${String(dataOf(exchange)[field])}, ${inWords(ahead)}: local time or a wrong clock`,
    exchange,
    pointer: `/data/${field}`,
  };
};

const near = (one: number, other: number): boolean => Math.abs(one - other) < 2 * minute;

const clock = (id: string, operation: OperationId, field: string, title: string): ReplyCheck => ({
  id,
  title,
  section: '2.3',
  level: 'derived',
  operation,
  needs: 'writes',
  // One reply is not enough, and most runs have many.
  provoke: async (session) => {
    const known = session.client.exchanges.filter((exchange) => exchange.operation === operation);
    if (known.length > 1) return;
    const lead = await session.ownLead();
    if (operation === 'updateLead') await session.updateLead(lead, session.newNote());
  },
  inspect: (exchange) => (aheadBy(exchange, field) === undefined ? 'not applicable' : 'fine'),
  overall: (exchanges) => wrongClock(exchanges, field),
});

/** §2.3: times are in UTC. Local time that says it is UTC shows beside the `Date` of the reply, which HTTP wants in GMT. */
export const clockChecks: readonly ReplyCheck[] = [
  clock('leads.add.utc-now', 'addLead', 'created_at', 'created_at of a new lead is now, in UTC'),
  clock('leads.update.utc-now', 'updateLead', 'updated_at', 'updated_at of an update is now, in UTC'),
];
