import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { ClockReading } from '../../workspace/clock.ts';
import { isProxy } from '../data/router.ts';
import { useLoaded } from '../data/workspace.ts';

// The clock of the workspace in ms. It may differ from real time by years.
const Now = createContext(Date.now());
export const NowProvider = Now.Provider;

const tickMs = 15_000;

/** The time of the workspace, advanced locally since the last reading. */
export const useNow = (): number => {
  // What passes the proxy happens in real time.
  const path = isProxy ? undefined : '/clock';
  const { data } = useLoaded<ClockReading>(path, ['clock', 'outbox', 'leads', 'requests']);
  const [, tick] = useState(0);
  const [reading, setReading] = useState({ at: Date.now(), clock: Date.now(), frozen: false });
  useEffect(() => {
    if (data) setReading({ at: Date.now(), clock: Date.parse(data.now), frozen: data.frozen });
  }, [data]);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), tickMs);
    return () => clearInterval(timer);
  }, []);
  return reading.frozen ? reading.clock : reading.clock + Date.now() - reading.at;
};

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

export const relativeTime = (time: number, now: number): string => {
  const seconds = (time - now) / 1000;
  const unit = units.find(([, size]) => Math.abs(seconds) >= size);
  if (!unit) return 'just now';
  return words.format(Math.trunc(seconds / unit[1]), unit[0]);
};

const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

export const Ago = ({ time }: { readonly time: string }) => {
  const now = useContext(Now);
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
