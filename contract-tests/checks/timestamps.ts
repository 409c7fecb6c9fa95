import { setTimeout as wait } from 'node:timers/promises';
import type { OperationId } from '../../mock/contract/operation-id.ts';
import { dataOf, type Exchange } from '../client/exchange.ts';
import type { ReplyCheck } from '../session/check.ts';
import type { Failure } from '../session/outcome.ts';
import type { Session } from '../session/session.ts';
import { lastingUpdateCheck } from './leads/refused-updates.ts';
import { timeOf } from './support/timestamp.ts';

const minute = 60_000;

/** Two machines may have slightly different clocks. Only clocks of the deployment are compared, never the local clock. */
const tolerance = 10 * minute;

/** Maximum age of a lead in milliseconds: for an older lead, a deployment may have a reason not to change `updated_at`. */
const maxAge = 5 * minute;

const isOfThisMoment = ({ operation, outcome, intent, lead }: Exchange): boolean =>
  outcome === 'success' &&
  intent === 'complete' &&
  (operation === 'addLead' || (lead?.age ?? maxAge) < maxAge);

/** Milliseconds by which a time is later than the `Date` header of its response; `undefined` without that header. */
const aheadBy = (exchange: Exchange, field: string): number | undefined => {
  if (!isOfThisMoment(exchange)) return undefined;
  const value = dataOf(exchange)[field];
  const ahead = timeOf(typeof value === 'string' ? value : '') - Date.parse(exchange.headers.date ?? '');
  return Number.isNaN(ahead) ? undefined : ahead;
};

const describeOffset = (ahead: number): string => {
  const minutes = Math.round(Math.abs(ahead) / minute);
  const size = minutes < 120 ? `${minutes} minutes` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${size} ${ahead > 0 ? 'after' : 'before'} it`;
};

/** Finds several responses with the same wrong offset. A single one may be due to a slow transfer. */
const wrongClock = (exchanges: readonly Exchange[], field: string): Failure | undefined => {
  const wrong = exchanges.flatMap((exchange) => {
    const ahead = aheadBy(exchange, field);
    return ahead !== undefined && Math.abs(ahead) > tolerance + minute ? [{ exchange, ahead }] : [];
  });
  const agreeing = wrong.find(
    ({ ahead }) => wrong.filter((candidate) => isNear(candidate.ahead, ahead)).length > 1,
  );
  if (!agreeing) return undefined;
  const { exchange, ahead } = agreeing;
  return {
    expected: `data.${field} within ${tolerance / minute} minutes of the Date header of the response, ${exchange.headers.date}`,
    actual: `${String(dataOf(exchange)[field])}, ${describeOffset(ahead)}: local time or a wrong clock`,
    exchange,
    pointer: `/data/${field}`,
  };
};

const isNear = (left: number, right: number): boolean => Math.abs(left - right) < 2 * minute;

const clock = (id: string, operation: OperationId, field: string, title: string): ReplyCheck => ({
  id,
  title,
  section: '2.3',
  level: 'derived',
  operation,
  needs: 'writes',
  // One response is not enough; most runs have more without additional requests.
  generateTraffic: async (session) => {
    const known = session.client.exchanges.filter((exchange) => exchange.operation === operation);
    if (known.length > 1) return;
    const lead = await session.ownLead();
    if (operation === 'updateLead') await session.updateLead(lead, session.newNote());
  },
  inspect: (exchange) => (aheadBy(exchange, field) === undefined ? 'not applicable' : 'fine'),
  inspectAll: (exchanges) => wrongClock(exchanges, field),
  describeMissing: (exchanges) =>
    exchanges.some(isOfThisMoment)
      ? 'no response has both this time and a Date to compare it with'
      : undefined,
});

/** Whether the check that adds and updates leads before and after a pause is part of the run. */
const hasPaused = ({ client }: Session): boolean =>
  client.exchanges.some(({ check }) => check === lastingUpdateCheck.id);

/** A time may be truncated to seconds. */
const apartMs = 1000;

/** Whether a time has seconds other than zero. Without them it may be truncated to minutes. */
const hasNonZeroSeconds = (time: string): boolean =>
  !/T\d\d(?::?\d\d(?::?00(?:[.,]0*)?)?)?(?:Z|[+-])/.test(time);

/** The values in a response after the last change of a lead. */
type Shown = { readonly time: unknown; readonly note: unknown; readonly receivedAt: number };

/**
 * Finds an update that changes the note more than a second after the previous change, but shows the time of the previous one.
 */
const findStaleTime = (exchanges: readonly Exchange[]): Failure | undefined => {
  const lastShown = new Map<string, Shown>();
  for (const exchange of exchanges.filter(({ outcome }) => outcome === 'success')) {
    const { lead_id: id, note, created_at: created, updated_at: updated } = dataOf(exchange);
    const { sentAt, receivedAt } = exchange;
    const time = exchange.operation === 'addLead' ? created : updated;
    const before = lastShown.get(String(id));
    // An update that changes nothing may keep the time.
    if (before?.note === note && before?.time === time) continue;
    lastShown.set(String(id), { time, note, receivedAt });
    if (exchange.operation !== 'updateLead' || typeof time !== 'string' || time !== before?.time) continue;
    if (hasNonZeroSeconds(time) && sentAt - before.receivedAt >= apartMs)
      return {
        expected: 'a later data.updated_at than that of the previous change',
        actual: `${time} both times, ${Math.round(sentAt - before.receivedAt)} ms apart`,
        exchange,
        pointer: '/data/updated_at',
      };
  }
  return undefined;
};

const advance: ReplyCheck = {
  id: 'leads.update.updated-at-advances',
  title: 'updated_at increases when the next update follows more than one second later',
  section: '2.3',
  level: 'derived',
  operation: 'updateLead',
  needs: 'writes',
  scope: 'related',
  generateTraffic: async (session) => {
    if (hasPaused(session)) return;
    const lead = await session.ownLead();
    await session.updateLead(lead, session.newNote());
    await wait(apartMs + 50);
    await session.updateLead(lead, session.newNote());
  },
  inspect: (exchange) =>
    exchange.operation === 'updateLead' && typeof dataOf(exchange).updated_at === 'string'
      ? 'fine'
      : 'not applicable',
  inspectAll: findStaleTime,
};

/** Finds two leads that were added more than a second apart, but have the same `created_at`. */
const findFrozenTime = (exchanges: readonly Exchange[]): Failure | undefined => {
  const firstReceivedAt = new Map<string, number>();
  for (const exchange of exchanges.filter(({ outcome }) => outcome === 'success')) {
    const { created_at: time } = dataOf(exchange);
    if (typeof time !== 'string' || !hasNonZeroSeconds(time)) continue;
    const before = firstReceivedAt.get(time) ?? exchange.receivedAt;
    firstReceivedAt.set(time, before);
    if (exchange.sentAt - before >= apartMs)
      return {
        expected: 'a later data.created_at than that of a lead added before it',
        actual: `${time} both times, ${Math.round(exchange.sentAt - before)} ms apart`,
        exchange,
        pointer: '/data/created_at',
      };
  }
  return undefined;
};

const addAdvance: ReplyCheck = {
  id: 'leads.add.created-at-advances',
  title: 'leads added more than one second apart have different created_at',
  section: '2.3',
  level: 'derived',
  operation: 'addLead',
  needs: 'writes',
  generateTraffic: async (session) => {
    if (hasPaused(session)) return;
    await session.addLead();
    await wait(apartMs + 50);
    await session.addLead();
  },
  inspect: (exchange) => (typeof dataOf(exchange).created_at === 'string' ? 'fine' : 'not applicable'),
  inspectAll: findFrozenTime,
};

/**
 * §2.3: times are in UTC. Local time labelled as UTC differs from the `Date` header of the response, which HTTP defines in GMT.
 */
export const clockChecks: readonly ReplyCheck[] = [
  clock('leads.add.utc-now', 'addLead', 'created_at', 'created_at of a new lead is the current time in UTC'),
  clock(
    'leads.update.utc-now',
    'updateLead',
    'updated_at',
    'updated_at of an update is the current time in UTC',
  ),
  addAdvance,
  advance,
];
