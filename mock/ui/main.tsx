import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon, type IconName } from './components/controls.tsx';
import { ConfirmProvider, Dialog, NoticeProvider } from './components/dialogs.tsx';
import { NowProvider } from './components/time.tsx';
import { type Connection, listWorkspaces, mockAddress, type WorkspaceList } from './data/api.ts';
import { readStored, useKeys, useRowKeys, useStored } from './data/keyboard-and-storage.ts';
import { firstView, hrefOf, isProxy, navigate, type Place, serverName, usePlace } from './data/router.ts';
import { isKeyRefused, useConnection, useWorkspace, WorkspaceProvider } from './data/workspace.ts';
import { AskForKey, SideBar, views, WorkspacePicker } from './side-bar.tsx';

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
  const { connection } = workspace;
  if (isKeyRefused(connection)) return <AskForKey rule={connection.refusal?.hint} />;
  return (
    <WorkspaceProvider value={workspace}>
      <NowProvider>
        <Frame />
      </NowProvider>
    </WorkspaceProvider>
  );
};

const keys: readonly (readonly [string, string])[] = [
  ['j  k', 'next, previous (also in an open message)'],
  ['↓  ↑', 'next, previous in a list (elsewhere they scroll)'],
  ['Enter', 'open'],
  ['Esc', 'back to the list; leave the search'],
  ['/', 'search'],
  ...(isProxy ? [] : [['Del', 'delete the message (asks first)'] as const]),
  ['?', 'show this list'],
];

const Help = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Keyboard" onClose={onClose}>
    <dl class="keys">
      {keys.map(([key, does]) => (
        <div key={key}>
          <dt>
            {key.split('  ').map((name) => (
              <kbd key={name}>{name}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
    <div class="dialog-actions">
      <button type="button" class="button" autofocus onClick={onClose}>
        Close
      </button>
    </div>
  </Dialog>
);

type Theme = 'system' | 'light' | 'dark';

const themes: readonly Theme[] = ['system', 'light', 'dark'];
const icons: Readonly<Record<Theme, IconName>> = { system: 'contrast', light: 'sun', dark: 'moon' };

/** Light or dark as chosen; without a choice the system's setting counts (`color-scheme` in the style sheet). */
const applyTheme = (theme = readStored('theme')): void => {
  const { dataset } = document.documentElement;
  if (theme === 'light' || theme === 'dark') dataset.theme = theme;
  else delete dataset.theme;
};

const ThemeSwitch = () => {
  const [theme, setTheme] = useStored('theme', themes, 'system');
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
  return (
    <button
      type="button"
      class="icon-button"
      title={`Colours: ${theme}. Switch to ${next}`}
      aria-label={`Colours: ${theme}. Switch to ${next}`}
      onClick={() => {
        setTheme(next);
        applyTheme(next);
      }}
    >
      <Icon name={icons[theme]} />
    </button>
  );
};

const connectionTexts: Readonly<Record<Connection['state'], readonly [string, string]>> = {
  connecting: ['Connecting', `The page is connecting to the ${serverName}.`],
  live: ['Live', 'Changes appear immediately.'],
  lost: ['Not connected', `The ${serverName} does not respond. The page keeps trying to reconnect.`],
  refused: ['Not live', `The ${serverName} does not report changes.`],
};

const DocsLink = () => {
  const { api } = useWorkspace();
  return (
    <a class="docs-link" href={`${mockAddress}/docs/?key=${encodeURIComponent(api.key)}`}>
      Reference
    </a>
  );
};

const TopBar = ({ onHelp }: { readonly onHelp: () => void }) => {
  const { connection } = useWorkspace();
  const [text, meaning] = connectionTexts[connection.state];
  return (
    <header class="top-bar">
      <a class="brand" href={hrefOf(firstView)} aria-label={`email-leads ${serverName}: ${firstView}`}>
        <span class="logo">
          <Icon name={views[firstView].icon} />
        </span>
        <span class="brand-name">email-leads</span> <span class="brand-kind">{serverName}</span>
      </a>
      <span class={`connection ${connection.state}`} role="status" title={meaning}>
        <i />
        <span>{text}</span>
      </span>
      <div class="spacer" />
      {!isProxy && <DocsLink />}
      {!isProxy && <WorkspacePicker />}
      <ThemeSwitch />
      <button
        type="button"
        class="icon-button"
        title="Keyboard (?)"
        aria-label="Keyboard shortcuts"
        onClick={onHelp}
      >
        <Icon name="keyboard" />
      </button>
    </header>
  );
};

/** The page: the top bar, the navigation at the side, and the current view. */
const Frame = () => {
  const place = usePlace();
  const [help, setHelp] = useState(false);
  useRowKeys();
  useKeys({
    '?': () => setHelp(true),
    '/': (event) => {
      const search = document.querySelector<HTMLInputElement>('input[type=search]');
      if (!search) return;
      event.preventDefault();
      search.select();
      search.focus();
    },
  });
  const { Content } = views[isProxy ? firstView : place.view];
  return (
    <div class={isProxy ? 'frame without-side-bar' : 'frame'}>
      <nav class="skip-links" aria-label="Skip">
        <SkipLink place={place} />
      </nav>
      <TopBar onHelp={() => setHelp(true)} />
      <ConnectionProblem />
      {!isProxy && <SideBar place={place} />}
      <main id="content" tabIndex={-1}>
        {place.id !== undefined && <h1 class="visually-hidden narrow-title">{views[place.view].title}</h1>}
        <Content key={place.view} place={place} />
      </main>
      {help && <Help onClose={() => setHelp(false)} />}
    </div>
  );
};

/** A message above the view, which stays visible. */
const ConnectionProblem = () => {
  const { state, refusal } = useWorkspace().connection;
  if (state === 'live' || state === 'connecting') return null;
  return (
    <p class="connection-problem" role="alert">
      <Icon name="warn" />
      <span>
        <b>{connectionTexts[state][0]}.</b>{' '}
        {refusal
          ? `${refusal.message}. ${refusal.hint} Until then the page shows changes only when it is loaded again.`
          : `The ${serverName} does not respond: what you see may be out of date. The page connects again by itself.`}
      </span>
    </p>
  );
};

/** The first stop of Tab. Its address is the current one, because the part after the # names the view. */
const SkipLink = ({ place }: { readonly place: Place }) => (
  <a
    class="skip"
    href={hrefOf(place.view, place.id, place.query)}
    onClick={(event) => {
      event.preventDefault();
      document.getElementById('content')?.focus();
    }}
  >
    Skip to content
  </a>
);

applyTheme();
if (isProxy) document.title = 'Requests · email-leads proxy';
const place = document.getElementById('page');
if (place) render(<App />, place);
