import { parseJson } from '../../contract/document.ts';
import { Button, Icon } from '../components/controls.tsx';
import { change } from '../components/dialogs.tsx';
import { Pane } from '../components/pane.tsx';
import { addressOf } from '../data/api.ts';
import { showNotice } from '../data/notice.ts';
import { workspaceKey } from '../data/router.ts';

const reset = (): void =>
  change({
    question: {
      title: 'Reset this workspace?',
      text: `Leads, messages, requests, faults, clock and answers of ${workspaceKey()} are reset to the seed. Ids start again at 1.`,
      action: 'Reset',
    },
    method: 'POST',
    view: 'state',
    path: '/reset',
    done: 'Workspace reset',
  });

const importFile = async (file: File): Promise<void> => {
  const { name } = file;
  const state = parseJson(await file.text());
  // A YAML parser would double the size of the page.
  if (state === undefined)
    return showNotice(`${name} is not JSON: nothing was changed. Only --seed FILE reads YAML too.`, true);
  change({
    question: {
      title: 'Replace the state?',
      text: `${name} replaces everything in ${workspaceKey()}.`,
      action: 'Replace',
    },
    method: 'PUT',
    view: 'state',
    body: state as object,
    done: `${name} imported`,
  });
};

/** The whole state of the workspace: reset, export, import. */
export const StateView = () => (
  <Pane view="state">
    <div class="panels">
      <div class="panel box">
        <h2>Reset</h2>
        <p>Restores the seed and restarts the ids. Other workspaces are not changed.</p>
        <Button icon="reset" text="Reset the workspace" kind="danger" onClick={reset} />
      </div>
      <div class="panel box">
        <h2>Export</h2>
        <p>
          Leads, templates, messages, requests, faults, clock and answers of <code>{workspaceKey()}</code> as
          one JSON file. It is a valid seed: <code>--seed FILE</code> starts every workspace from it.
        </p>
        <a class="button" href={addressOf('/state')} download={`${workspaceKey()}.json`}>
          <Icon name="download" />
          <span>Download the state</span>
        </a>
      </div>
      <div class="panel box">
        <h2>Import</h2>
        <p>
          Choose an exported state file or a hand-written seed, as JSON. It replaces everything in the
          workspace. For a seed in YAML, start the mock with <code>--seed FILE</code>.
        </p>
        <label class="button file">
          <Icon name="upload" />
          <span>Choose a file…</span>
          <input
            type="file"
            accept="application/json,.json"
            aria-label="State file"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              if (file) void importFile(file);
              currentTarget.value = '';
            }}
          />
        </label>
      </div>
    </div>
  </Pane>
);
