import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ConfirmProvider, NoticeProvider } from './components/dialogs.tsx';
import { NowProvider, useNow } from './components/time.tsx';
import { listWorkspaces, type WorkspaceList } from './data/api.ts';
import { isProxy, navigate, usePlace } from './data/router.ts';
import { useConnection, WorkspaceProvider } from './data/workspace.ts';
import { applyTheme, Frame } from './layout.tsx';
import { AskForKey } from './side-bar.tsx';

const retryMs = 2000;

/** Chooses the workspace: the one in the URL, else the default of the mock, which is then added to the URL. */
const App = () => {
  const { key } = usePlace();
  const [workspaces, setWorkspaces] = useState<WorkspaceList>();
  useEffect(() => {
    if (isProxy || key !== undefined || workspaces) return;
    const ask = (): void => void listWorkspaces().then(setWorkspaces, () => undefined);
    ask();
    const timer = setInterval(ask, retryMs);
    return () => clearInterval(timer);
  }, [key, workspaces]);
  useEffect(() => {
    if (key === undefined && workspaces?.default)
      navigate(`?key=${workspaces.default}${location.hash}`, 'replace');
  }, [key, workspaces]);
  return (
    <NoticeProvider>
      <ConfirmProvider>
        {isProxy && <WorkspacePage name="" />}
        {!isProxy && key === undefined && <NoKey workspaces={workspaces} />}
        {!isProxy && key !== undefined && <WorkspacePage key={key} name={key} />}
      </ConfirmProvider>
    </NoticeProvider>
  );
};

const NoKey = ({ workspaces }: { readonly workspaces: WorkspaceList | undefined }) => {
  if (workspaces?.default === null) return <AskForKey />;
  return <p class="starting">Waiting for the mock server…</p>;
};

// The key prop rebuilds everything below for another workspace, so nothing of the old one stays on screen.
const WorkspacePage = ({ name }: { readonly name: string }) => {
  const workspace = useConnection(name);
  if (!workspace) return null;
  return (
    <WorkspaceProvider value={workspace}>
      <PageWithClock />
    </WorkspaceProvider>
  );
};

const PageWithClock = () => (
  <NowProvider value={useNow()}>
    <Frame />
  </NowProvider>
);

applyTheme();
if (isProxy) document.title = 'Requests · email-leads proxy';
const place = document.getElementById('page');
if (place) render(<App />, place);
