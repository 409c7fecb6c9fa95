import { useEffect, useState } from 'preact/hooks';
import type { ClockReading } from '../../nouns/clock.ts';
import { Icon } from '../components/controls.tsx';
import { useNotify } from '../components/dialogs.tsx';
import { Unavailable, ViewHead } from '../components/list-view.tsx';
import { useNow } from '../components/time.tsx';
import type { Place } from '../data/router.ts';
import { useLoaded, useWorkspace } from '../data/workspace.ts';

const steps: readonly (readonly [string, number])[] = [
  ['1 minute', 60_000],
  ['1 hour', 3_600_000],
  ['1 day', 86_400_000],
  ['7 days', 604_800_000],
  ['30 days', 2_592_000_000],
];

/** The clock of the workspace, which sets the times of leads and messages. */
export const ClockView = (_props: { readonly place: Place }) => {
  const { api, live } = useWorkspace();
  const { attempt, showNotice } = useNotify();
  const { data, error } = useLoaded<ClockReading>('/clock', ['clock', 'requests']);
  const change = async (body: object | undefined, done: string): Promise<void> => {
    const send = (): Promise<unknown> =>
      body ? api.send('PUT', '/clock', body) : api.send('DELETE', '/clock');
    if (!(await attempt(send))) return;
    showNotice(done);
    live.notify('clock');
  };
  if (!data)
    return (
      <section class="view" aria-label="Clock">
        <ViewHead title="Clock" />
        <Unavailable error={error} />
      </section>
    );
  return (
    <section class="view" aria-label="Clock">
      <ViewHead title="Clock" />
      <div class="panel clock">
        <Face clock={data} />
        <div class="actions">
          {data.frozen ? (
            <button
              type="button"
              class="button primary"
              onClick={() => change({ frozen: false }, 'Clock running')}
            >
              Unfreeze
            </button>
          ) : (
            <button
              type="button"
              class="button primary"
              onClick={() => change({ frozen: true }, 'Clock frozen')}
            >
              Freeze
            </button>
          )}
          <button type="button" class="button" onClick={() => change(undefined, 'Clock reset to real time')}>
            <Icon name="reset" />
            <span>Reset to real time</span>
          </button>
        </div>
        <fieldset class="actions">
          <legend>Advance by</legend>
          {steps.map(([title, advance_ms]) => (
            <button
              key={title}
              type="button"
              class="button"
              onClick={() => change({ advance_ms }, `Clock advanced by ${title}`)}
            >
              {title}
            </button>
          ))}
        </fieldset>
        <SetTime set={(now) => change({ now }, 'Clock set and frozen')} />
      </div>
    </section>
  );
};

const second = 1000;

const Face = ({ clock }: { readonly clock: ClockReading }) => {
  const now = useNow();
  const [, tick] = useState(0);
  useEffect(() => {
    if (clock.frozen) return;
    const timer = setInterval(() => tick((count) => count + 1), second);
    return () => clearInterval(timer);
  }, [clock.frozen]);
  const shown = new Date(clock.frozen ? Date.parse(clock.now) : now).toISOString();
  return (
    <p class="face">
      <time dateTime={shown}>
        <b>{shown.slice(11, 19)}</b>
        <span>{shown.slice(0, 10)} UTC</span>
      </time>
      <span class={clock.frozen ? 'tag warn' : 'tag'}>{clock.frozen ? 'frozen' : 'running'}</span>
    </p>
  );
};

const SetTime = ({ set }: { readonly set: (now: string) => void }) => (
  <form
    class="actions"
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
    <button type="submit" class="button">
      Set and freeze
    </button>
  </form>
);
