import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ClockReading } from '../nouns/clock.ts';
import type { WorkspaceList, WorkspaceSummary } from '../nouns/mock.ts';
import { Button, Choice, Icon } from './components/controls.tsx';
import { ask } from './components/dialogs.tsx';
import type { Question, Values } from './components/form.tsx';
import { FactList, type Facts } from './components/pane.tsx';
import { addressOf } from './data/api.ts';
import { scrollInside, useKeys, useRowKeys } from './data/keyboard.ts';
import { connection, useLoaded } from './data/live.ts';
import {
  firstView,
  hrefOf,
  isProxy,
  readPlace,
  serverName,
  usePlace,
  workspaceHref,
  workspaceKey,
} from './data/router.ts';
import { type ListView, type View, viewNames, views } from './data/views.ts';
import { ClockView } from './views/clock.tsx';
import { Faults } from './views/faults.tsx';
import { Leads } from './views/leads.tsx';
import { Messages } from './views/messages.tsx';
import { Questions } from './views/questions.tsx';
import { Requests } from './views/requests.tsx';
import { StateView } from './views/state.tsx';
import { Templates } from './views/templates.tsx';

const contents: Readonly<Record<View, () => JSX.Element>> = {
  messages: Messages,
  requests: Requests,
  leads: Leads,
  templates: Templates,
  questions: Questions,
  faults: Faults,
  clock: ClockView,
  state: StateView,
};

/** The page: the top bar, the navigation at the side, and the current view. */
export const Frame = () => {
  const { view, id } = usePlace();
  useRowKeys();
  useKeys({
    '?': () => document.getElementById('keyboard')?.showPopover(),
    '/': (event) => {
      const search = document.querySelector<HTMLInputElement>('input[type=search]');
      if (!search) return;
      event.preventDefault();
      search.select();
      search.focus();
    },
  });
  const Content = contents[view];
  return (
    <div class="frame">
      <nav aria-label="Skip">
        <button type="button" class="skip button" onClick={() => document.getElementById('content')?.focus()}>
          Skip to content
        </button>
      </nav>
      <TopBar />
      <ConnectionProblem />
      {!isProxy && <SideBar current={view} />}
      <main id="content" tabIndex={-1}>
        {id !== undefined && <h1 class="visually-hidden narrow-title">{views[view].title}</h1>}
        <Content key={view} />
      </main>
      <dialog id="keyboard" popover="auto" class="box" aria-label="Keyboard">
        <h2>Keyboard</h2>
        <FactList facts={keys} />
      </dialog>
    </div>
  );
};

const keys: Facts = [
  ['j k', 'next, previous (also in an open item)'],
  ['↓ ↑', 'next, previous in a list (elsewhere they scroll)'],
  ['Enter', 'open'],
  ['Esc', 'back to the list; leave the search'],
  ['/', 'search'],
  ['Del', !isProxy && 'delete the message, lead or template (asks first)'],
  ['?', 'show this list'],
];

const TopBar = () => {
  const isLive = connection.use().state === 'live';
  return (
    <header class="top-bar line">
      <a class="brand line" href={hrefOf(firstView)} aria-label={`email-leads ${serverName}: ${firstView}`}>
        <span class="logo">
          <Icon name={views[firstView].icon} />
        </span>
        <span class="brand-name">email-leads</span> <span class="hint brand-name">{serverName}</span>
      </a>
      <span role="status">
        {isLive && (
          <span class="connection chip round good" title="Changes appear immediately.">
            Live
          </span>
        )}
      </span>
      <div class="spacer" />
      {!isProxy && (
        <>
          <a href={addressOf('/../docs/')}>Reference</a>
          <WorkspacePicker />
        </>
      )}
      <Button icon="keyboard" title="Keyboard (?)" aria-label="Keyboard shortcuts" popovertarget="keyboard" />
    </header>
  );
};

export const whichKey: Question = {
  title: 'Other workspace',
  text: 'Each API key has a workspace of its own. Which key does your app send?',
  fields: [{ name: 'key', label: 'API key', placeholder: 'as your app sends it', isRequired: true }],
  action: 'Show',
};

/** Shows another workspace in the same view. */
export const showWorkspace = ({ key = '' }: Values): void => {
  if (key.trim() !== '') location.assign(workspaceHref(key.trim(), readPlace().view));
};

const otherKey = '\0';

/** The keys used so far. Any other key can be entered. */
const WorkspacePicker = () => {
  const [isUsed, setUsed] = useState(false);
  const { data } = useLoaded<WorkspaceList>(isUsed ? '/workspaces' : undefined, ['polled']);
  const own = workspaceKey();
  const byKey = new Map(data?.workspaces.map((workspace) => [workspace.key, workspace]));
  const keyNames = [...new Set([own, ...byKey.keys()])];
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: Choice is one
    <label class="workspace line">
      <span class="meta">Workspace</span>
      <Choice
        label="Workspace"
        value={own}
        options={[
          ...keyNames.map((key) => [key, labelOf(key, byKey.get(key))] as const),
          [otherKey, 'Other key…'] as const,
        ]}
        onFocus={() => setUsed(true)}
        onBlur={() => setUsed(false)}
        choose={(key) => (key === otherKey ? ask(whichKey, showWorkspace) : showWorkspace({ key }))}
      />
    </label>
  );
};

const labelOf = (key: string, workspace: WorkspaceSummary | undefined): string => {
  if (!workspace || workspace.messages + workspace.leads === 0) return key;
  return `${key} · ${workspace.messages} sent, ${workspace.leads} leads`;
};

/** A message above the view while changes do not appear. */
const ConnectionProblem = () => {
  const { state, refusal } = connection.use();
  if (state === 'live') return null;
  return (
    <p class="problem" role="alert">
      <Icon name="warn" />
      {state === 'lost' ? (
        <span>
          <b>Not connected.</b> The {serverName} does not respond: what you see may be out of date. The page
          connects again by itself.
        </span>
      ) : (
        <span>
          <b>Not live.</b> {refusal?.text} The {serverName} does not report changes. The page shows them only
          when it is loaded again.
        </span>
      )}
    </p>
  );
};

/** The navigation between the views. */
const SideBar = ({ current }: { readonly current: View }) => {
  const badges = useBadges();
  const element = useRef<HTMLElement>(null);
  // In a narrow window it scrolls, and badges that are loaded later move its links.
  const shown = Object.values(badges).filter(Boolean).length;
  useEffect(() => {
    const link = element.current?.querySelector<HTMLElement>('[aria-current]');
    if (element.current && link) scrollInside(element.current, link);
  }, [current, shown]);
  return (
    <nav class="side-bar" aria-label="Sections" ref={element}>
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
            <span class={`count chip round ${view === 'faults' || view === 'clock' ? 'warn' : ''}`}>
              {badges[view]}
            </span>
          )}
        </a>
      ))}
    </nav>
  );
};

/** Counts, and what makes the mock behave unusually. */
const useBadges = (): Readonly<Partial<Record<View, string>>> => {
  const faults = useLoaded<{ rules: readonly unknown[] }>('/faults', ['faults', 'requests']).data;
  const clock = useLoaded<ClockReading>('/clock', ['clock']).data;
  return {
    messages: useTotal('messages'),
    requests: useTotal('requests'),
    leads: useTotal('leads'),
    faults: badgeText(faults?.rules.length),
    clock: clock?.frozen ? 'frozen' : '',
  };
};

const useTotal = (view: ListView): string => {
  const { path, event } = views[view];
  return badgeText(useLoaded<{ readonly total: number }>(`${path}?limit=0`, [event]).data?.total);
};

const badgeText = (count = 0): string => (count > 0 ? count.toLocaleString('en') : '');
