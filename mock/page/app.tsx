import { useEffect, useState } from 'preact/hooks';
import { listWorkspaces, type Workspaces } from './api.ts';
import { ConfirmProvider } from './dialog.tsx';
import { Frame } from './frame.tsx';
import { go, usePlace } from './location.ts';
import { NoticeProvider } from './notice.tsx';
import { NowProvider, useNow } from './time.tsx';
import { useConnected, WorkspaceProvider } from './workspace.ts';
import { AskForKey } from './workspace-picker.tsx';

const retryMs = 2000;

/** Chooses the workspace: of the address, else the mock's default one; the address then names it, to be copied. */
export const App = () => {
  const { key } = usePlace();
  const [known, setKnown] = useState<Workspaces>();
  useEffect(() => {
    if (key !== undefined || known) return;
    const ask = (): void => void listWorkspaces().then(setKnown, () => undefined);
    ask();
    const timer = setInterval(ask, retryMs);
    return () => clearInterval(timer);
  }, [key, known]);
  useEffect(() => {
    if (key === undefined && known?.default) go(`?key=${known.default}${location.hash}`, 'replace');
  }, [key, known]);
  return (
    <NoticeProvider>
      <ConfirmProvider>
        {key === undefined ? <NoKey known={known} /> : <OneWorkspace key={key} name={key} />}
      </ConfirmProvider>
    </NoticeProvider>
  );
};

const NoKey = ({ known }: { readonly known: Workspaces | undefined }) => {
  if (known?.default === null) return <AskForKey />;
  return <p class="starting">Waiting for the mock…</p>;
};

// Everything below is made anew for another workspace: nothing of one can be left on screen in another.
const OneWorkspace = ({ name }: { readonly name: string }) => {
  const workspace = useConnected(name);
  if (!workspace) return null;
  return (
    <WorkspaceProvider value={workspace}>
      <InItsTime />
    </WorkspaceProvider>
  );
};

const InItsTime = () => (
  <NowProvider value={useNow()}>
    <Frame />
  </NowProvider>
);
