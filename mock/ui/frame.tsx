import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './components/controls.tsx';
import { Dialog } from './components/dialogs.tsx';
import { Icon } from './components/icon.tsx';
import { type Connection, mockAddress } from './data/api.ts';
import { useKeys, useRowKeys } from './data/keyboard.ts';
import { firstView, hrefOf, isProxy, type Place, serverName, usePlace } from './data/router.ts';
import { useWorkspace } from './data/workspace.ts';
import { SideBar } from './side-bar.tsx';
import { views } from './views/index.ts';
import { WorkspacePicker } from './workspaces.tsx';

/** The page: the top bar, the navigation at the side, and the current view. */
export const Frame = () => {
  const place = usePlace();
  const [isHelpOpen, setHelpOpen] = useState(false);
  useRowKeys();
  useKeys({
    '?': () => setHelpOpen(true),
    '/': (event) => {
      const search = document.querySelector<HTMLInputElement>('input[type=search]');
      if (!search) return;
      event.preventDefault();
      search.select();
      search.focus();
    },
  });
  const { Content, title } = views[isProxy ? firstView : place.view];
  return (
    <div class="frame">
      <SkipLink place={place} />
      <TopBar onHelp={() => setHelpOpen(true)} />
      <ConnectionProblem />
      {!isProxy && <SideBar current={place.view} />}
      <main id="content" tabIndex={-1}>
        {place.id !== undefined && <h1 class="visually-hidden narrow-title">{title}</h1>}
        <Content key={place.view} place={place} />
      </main>
      {isHelpOpen && <Help onClose={() => setHelpOpen(false)} />}
    </div>
  );
};

/** The first stop of Tab. Its address is the current one, because the part after the # names the view. */
const SkipLink = ({ place }: { readonly place: Place }) => (
  <nav aria-label="Skip">
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
  </nav>
);

type ConnectionText = { readonly name: string; readonly tone: string; readonly meaning: string };

const connectionTexts: Readonly<Record<Connection['state'], ConnectionText>> = {
  connecting: { name: 'Connecting', tone: 'warn', meaning: `The page is connecting to the ${serverName}.` },
  live: { name: 'Live', tone: 'good', meaning: 'Changes appear immediately.' },
  lost: {
    name: 'Not connected',
    tone: 'bad',
    meaning: `The ${serverName} does not respond: what you see may be out of date. The page connects again by itself.`,
  },
  refused: {
    name: 'Not live',
    tone: 'warn',
    meaning: `The ${serverName} does not report changes. The page shows them only when it is loaded again.`,
  },
};

const TopBar = ({ onHelp }: { readonly onHelp: () => void }) => {
  const { api, connection } = useWorkspace();
  const { name, tone, meaning } = connectionTexts[connection.state];
  return (
    <header class="top-bar line">
      <a class="brand line" href={hrefOf(firstView)} aria-label={`email-leads ${serverName}: ${firstView}`}>
        <span class="logo">
          <Icon name={views[firstView].icon} />
        </span>
        <span class="brand-name">email-leads</span> <span class="hint brand-name">{serverName}</span>
      </a>
      <span class={`connection chip round ${tone}`} role="status" title={meaning}>
        {name}
      </span>
      <div class="spacer" />
      {!isProxy && (
        <>
          <a href={`${mockAddress}/docs/?key=${encodeURIComponent(api.key)}`}>Reference</a>
          <WorkspacePicker />
        </>
      )}
      <Button icon="keyboard" title="Keyboard (?)" aria-label="Keyboard shortcuts" onClick={onHelp} />
    </header>
  );
};

/** A message above the view, which stays visible. */
const ConnectionProblem = () => {
  const { state, refusal } = useWorkspace().connection;
  if (state === 'live' || state === 'connecting') return null;
  const { name, meaning } = connectionTexts[state];
  return (
    <p class="problem" role="alert">
      <Icon name="warn" />
      <span>
        <b>{name}.</b> {refusal && `${refusal.message}. ${refusal.hint} `}
        {meaning}
      </span>
    </p>
  );
};

const keys: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['j', 'k'], 'next, previous (also in an open message)'],
  [['↓', '↑'], 'next, previous in a list (elsewhere they scroll)'],
  [['Enter'], 'open'],
  [['Esc'], 'back to the list; leave the search'],
  [['/'], 'search'],
  ...(isProxy ? [] : [[['Del'], 'delete the message (asks first)'] as const]),
  [['?'], 'show this list'],
];

const Help = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Keyboard" onClose={onClose}>
    <dl class="keys">
      {keys.map(([names, does]) => (
        <Fragment key={does}>
          <dt>
            {names.map((name) => (
              <kbd key={name} class="box">
                {name}
              </kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </Fragment>
      ))}
    </dl>
    <div class="dialog-actions line">
      <Button text="Close" autofocus onClick={onClose} />
    </div>
  </Dialog>
);
