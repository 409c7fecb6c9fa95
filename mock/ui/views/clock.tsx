import { useEffect, useState } from 'preact/hooks';
import type { ClockChange, ClockReading } from '../../nouns/clock.ts';
import { Button } from '../components/controls.tsx';
import { useChange } from '../components/dialogs.tsx';
import { useNow } from '../components/time.tsx';
import { Loaded, Page } from '../components/view.tsx';

const steps: readonly (readonly [string, number])[] = [
  ['1 minute', 60_000],
  ['1 hour', 3_600_000],
  ['1 day', 86_400_000],
  ['7 days', 604_800_000],
  ['30 days', 2_592_000_000],
];

/** The clock of the workspace, which sets the times of leads and messages. */
export const ClockView = () => (
  <Page view="clock">
    <div class="panels">
      <Loaded<ClockReading> path="/clock" events={['clock', 'requests']}>
        {(clock) => <ClockPanel clock={clock} />}
      </Loaded>
    </div>
  </Page>
);

type ClockProps = { readonly clock: ClockReading };

const ClockPanel = ({ clock }: ClockProps) => {
  const { frozen } = clock;
  const change = useChange();
  const set = (body: ClockChange, done: string): void => change({ method: 'PUT', view: 'clock', body, done });
  const reset = (): void => change({ method: 'DELETE', view: 'clock', done: 'Clock reset to real time' });
  return (
    <div class="panel box clock">
      <Face clock={clock} />
      <div class="line">
        <Button
          text={frozen ? 'Unfreeze' : 'Freeze'}
          kind="primary"
          onClick={() => set({ frozen: !frozen }, frozen ? 'Clock running' : 'Clock frozen')}
        />
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
      <SetTime set={(now) => set({ now }, 'Clock set and frozen')} />
    </div>
  );
};

const second = 1000;

const Face = ({ clock }: ClockProps) => {
  const now = useNow();
  const [, tick] = useState(0);
  useEffect(() => {
    if (clock.frozen) return;
    const timer = setInterval(() => tick((count) => count + 1), second);
    return () => clearInterval(timer);
  }, [clock.frozen]);
  const shown = new Date(clock.frozen ? Date.parse(clock.now) : now).toISOString();
  return (
    <p class="face line">
      <time dateTime={shown}>
        <b>{shown.slice(11, 19)}</b>
        <span>{shown.slice(0, 10)} UTC</span>
      </time>
      <span class={clock.frozen ? 'chip warn' : 'chip'}>{clock.frozen ? 'frozen' : 'running'}</span>
    </p>
  );
};

const SetTime = ({ set }: { readonly set: (now: string) => void }) => (
  <form
    class="line"
    onSubmit={(event) => {
      event.preventDefault();
      const time = new FormData(event.currentTarget).get('time');
      if (typeof time === 'string' && time !== '') set(`${time.length === 16 ? `${time}:00` : time}Z`);
    }}
  >
    <label class="field">
      <span>Set to (UTC)</span>
      <input name="time" type="datetime-local" step="1" required />
    </label>
    <Button type="submit" text="Set and freeze" />
  </form>
);
