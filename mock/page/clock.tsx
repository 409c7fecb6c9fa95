import { useEffect, useState } from 'preact/hooks';
import { Icon } from './icons.tsx';
import type { Place } from './location.ts';
import { useNotify } from './notice.tsx';
import { ViewHead } from './parts.tsx';
import { type Clock, useNow } from './time.tsx';
import { useLoaded, useWorkspace } from './workspace.ts';

const steps: readonly (readonly [string, number])[] = [
  ['1 minute', 60_000],
  ['1 hour', 3_600_000],
  ['1 day', 86_400_000],
  ['7 days', 604_800_000],
  ['30 days', 2_592_000_000],
];

/** The time of the workspace: what it stamps on leads and messages. */
export const ClockView = (_props: { readonly place: Place }) => {
  const { api, live } = useWorkspace();
  const { attempt, say } = useNotify();
  const { data } = useLoaded<Clock>('/clock', ['clock', 'requests']);
  const change = async (body: object | undefined, done: string): Promise<void> => {
    const send = (): Promise<unknown> =>
      body ? api.send('PUT', '/clock', body) : api.send('DELETE', '/clock');
    if (!(await attempt(send))) return;
    say(done);
    live.tell('clock');
  };
  if (!data) return null;
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
              onClick={() => change({ frozen: false }, 'The clock runs on')}
            >
              Let it run
            </button>
          ) : (
            <button
              type="button"
              class="button primary"
              onClick={() => change({ frozen: true }, 'The clock stands still')}
            >
              Freeze
            </button>
          )}
          <button
            type="button"
            class="button"
            onClick={() => change(undefined, 'The clock shows the real time')}
          >
            <Icon name="reset" />
            <span>Real time</span>
          </button>
        </div>
        <fieldset class="actions">
          <legend>Advance by</legend>
          {steps.map(([title, advance_ms]) => (
            <button
              key={title}
              type="button"
              class="button"
              onClick={() => change({ advance_ms }, `The clock went ${title} on`)}
            >
              {title}
            </button>
          ))}
        </fieldset>
        <SetTime set={(now) => change({ now }, 'The clock is set and stands still')} />
      </div>
    </section>
  );
};

const second = 1000;

const Face = ({ clock }: { readonly clock: Clock }) => {
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
