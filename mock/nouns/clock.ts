import type { components } from '../generated/state.ts';
import type { Routes } from '../route/noun.ts';
import { flag, object, success, time } from '../route/schemas.ts';
import { wallMs } from '../runtime/timers.ts';
import type { Publish } from '../store/store.ts';
import { isTime } from '../validation/json-schema.ts';
import { StateError } from '../validation/schema-errors.ts';

/** A change of the clock: set, advance, freeze or resume it. */
export type ClockChange = {
  /** ISO 8601 with a zone. The clock is then frozen unless `frozen` is false. */
  readonly now?: string | undefined;
  readonly advance_ms?: number | undefined;
  readonly frozen?: boolean | undefined;
};

export type ClockReading = { readonly now: string; readonly frozen: boolean };

/** The setting of a clock, for a state file: the time of a frozen clock, or the offset of a running one from real time. */
export type ClockSetting =
  | { readonly frozen: true; readonly now: string }
  | { readonly frozen: false; readonly offset_ms: number };

/** A setting as people write it. */
type ClockInput = components['schemas']['Clock'];

/** The time of one workspace. */
export type Clock = ReturnType<typeof createClock>;

/** @throws StateError for a setting that contradicts itself, or is out of range */
export const createClock = ({ publish }: { readonly publish: Publish }, setting?: ClockInput) => {
  let { offset, frozenAtMs } = startOf(setting);
  let lastMs = Number.NaN;
  let lastText = '';

  // A running clock stops at the end of the year 9999.
  const at = (real: number): number => frozenAtMs ?? Math.min(real + offset, latest);
  /** ISO 8601, UTC. Cached, because many requests arrive within one millisecond. */
  const now = (): string => {
    const time = at(wallMs());
    if (time !== lastMs) {
      lastMs = time;
      lastText = new Date(time).toISOString();
    }
    return lastText;
  };
  const reading = (): ClockReading => ({ now: now(), frozen: frozenAtMs !== undefined });
  return {
    now,
    reading,
    /** @throws StateError for an invalid time or one outside the years 1 to 9999; then nothing is changed */
    change: ({
      now: newTime,
      advance_ms = 0,
      frozen = newTime !== undefined || frozenAtMs !== undefined,
    }: ClockChange): void => {
      // Read once, so that the offset of a running clock changes by exactly the requested amount.
      const real = wallMs();
      const from = newTime === undefined ? at(real) : parseTime('/now', newTime);
      // If `now` itself is valid, only `advance_ms` can lead outside the range.
      const time = checkRange('/advance_ms', from + advance_ms);
      frozenAtMs = frozen ? time : undefined;
      offset = frozen ? 0 : time - real;
      publish(reading());
    },
    setting: (): ClockSetting =>
      frozenAtMs === undefined
        ? { frozen: false, offset_ms: offset }
        : { frozen: true, now: new Date(frozenAtMs).toISOString() },
    /** Returns to real time. */
    reset: (): void => {
      frozenAtMs = undefined;
      offset = 0;
      publish(reading());
    },
  };
};

const earliest = Date.parse('0001-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/** Milliseconds since 1970. @throws StateError for another text, and for times outside the years 1 to 9999 */
const parseTime = (pointer: string, text: string): number => {
  if (isTime(text)) return checkRange(pointer, Date.parse(text));
  throw new StateError(pointer, 'must be an ISO 8601 time with a zone, for example 2026-03-02T10:15:30Z');
};

const checkRange = (pointer: string, time: number, max = latest): number => {
  if (time >= earliest && time <= max) return time;
  throw new StateError(pointer, 'must lead to a time from year 1 to year 9999, in UTC');
};

const startOf = (setting: ClockInput | undefined) => {
  const { now, frozen = now !== undefined, offset_ms } = setting ?? {};
  if (frozen ? now === undefined || offset_ms !== undefined : now !== undefined)
    throw new StateError(
      '/clock',
      'needs either a now, at which it is frozen, or an offset_ms, with which it runs',
    );
  if (now !== undefined) return { offset: 0, frozenAtMs: parseTime('/clock/now', now) };
  const [real, offset] = [wallMs(), offset_ms ?? 0];
  // Time has passed since the setting was read, and a running clock stops at the end of the range.
  checkRange('/clock/offset_ms', real + offset, real + latest);
  return { offset, frozenAtMs: undefined };
};

/** ISO 8601 with a zone, a Date, or milliseconds since 1970. */
export type Time = string | Date | number;

const readingSchema = object({ now: time, frozen: flag });

/** The time of the workspace: of leads, templates, messages and the journal. */
export const clockRoutes = {
  'GET /clock': {
    id: 'getClock',
    summary: 'Get the clock',
    description:
      'The time used for leads, templates, messages and requests of this workspace. HTTP headers always use real time.',
    replies: success('The clock.', readingSchema),
    run: ({ clock }) => clock.reading(),
  },
  'PUT /clock': {
    id: 'putClock',
    summary: 'Set, advance, freeze or run the clock',
    description:
      '`now` sets the clock and freezes it, `advance_ms` advances it, `frozen` freezes it or lets it run. Delays of fault rules always use real time.',
    body: {
      type: 'object',
      minProperties: 1,
      additionalProperties: false,
      properties: {
        now: {
          type: 'string',
          description: 'ISO 8601 with a time zone. Freezes the clock unless `frozen` is false.',
        },
        advance_ms: { type: 'integer', description: 'Milliseconds to advance the clock.' },
        frozen: { type: 'boolean', description: 'Whether the clock is frozen.' },
      },
      examples: [{ now: '2026-01-15T09:30:00Z' }, { advance_ms: 60_000 }, { frozen: false }],
    },
    replies: success('The clock after the change.', readingSchema),
    run: ({ clock }, { body }) => {
      clock.change(body as ClockChange);
      return clock.reading();
    },
  },
  'DELETE /clock': {
    id: 'deleteClock',
    summary: 'Reset the clock to real time',
    description: 'The clock of the workspace follows the machine again. Existing timestamps do not change.',
    replies: success('The clock.', readingSchema),
    run: ({ clock }) => {
      clock.reset();
      return clock.reading();
    },
  },
} satisfies Routes<{ readonly clock: Clock }>;
