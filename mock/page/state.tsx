import { useRef } from 'preact/hooks';
import { Refused } from './api.ts';
import { useConfirm } from './dialog.tsx';
import { Icon } from './icons.tsx';
import type { Place } from './location.ts';
import { useNotify } from './notice.tsx';
import { ViewHead } from './parts.tsx';
import { useWorkspace } from './workspace.ts';

/** Everything the workspace holds, as a whole: back to the start, out to a file, in from one. */
export const StateView = (_props: { readonly place: Place }) => {
  const { api } = useWorkspace();
  return (
    <section class="view" aria-label="State">
      <ViewHead title="State" />
      <div class="panels">
        <Reset />
        <div class="panel">
          <h2>Export</h2>
          <p>
            Leads, templates, messages, requests, faults, clock and answers of <code>{api.key}</code> as one
            JSON file. It is a valid seed: <code>--seed FILE</code> starts every workspace from it.
          </p>
          <a class="button" href={api.address('/state')} download={`${api.key}.json`}>
            <Icon name="download" />
            <span>Download the state</span>
          </a>
        </div>
        <Import />
      </div>
    </section>
  );
};

const Reset = () => {
  const { api, live } = useWorkspace();
  const { attempt, say } = useNotify();
  const confirm = useConfirm();
  const reset = async (): Promise<void> => {
    const text = `Leads, messages, requests, faults, clock and answers of ${api.key} go back to the seed; ids start over.`;
    if (!(await confirm({ title: 'Reset this workspace?', text, action: 'Reset' }))) return;
    if (!(await attempt(() => api.send('POST', '/reset')))) return;
    live.tell('reset');
    say('Back to the seed');
  };
  return (
    <div class="panel">
      <h2>Reset</h2>
      <p>
        Back to the seed: as it was before the first call, ids included. Other workspaces stay as they are.
      </p>
      <button type="button" class="button danger" onClick={reset}>
        <Icon name="reset" />
        <span>Reset the workspace</span>
      </button>
    </div>
  );
};

const Import = () => {
  const { api, live } = useWorkspace();
  const { attempt, say } = useNotify();
  const confirm = useConfirm();
  const input = useRef<HTMLInputElement>(null);
  const load = async (file: File): Promise<void> => {
    const state = parsed(await file.text());
    if (state === undefined)
      return void attempt(() =>
        Promise.reject(new Refused(400, `${file.name} is not JSON`, 'Nothing was changed.')),
      );
    const text = `What ${api.key} holds now is replaced by ${file.name}.`;
    if (!(await confirm({ title: 'Replace the state?', text, action: 'Replace' }))) return;
    if (!(await attempt(() => api.send('PUT', '/state', state)))) return;
    live.tell('reset');
    say(`${file.name} is in force`);
  };
  return (
    <div class="panel">
      <h2>Import</h2>
      <p>
        A file that was exported here, or a seed written by hand (JSON). It replaces what the workspace holds.
      </p>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        hidden
        aria-label="State file"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) void load(file);
          currentTarget.value = '';
        }}
      />
      <button type="button" class="button" onClick={() => input.current?.click()}>
        <Icon name="upload" />
        <span>Choose a file…</span>
      </button>
    </div>
  );
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
