import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from './components/controls.tsx';
import { Dialog } from './components/dialogs.tsx';
import { Icon } from './components/icon.tsx';
import { FactList, type Facts } from './components/open-item.tsx';
import { scrollInside } from './components/scroll.ts';
import { useClock } from './components/time.tsx';
import { type Connection, mockAddress } from './data/api.ts';
import { useKeys, useRowKeys } from './data/keyboard.ts';
import { firstView, hrefOf, isProxy, type Place, serverName, usePlace } from './data/router.ts';
import { type View, viewNames, views } from './data/views.ts';
import { useLoaded, useWorkspace } from './data/workspace.ts';
import { contents } from './views/index.ts';
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
  const view = isProxy ? firstView : place.view;
  const Content = contents[view];
  return (
    <div class="frame">
      <SkipLink place={place} />
      <TopBar onHelp={() => setHelpOpen(true)} />
      <ConnectionProblem />
      {!isProxy && <SideBar current={place.view} />}
      <main id="content" tabIndex={-1}>
        {place.id !== undefined && <h1 class="visually-hidden narrow-title">{views[view].title}</h1>}
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
        <b>{name}.</b> {refusal && `${refusal.text} `}
        {meaning}
      </span>
    </p>
  );
};

/** The navigation between the views. */
const SideBar = ({ current }: { readonly current: View }) => {
  const badges = useBadges();
  const bar = useRef<HTMLElement>(null);
  // On a narrow screen the sections scroll sideways.
  useEffect(() => {
    const link = bar.current?.querySelector<HTMLElement>(`[data-view=${current}]`);
    if (bar.current && link) scrollInside(bar.current, link);
    // Badges come later and move the sections.
  }, [current, JSON.stringify(badges)]);
  return (
    <nav class="side-bar" aria-label="Sections" ref={bar}>
      {viewNames.map((view) => (
        <a
          key={view}
          data-view={view}
          href={hrefOf(view)}
          title={views[view].title}
          aria-current={view === current ? 'page' : undefined}
        >
          <Icon name={views[view].icon} />
          <span class="title">{views[view].title}</span>
          {badges[view] && (
            <span class={`count chip round ${counted.includes(view) ? '' : 'warn'}`}>{badges[view]}</span>
          )}
        </a>
      ))}
    </nav>
  );
};

/** The views whose badge tells of nothing unusual. */
const counted: readonly View[] = ['messages', 'requests', 'leads'];

type Total = { readonly total: number };

/** Counts, and anything that makes the mock behave unusually. */
const useBadges = (): Readonly<Partial<Record<View, string>>> => {
  const messages = useLoaded<Total>('/outbox?limit=0', ['outbox']).data;
  const requests = useLoaded<Total>('/requests?limit=0', ['requests']).data;
  const leads = useLoaded<Total>('/leads?limit=0', ['leads']).data;
  const faults = useLoaded<{ rules: readonly unknown[] }>('/faults', ['faults', 'requests']).data;
  const { frozen } = useClock();
  return {
    messages: badgeText(messages?.total),
    requests: badgeText(requests?.total),
    leads: badgeText(leads?.total),
    faults: badgeText(faults?.rules.length),
    clock: frozen ? 'frozen' : '',
  };
};

const badgeText = (count = 0): string => (count > 0 ? count.toLocaleString('en') : '');

const keys: Facts = [
  ['j k', 'next, previous (also in an open message)'],
  ['↓ ↑', 'next, previous in a list (elsewhere they scroll)'],
  ['Enter', 'open'],
  ['Esc', 'back to the list; leave the search'],
  ['/', 'search'],
  ['Del', !isProxy && 'delete the message (asks first)'],
  ['?', 'show this list'],
];

const Help = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Keyboard" onClose={onClose}>
    <FactList facts={keys} />
    <div class="dialog-actions line">
      <Button text="Close" autofocus onClick={onClose} />
    </div>
  </Dialog>
);
