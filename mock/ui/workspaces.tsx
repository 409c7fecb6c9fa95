import { useState } from 'preact/hooks';
import type { WorkspaceList, WorkspaceSummary } from '../nouns/mock.ts';
import { Choice } from './components/controls.tsx';
import { useMessages } from './components/dialogs.tsx';
import { Form, type Question, type Values } from './components/form.tsx';
import { hrefOf, navigate, readPlace } from './data/router.ts';
import { useLoaded, useWorkspace } from './data/workspace.ts';

/** Shows another workspace in the same view. The open item is closed, because it belongs to the old workspace. */
const showWorkspace = (key: string): void =>
  navigate(`?key=${encodeURIComponent(key)}${hrefOf(readPlace(location).view)}`);

const whichKey: Question = {
  title: 'Other workspace',
  text: 'Each API key has a workspace of its own. Which key does your app send?',
  fields: [{ name: 'key', label: 'API key', placeholder: 'as your app sends it', isRequired: true }],
  action: 'Show',
};

const showKey = ({ key = '' }: Values): void => {
  if (key.trim() !== '') showWorkspace(key.trim());
};

const otherKey = '\0';

/** The keys used so far. Any other key can be entered. */
export const WorkspacePicker = () => {
  const { api } = useWorkspace();
  const { ask } = useMessages();
  const [isUsed, setUsed] = useState(false);
  const { data } = useLoaded<WorkspaceList>(isUsed ? '/workspaces' : undefined, ['polled']);
  const byKey = new Map(data?.workspaces.map((workspace) => [workspace.key, workspace]));
  const keys = [...new Set([api.key, ...byKey.keys()])];
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: Choice is one
    <label class="workspace line">
      <span class="meta">Workspace</span>
      <Choice
        label="Workspace"
        value={api.key}
        options={[
          ...keys.map((key) => [key, labelOf(key, byKey.get(key))] as const),
          [otherKey, 'Other key…'] as const,
        ]}
        onFocus={() => setUsed(true)}
        onBlur={() => setUsed(false)}
        choose={(value) => (value === otherKey ? ask(whichKey, showKey) : showWorkspace(value))}
      />
    </label>
  );
};

const labelOf = (key: string, workspace: WorkspaceSummary | undefined): string => {
  if (!workspace || workspace.messages + workspace.leads === 0) return key;
  return `${key} · ${workspace.messages} sent, ${workspace.leads} leads`;
};

type AskProps = {
  /** The key of the mock that needs none in the address. */
  readonly usual: string | null;
  /** Which keys the mock accepts, if it refused the one in the URL. That one may be real and is not shown. */
  readonly rule?: string | undefined;
};

/** Shown if the URL has no accepted key and there is no default. */
export const AskForKey = ({ usual, rule }: AskProps) => (
  <main class="ask-key">
    <h1>email-leads</h1>
    {rule !== undefined && (
      <p class="problem" role="alert">
        <b>This mock does not accept the key in the address of the page.</b> {rule}
      </p>
    )}
    <Form question={whichKey} answer={showKey} />
    {usual !== null && (
      <p>
        Or <a href={`?key=${encodeURIComponent(usual)}`}>show the workspace {usual}</a>
      </p>
    )}
  </main>
);
