import { useState } from 'preact/hooks';
import { listWorkspaces, type Seen } from './api.ts';
import { Dialog } from './dialog.tsx';
import { go } from './location.ts';
import { useWorkspace } from './workspace.ts';

/** To another workspace, in the same view; what was open belonged to the old one. */
const choose = (key: string): void => {
  const view = location.hash.split(/[?]/)[0]?.split('/', 2).join('/') ?? '';
  go(`?key=${encodeURIComponent(key)}${view}`);
};

const another = '\0';

/** The keys the mock has seen so far; any other can be typed. */
export const WorkspacePicker = () => {
  const { api } = useWorkspace();
  const [seen, setSeen] = useState<readonly Seen[]>([]);
  const [asking, setAsking] = useState(false);
  const look = (): void =>
    void listWorkspaces().then(
      ({ workspaces }) => setSeen(workspaces),
      () => undefined,
    );
  const counts = new Map(seen.map((one) => [one.key, one]));
  const keys = [...new Set([api.key, ...counts.keys()])];
  return (
    <>
      <label class="workspace">
        <span>Workspace</span>
        <select
          value={api.key}
          onPointerDown={look}
          onFocus={look}
          onChange={({ currentTarget }) => {
            const { value } = currentTarget;
            currentTarget.value = api.key;
            if (value === another) setAsking(true);
            else choose(value);
          }}
        >
          {keys.map((key) => (
            <option key={key} value={key}>
              {labelOf(key, counts.get(key))}
            </option>
          ))}
          <option value={another}>Another key…</option>
        </select>
      </label>
      {asking && (
        <Dialog title="Another workspace" onClose={() => setAsking(false)}>
          <KeyForm onDone={() => setAsking(false)} />
        </Dialog>
      )}
    </>
  );
};

const labelOf = (key: string, seen: Seen | undefined): string => {
  if (!seen || seen.messages + seen.leads === 0) return key;
  return `${key} · ${seen.messages} sent, ${seen.leads} leads`;
};

const KeyForm = ({ onDone }: { readonly onDone: () => void }) => (
  <form
    class="key-form"
    onSubmit={(event) => {
      event.preventDefault();
      const key = new FormData(event.currentTarget).get('key');
      if (typeof key !== 'string' || key.trim() === '') return;
      onDone();
      choose(key.trim());
    }}
  >
    <p>Each API key has a workspace of its own. Which key does your app send?</p>
    <label class="field">
      <span>API key</span>
      <input name="key" placeholder="test_checkout" autocomplete="off" spellcheck={false} autofocus />
    </label>
    <div class="dialog-actions">
      <button type="submit" class="button primary">
        Show
      </button>
    </div>
  </form>
);

/** Where the mock accepts listed keys only and none of them may be guessed. */
export const AskForKey = () => (
  <div class="ask-key">
    <h1>email-leads</h1>
    <KeyForm onDone={() => undefined} />
  </div>
);
