import { useRef } from 'preact/hooks';
import { parseJson } from '../../contract/document.ts';
import { Button } from '../components/controls.tsx';
import { useChange, useMessages } from '../components/dialogs.tsx';
import { Icon } from '../components/icon.tsx';
import { Page } from '../components/view.tsx';
import { AdminApiError } from '../data/api.ts';
import { useWorkspace } from '../data/workspace.ts';

/** The whole state of the workspace: reset, export, import. */
export const StateView = () => {
  const { api } = useWorkspace();
  const change = useChange();
  const reset = (): void => {
    const text = `Leads, messages, requests, faults, clock and answers of ${api.key} are reset to the seed. Ids start again at 1.`;
    change({
      question: { title: 'Reset this workspace?', text, action: 'Reset' },
      method: 'POST',
      view: 'state',
      path: '/reset',
      done: 'Workspace reset',
    });
  };
  return (
    <Page view="state">
      <div class="panels">
        <div class="panel box">
          <h2>Reset</h2>
          <p>Restores the seed and restarts the ids. Other workspaces are not changed.</p>
          <Button icon="reset" text="Reset the workspace" kind="danger" onClick={reset} />
        </div>
        <div class="panel box">
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
    </Page>
  );
};

// A YAML parser would double the size of the page.
const hintFor = ({ name }: File): string =>
  /\.ya?ml$/i.test(name)
    ? `The page reads no YAML. Start the mock with --seed ${name}, or save the file as JSON.`
    : 'Nothing was changed.';

const Import = () => {
  const { api } = useWorkspace();
  const { attempt } = useMessages();
  const change = useChange();
  const input = useRef<HTMLInputElement>(null);
  const importFile = async (file: File): Promise<void> => {
    const { name } = file;
    const state = parseJson(await file.text());
    if (state === undefined)
      return void attempt(() => Promise.reject(new AdminApiError(400, `${name} is not JSON`, hintFor(file))));
    const text = `${name} replaces everything in ${api.key}.`;
    change({
      question: { title: 'Replace the state?', text, action: 'Replace' },
      method: 'PUT',
      view: 'state',
      body: state as object,
      done: `${name} imported`,
    });
  };
  return (
    <div class="panel box">
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
      <Button icon="upload" text="Choose a file…" onClick={() => input.current?.click()} />
    </div>
  );
};
