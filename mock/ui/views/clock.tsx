import { useEffect, useState } from 'preact/hooks';
import type { ClockChange } from '../../nouns/clock.ts';
import { Button } from '../components/controls.tsx';
import { change } from '../components/dialogs.tsx';
import { Pane } from '../components/pane.tsx';
import { useClock } from '../components/time.tsx';

const steps: readonly (readonly [string, number])[] = [
  ['1 minute', 60_000],
  ['1 hour', 3_600_000],
  ['1 day', 86_400_000],
  ['7 days', 604_800_000],
  ['30 days', 2_592_000_000],
];

const set = (body: ClockChange, done: string): void => change({ method: 'PUT', view: 'clock', body, done });

const reset = (): void => change({ method: 'DELETE', view: 'clock', done: 'Clock reset to real time' });

/** The clock of the workspace, which sets the times of leads and messages. */
export const ClockView = () => {
  const { frozen } = useClock();
  return (
    <Pane view="clock">
      <div class="panels">
        <div class="panel box clock">
          <Face />
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
          <SetTime />
        </div>
      </div>
    </Pane>
  );
};

const second = 1000;

const Face = () => {
  const { now, frozen } = useClock();
  const [, tick] = useState(0);
  useEffect(() => {
    if (frozen) return;
    const timer = setInterval(() => tick((count) => count + 1), second);
    return () => clearInterval(timer);
  }, [frozen]);
  const shown = new Date(now).toISOString();
  return (
    <p class="face line">
      <time dateTime={shown}>
        <b>{shown.slice(11, 19)}</b>
        <span>{shown.slice(0, 10)} UTC</span>
      </time>
      <span class={frozen ? 'chip warn' : 'chip'}>{frozen ? 'frozen' : 'running'}</span>
    </p>
  );
};

const SetTime = () => (
  <form
    class="line"
    onSubmit={(event) => {
      event.preventDefault();
      const time = String(new FormData(event.currentTarget).get('time'));
      // The seconds are left out if they are zero.
      set({ now: `${time.length === 16 ? `${time}:00` : time}Z` }, 'Clock set and frozen');
    }}
  >
    <label class="field">
      <span>Set to (UTC)</span>
      <input name="time" type="datetime-local" step="1" required />
    </label>
    <Button type="submit" text="Set and freeze" />
  </form>
);
