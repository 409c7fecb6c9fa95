import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ClockChange, ClockReading } from '../../nouns/clock.ts';
import { Button } from '../components/controls.tsx';
import { change } from '../components/dialogs.tsx';
import { Unavailable } from '../components/empty.tsx';
import { Pane } from '../components/pane.tsx';
import { useLoaded } from '../data/live.ts';

const steps: readonly (readonly [string, number])[] = [
  ['1 minute', 60_000],
  ['1 hour', 3_600_000],
  ['1 day', 86_400_000],
  ['7 days', 604_800_000],
  ['30 days', 2_592_000_000],
];

const set = (body: ClockChange, done: string): void => change({ method: 'PUT', view: 'clock', body, done });

/** Asks for the time, which the field has at first. */
const setTime = (now: number): void =>
  change({
    question: {
      title: 'Set the clock',
      action: 'Set and freeze',
      fields: [{ name: 'now', label: 'Time (ISO 8601, with a zone)', isRequired: true }],
      values: { now: `${new Date(now).toISOString().slice(0, 19)}Z` },
    },
    method: 'PUT',
    view: 'clock',
    done: 'Clock set and frozen',
  });

const reset = (): void => change({ method: 'DELETE', view: 'clock', done: 'Clock reset to real time' });

/** The clock of the workspace, which sets the times of leads and messages. */
export const ClockView = () => {
  const { data, error } = useLoaded<ClockReading>('/clock', ['clock']);
  return <Pane view="clock">{data ? <ClockPanel reading={data} /> : <Unavailable error={error} />}</Pane>;
};

const second = 1000;

const ClockPanel = ({ reading }: { readonly reading: ClockReading }) => {
  const { frozen } = reading;
  const readAt = useMemo(() => Date.now(), [reading]);
  const [, tick] = useState(0);
  useEffect(() => {
    if (frozen) return;
    const timer = setInterval(() => tick((count) => count + 1), second);
    return () => clearInterval(timer);
  }, [frozen]);
  const now = Date.parse(reading.now) + (frozen ? 0 : Date.now() - readAt);
  const shown = new Date(now).toISOString();
  return (
    <div class="panels">
      <div class="panel box clock">
        <p class="face line">
          <time dateTime={shown}>
            <b>{shown.slice(11, 19)}</b>
            <span>{shown.slice(0, 10)} UTC</span>
          </time>
          <span class={frozen ? 'chip warn' : 'chip'}>{frozen ? 'frozen' : 'running'}</span>
        </p>
        <div class="line">
          <Button
            text={frozen ? 'Unfreeze' : 'Freeze'}
            kind="primary"
            onClick={() => set({ frozen: !frozen }, frozen ? 'Clock running' : 'Clock frozen')}
          />
          <Button text="Set…" onClick={() => setTime(now)} />
          <Button icon="reset" text="Reset to real time" onClick={reset} />
        </div>
        <fieldset class="line">
          <legend>Advance by</legend>
          {steps.map(([title, advance_ms]) => (
            <Button
              key={title}
              text={title}
              onClick={() => set({ advance_ms }, `Clock advanced by ${title}`)}
            />
          ))}
        </fieldset>
      </div>
    </div>
  );
};
