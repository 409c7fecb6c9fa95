import { shown } from './check-fields.ts';
import { type Clock, type ClockChange, realTime } from './clock.ts';
import type { MockWorkspace, Time } from './mock-workspace.ts';
import { checkClockChange } from './state-rules.ts';

/** The clock of a workspace as a program uses it. */
export const clockAccess = (open: () => Clock): MockWorkspace['clock'] => ({
  now: () => open().reading(),
  freeze: (at) =>
    change(open(), at === undefined ? { frozen: true } : { now: written('freeze', at), frozen: true }),
  set: (time) => {
    const clock = open();
    change(clock, { now: written('set', time), frozen: clock.reading().frozen });
  },
  advance: (ms) => {
    if (!Number.isFinite(ms)) throw new TypeError(`clock.advance takes milliseconds, not ${shown(ms)}`);
    change(open(), { advance_ms: Math.round(ms) });
  },
  reset: () => open().restore(realTime),
});

const change = (clock: Clock, wanted: ClockChange): void => checkClockChange(wanted)(clock);

// A Date of any realm, or of a library that fakes time.
const isDate = (time: unknown): time is Date => Object.prototype.toString.call(time) === '[object Date]';

/** @throws TypeError for what is no time */
const written = (method: string, time: Time): string => {
  if (typeof time === 'string') return time;
  const ms = isDate(time) ? time.getTime() : time;
  if (typeof ms === 'number' && Math.abs(ms) <= 8.64e15) return new Date(ms).toISOString();
  throw new TypeError(
    `clock.${method} takes a time as ISO 8601, a Date or milliseconds since 1970, not ${shown(time)}`,
  );
};
