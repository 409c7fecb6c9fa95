import { useRef } from 'preact/hooks';
import { Icon } from '../components/controls.tsx';
import { useConfirm, useNotify } from '../components/dialogs.tsx';
import { ViewHead } from '../components/list-view.tsx';
import { AdminApiError } from '../data/api.ts';
import { parseJson } from '../data/json.ts';
import type { Place } from '../data/router.ts';
import { useWorkspace } from '../data/workspace.ts';

/** The whole state of the workspace: reset, export, import. */
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
  const { attempt, showNotice } = useNotify();
  const confirm = useConfirm();
  const reset = async (): Promise<void> => {
    const text = `Leads, messages, requests, faults, clock and answers of ${api.key} are reset to the seed. Ids start again at 1.`;
    if (!(await confirm({ title: 'Reset this workspace?', text, action: 'Reset' }))) return;
    if (!(await attempt(() => api.send('POST', '/reset')))) return;
    live.notify('reset');
    showNotice('Workspace reset');
  };
  return (
    <div class="panel">
      <h2>Reset</h2>
      <p>Restores the seed and restarts the ids. Other workspaces are not changed.</p>
      <button type="button" class="button danger" onClick={reset}>
        <Icon name="reset" />
        <span>Reset the workspace</span>
      </button>
    </div>
  );
};

// A YAML parser would double the size of the page.
const hintFor = ({ name }: File): string =>
  /\.ya?ml$/i.test(name)
    ? `The page reads no YAML. Start the mock with --seed ${name}, or save the file as JSON.`
    : 'Nothing was changed.';

const Import = () => {
  const { api, live } = useWorkspace();
  const { attempt, showNotice } = useNotify();
  const confirm = useConfirm();
  const input = useRef<HTMLInputElement>(null);
  const importFile = async (file: File): Promise<void> => {
    const state = parseJson(await file.text());
    if (state === undefined)
      return void attempt(() =>
        Promise.reject(new AdminApiError(400, `${file.name} is not JSON`, hintFor(file))),
      );
    const text = `${file.name} replaces everything in ${api.key}.`;
    if (!(await confirm({ title: 'Replace the state?', text, action: 'Replace' }))) return;
    if (!(await attempt(() => api.send('PUT', '/state', state)))) return;
    live.notify('reset');
    showNotice(`${file.name} imported`);
  };
  return (
    <div class="panel">
      <h2>Import</h2>
      <p>
        Choose an exported state file or a hand-written seed, as JSON. It replaces everything in the
        workspace. For a seed in YAML, start the mock with <code>--seed FILE</code>.
      </p>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        hidden
        aria-label="State file"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) void importFile(file);
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
