import { dataOf, type Exchange } from '../../exchange/exchange.ts';
import { leadIdOf } from '../../model/requests.ts';
import { digest } from '../../model/text.ts';
import { broken, type Fact, holds, type Result } from '../fact.ts';
import { isTimestamp, timeOf } from '../timestamp.ts';

const minute = 60_000;

/**
 * Two machines may have slightly different clocks, by ten minutes at most, and a time may be truncated to minutes. Only clocks of the
 * deployment are compared, never the local clock.
 */
const tolerance = 11 * minute;

/** Maximum age of a lead in milliseconds: for an older lead, a deployment may have a reason not to change `updated_at`. */
const maxAge = 5 * minute;

/** A time may be truncated to seconds. */
const apartMs = 1000;

const fieldOf = { addLead: 'created_at', updateLead: 'updated_at' } as const;

type Change = { readonly operation: keyof typeof fieldOf; readonly time: string };

/** The time of a change that a response shows. */
const changeIn = (exchange: Exchange): Change | undefined => {
  const { operation, outcome, credentials } = exchange;
  if (outcome !== 'success' || credentials !== 'key') return undefined;
  if (operation !== 'addLead' && operation !== 'updateLead') return undefined;
  const time = dataOf(exchange)[fieldOf[operation]];
  return typeof time === 'string' && isTimestamp(time) ? { operation, time } : undefined;
};

const describeOffset = (ahead: number): string => {
  const minutes = Math.round(Math.abs(ahead) / minute);
  const size = minutes < 120 ? `${minutes} minutes` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${size} ${ahead > 0 ? 'after' : 'before'} it`;
};

/** §2.3: times are in UTC. Local time labelled as UTC differs from the `Date` header of the response, which HTTP defines in GMT. */
const utcNow: Fact = (exchange, model) => {
  const change = changeIn(exchange);
  if (!change) return [];
  const { operation, time } = change;
  const added = model.leads.get(leadIdOf(exchange))?.addition;
  if (operation === 'updateLead' && (!added || exchange.sentAt - added.from > maxAge)) return [];
  if (exchange.intent !== 'complete') return [];
  const check = operation === 'addLead' ? 'leads.add.utc-now' : 'leads.update.utc-now';
  const { date } = exchange.headers;
  const ahead = timeOf(time) - Date.parse(date ?? '');
  if (Number.isNaN(ahead)) return [];
  return Math.abs(ahead) <= tolerance
    ? [holds(check)]
    : [
        broken(
          check,
          exchange,
          `data.${fieldOf[operation]} within 10 minutes of the Date header of the response, ${date}`,
          `${time}, ${describeOffset(ahead)}: local time or a wrong clock`,
          `/data/${fieldOf[operation]}`,
        ),
      ];
};

const hasSeconds = (time: string): boolean => /T\d{2}:?\d{2}:?\d{2}/.test(time);

/** Whether a time has seconds other than zero. Without them it may be truncated to minutes. */
const hasNonZeroSeconds = (time: string): boolean =>
  !/T\d\d(?::?\d\d(?::?00(?:[.,]0*)?)?)?(?:Z|[+-])/.test(time);

/** §2.3: a later change has a later time, if more than a second is between them. */
const timesAdvance: Fact = (exchange, model) => {
  const change = changeIn(exchange);
  if (!change) return [];
  const { operation, time } = change;
  const { lastChange } = model.leads.get(leadIdOf(exchange)) ?? {};
  // One that changes nothing may keep the time.
  if (operation === 'updateLead' && lastChange?.note === digest(dataOf(exchange).note)) return [];
  const check =
    operation === 'addLead' ? 'leads.add.created-at-advances' : 'leads.update.updated-at-advances';
  const lastUpdateAt = lastChange?.time === time ? lastChange.at : undefined;
  const before = operation === 'addLead' ? model.firstAdditionAt(time) : lastUpdateAt;
  const apart = before === undefined ? 0 : exchange.sentAt - before;
  if (!hasNonZeroSeconds(time) || apart < apartMs) return [holds(check)];
  return [
    broken(
      check,
      exchange,
      `a later data.${fieldOf[operation]} than that of the previous change`,
      `${time} both times, ${Math.round(apart)} ms apart`,
      `/data/${fieldOf[operation]}`,
    ),
  ];
};

/** §2.3: `updated_at` is not before the time of an earlier change of the lead. */
const timeOrder: Fact = (exchange, model): readonly Result[] => {
  const change = changeIn(exchange);
  const { time: before = '' } = model.leads.get(leadIdOf(exchange))?.lastChange ?? {};
  if (change?.operation !== 'updateLead' || !isTimestamp(before)) return [];
  // Clocks of two machines may differ by two seconds, and a time without seconds by one more minute.
  const allowed = hasSeconds(change.time) ? 2000 : 62_000;
  const check = 'leads.update.time-order';
  if (timeOf(change.time) >= timeOf(before) - allowed) return [holds(check)];
  return [broken(check, exchange, `updated_at not before ${before}`, change.time, '/data/updated_at')];
};

export const timeFacts: readonly Fact[] = [utcNow, timesAdvance, timeOrder];
