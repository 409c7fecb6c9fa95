import { useEffect } from 'preact/hooks';
import type { ClockReading } from '../../nouns/clock.ts';
import { useLoaded } from '../data/live.ts';
import { isProxy } from '../data/router.ts';
import { createStore } from '../data/store.ts';

/** A reading of the clock of the workspace and the real time of it, both in ms. They may differ by years. */
const reading = createStore({ at: 0, clock: 0, frozen: false });

const tickMs = 15_000;

/** Reads the clock of the workspace for the whole page. */
export const useClockReading = (): void => {
  // The proxy has no clock of its own.
  const { data } = useLoaded<ClockReading>(isProxy ? undefined : '/clock', ['clock']);
  useEffect(() => {
    const last = data
      ? { at: Date.now(), clock: Date.parse(data.now), frozen: data.frozen }
      : { at: 0, clock: 0, frozen: false };
    reading.set(last);
    // A new object, so that everything that shows the time is rendered again.
    const timer = setInterval(() => reading.set({ ...last }), tickMs);
    return () => clearInterval(timer);
  }, [data]);
};

/** The clock of the workspace, with its time in ms, advanced locally since the last reading. */
export const useClock = (): { readonly now: number; readonly frozen: boolean } => {
  const { at, clock, frozen } = reading.use();
  return { now: frozen ? clock : clock + Date.now() - at, frozen };
};

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

const relativeTime = (time: number, now: number): string => {
  const seconds = (time - now) / 1000;
  const unit = units.find(([, size]) => Math.abs(seconds) >= size);
  if (!unit) return 'just now';
  return words.format(Math.trunc(seconds / unit[1]), unit[0]);
};

const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

export const Ago = ({ time }: { readonly time: string }) => {
  const { now } = useClock();
  const moment = Date.parse(time);
  return (
    <time dateTime={time} title={full.format(moment)}>
      {relativeTime(moment, now)}
    </time>
  );
};

export const Moment = ({ time }: { readonly time: string }) => (
  <time dateTime={time} title={time}>
    {full.format(Date.parse(time))}
  </time>
);
