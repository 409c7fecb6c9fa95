import { type Clock, type ClockChange, realTime } from '../clock.ts';
import { checkClockChange } from '../clock-rules.ts';
import { shown } from './check-fields.ts';
import type { MockWorkspace, Time } from './mock-workspace.ts';

/** The clock of a workspace as a program uses it. */
export const clockAccess = (open: () => Clock): MockWorkspace['clock'] => ({
  now: () => open().reading(),
  freeze: (at) => change(open(), frozenAt(at)),
  set: (time) => change(open(), { now: timeText('set', time), frozen: open().reading().frozen }),
  advance: (ms) => change(open(), advanceBy(ms)),
  reset: () => open().restore(realTime),
});

/** @throws TypeError for what is no time */
export const frozenAt = (at: Time | undefined): ClockChange =>
  at === undefined ? { frozen: true } : { now: timeText('freeze', at), frozen: true };

/** @throws TypeError for what is no number */
export const advanceBy = (ms: number): ClockChange => {
  if (Number.isFinite(ms)) return { advance_ms: Math.round(ms) };
  throw new TypeError(`clock.advance takes milliseconds, not ${shown(ms)}`);
};

const change = (clock: Clock, wanted: ClockChange): void => checkClockChange(wanted)(clock);

// A Date of any realm, or of a library that fakes time.
const isDate = (time: unknown): time is Date => Object.prototype.toString.call(time) === '[object Date]';

/** @throws TypeError for what is no time */
export const timeText = (method: string, time: Time): string => {
  if (typeof time === 'string') return time;
  const ms = isDate(time) ? time.getTime() : time;
  if (typeof ms === 'number' && Math.abs(ms) <= 8.64e15) return new Date(ms).toISOString();
  throw new TypeError(
    `clock.${method} takes a time as ISO 8601, a Date or milliseconds since 1970, not ${shown(time)}`,
  );
};
