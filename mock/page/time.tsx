import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { useLoaded } from './workspace.ts';

export type Clock = { readonly now: string; readonly frozen: boolean };

// The clock of the workspace, in ms: what it holds may be dated years from now.
const Now = createContext(Date.now());
export const NowProvider = Now.Provider;

const tickMs = 15_000;

/** The time of the workspace, running on from where the mock said it is. */
export const useNow = (): number => {
  const { data } = useLoaded<Clock>('/clock', ['clock', 'outbox', 'leads', 'requests']);
  const [, tick] = useState(0);
  const [read, setRead] = useState({ at: Date.now(), clock: Date.now(), frozen: false });
  useEffect(() => {
    if (data) setRead({ at: Date.now(), clock: Date.parse(data.now), frozen: data.frozen });
  }, [data]);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), tickMs);
    return () => clearInterval(timer);
  }, []);
  return read.frozen ? read.clock : read.clock + Date.now() - read.at;
};

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

export const ago = (time: number, now: number): string => {
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
      {ago(moment, now)}
    </time>
  );
};

export const Moment = ({ time }: { readonly time: string }) => (
  <time dateTime={time} title={time}>
    {full.format(Date.parse(time))}
  </time>
);
