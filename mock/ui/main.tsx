import { render } from 'preact';
import type { WorkspaceList } from '../nouns/mock.ts';
import { Dialogs } from './components/dialogs.tsx';
import { Form } from './components/form.tsx';
import { request } from './data/api.ts';
import { connect, connection } from './data/live.ts';
import { isProxy, workspaceKey } from './data/router.ts';
import { Frame, showWorkspace, whichKey } from './frame.tsx';

/** The key of the mock that needs none in the address. */
const usualKey = async (): Promise<string | null> => {
  try {
    const list: WorkspaceList = await (await request('/workspaces')).json();
    return list.default;
  } catch {
    return null;
  }
};

/** Without a key in the address, shows the workspace of the usual one, which is then added to it. */
const start = async (): Promise<void> => {
  const usual = isProxy || workspaceKey() !== '' ? null : await usualKey();
  if (usual !== null) history.replaceState(null, '', `?key=${encodeURIComponent(usual)}${location.hash}`);
  document.title = isProxy ? 'Requests · email-leads proxy' : `Outbox · ${workspaceKey()}`;
  const hasWorkspace = isProxy || workspaceKey() !== '';
  if (hasWorkspace) connect();
  const place = document.getElementById('page');
  if (!place) return;
  render(
    <>
      {hasWorkspace ? <Workspace /> : <AskForKey />}
      <Dialogs />
    </>,
    place,
  );
};

/** Nothing until the event stream is open or has failed: data loaded earlier could miss a change. */
const Workspace = () => {
  const { state, refusal } = connection.use();
  if (refusal?.status === 401) return <AskForKey rule={refusal.hint} />;
  return state === 'connecting' ? null : <Frame />;
};

type AskProps = {
  /** Which keys the mock accepts, if it refused the one in the URL. That one may be real and is not shown. */
  readonly rule?: string;
};

/** Shown if the URL has no accepted key and there is no usual one. */
const AskForKey = ({ rule }: AskProps) => (
  <main class="ask-key">
    <h1>email-leads</h1>
    {rule !== undefined && (
      <p class="problem" role="alert">
        <b>This mock does not accept the key in the address of the page.</b> {rule}{' '}
        <a href="?">Open the page without it</a>
      </p>
    )}
    <Form question={whichKey} answer={showWorkspace} />
  </main>
);

void start();
