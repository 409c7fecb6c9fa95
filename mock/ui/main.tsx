import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { WorkspaceList } from '../nouns/mock.ts';
import { MessagesProvider } from './components/dialogs.tsx';
import { ClockProvider } from './components/time.tsx';
import { serverApi } from './data/api.ts';
import { isProxy, navigate, usePlace } from './data/router.ts';
import { isKeyRefused, useConnection, WorkspaceProvider } from './data/workspace.ts';
import { Frame } from './frame.tsx';
import { AskForKey } from './workspaces.tsx';

/** Chooses the workspace: the one in the URL, else the default of the mock, which is then added to the URL. */
const App = () => {
  const { key } = usePlace();
  // Undefined until it is known whether there is a default.
  const [usual, setUsual] = useState<string | null>();
  useEffect(() => {
    if (isProxy) return;
    serverApi.get<WorkspaceList>('/workspaces').then(
      (list) => setUsual(list.default),
      () => setUsual(null),
    );
  }, []);
  useEffect(() => {
    if (key === undefined && usual) navigate(`?key=${usual}${location.hash}`, 'replace');
  }, [key, usual]);
  if (isProxy) return <WorkspacePage name="" usual={null} />;
  if (key !== undefined) return <WorkspacePage key={key} name={key} usual={usual ?? null} />;
  return usual === null ? <AskForKey usual={null} /> : null;
};

type PageProps = { readonly name: string; readonly usual: string | null };

// The key prop rebuilds everything below for another workspace, so nothing of the old one stays on screen.
const WorkspacePage = ({ name, usual }: PageProps) => {
  const workspace = useConnection(name);
  if (!workspace) return null;
  const { connection } = workspace;
  if (isKeyRefused(connection)) return <AskForKey usual={usual} rule={connection.refusal?.hint} />;
  return (
    <WorkspaceProvider value={workspace}>
      <ClockProvider>
        <Frame />
      </ClockProvider>
    </WorkspaceProvider>
  );
};

if (isProxy) document.title = 'Requests · email-leads proxy';
const place = document.getElementById('page');
if (place)
  render(
    <MessagesProvider>
      <App />
    </MessagesProvider>,
    place,
  );
