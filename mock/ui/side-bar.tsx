import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ClockReading } from '../nouns/clock.ts';
import { Icon, type IconName } from './components/controls.tsx';
import { Dialog } from './components/dialogs.tsx';
import { listWorkspaces, type WorkspaceSummary } from './data/api.ts';
import { hrefOf, navigate, type Place, type View, viewNames } from './data/router.ts';
import { useLoaded, useWorkspace } from './data/workspace.ts';
import { ClockView } from './views/clock.tsx';
import { Faults } from './views/faults.tsx';
import { Leads } from './views/leads.tsx';
import { Messages } from './views/messages/index.tsx';
import { Questions } from './views/questions.tsx';
import { Requests } from './views/requests/index.tsx';
import { StateView } from './views/state.tsx';
import { Templates } from './views/templates.tsx';

type ViewEntry = {
  readonly title: string;
  readonly icon: IconName;
  readonly Content: (props: { readonly place: Place }) => JSX.Element | null;
};

/** What the page shows for each view. */
export const views: Readonly<Record<View, ViewEntry>> = {
  messages: { title: 'Messages', icon: 'mail', Content: Messages },
  requests: { title: 'Requests', icon: 'swap', Content: Requests },
  leads: { title: 'Leads', icon: 'people', Content: Leads },
  templates: { title: 'Templates', icon: 'template', Content: Templates },
  questions: { title: 'Open questions', icon: 'question', Content: Questions },
  faults: { title: 'Faults', icon: 'bolt', Content: Faults },
  clock: { title: 'Clock', icon: 'clock', Content: ClockView },
  state: { title: 'State', icon: 'box', Content: StateView },
};

export const SideBar = ({ place }: { readonly place: Place }) => {
  const badges = useBadges();
  const bar = useRef<HTMLElement>(null);
  // On a narrow screen the sections scroll sideways.
  useEffect(() => {
    const current = bar.current?.querySelector<HTMLElement>(`[data-view=${place.view}]`);
    if (bar.current && current) scrollInside(bar.current, current);
    // Badges come later and move the sections.
  }, [place.view, JSON.stringify(badges)]);
  return (
    <nav class="side-bar" aria-label="Sections" ref={bar}>
      {viewNames.map((view) => (
        <a
          key={view}
          data-view={view}
          href={hrefOf(view)}
          title={views[view].title}
          {...(view === place.view ? { 'aria-current': 'page' as const } : {})}
        >
          <Icon name={views[view].icon} />
          <span class="title">{views[view].title}</span>
          {badges[view] !== undefined && <span class={`badge ${view}`}>{badges[view]}</span>}
        </a>
      ))}
    </nav>
  );
};

// Margin in px that shows that there are more sections.
const scrollMargin = 32;

// Not `scrollIntoView`: Chromium then starts the next Tab at the element, behind the "Skip to content" link.
const scrollInside = (container: HTMLElement, element: HTMLElement): void => {
  const outer = container.getBoundingClientRect();
  const inner = element.getBoundingClientRect();
  container.scrollLeft +=
    Math.min(0, inner.left - outer.left - scrollMargin) +
    Math.max(0, inner.right - outer.right + scrollMargin);
  container.scrollTop += Math.min(0, inner.top - outer.top) + Math.max(0, inner.bottom - outer.bottom);
};

type Total = { readonly total: number };

/** Counts, and anything that makes the mock behave unusually. */
const useBadges = (): Readonly<Partial<Record<View, string>>> => {
  const messages = useLoaded<Total>('/outbox?limit=0', ['outbox']).data;
  const requests = useLoaded<Total>('/requests?limit=0', ['requests']).data;
  const leads = useLoaded<Total>('/leads?limit=0', ['leads']).data;
  const faults = useLoaded<{ rules: readonly unknown[] }>('/faults', ['faults', 'requests']).data;
  const clock = useLoaded<ClockReading>('/clock', ['clock']).data;
  return {
    ...countBadge('messages', messages?.total),
    ...countBadge('requests', requests?.total),
    ...countBadge('leads', leads?.total),
    ...countBadge('faults', faults?.rules.length),
    ...(clock?.frozen ? { clock: 'frozen' } : {}),
  };
};

const countBadge = (view: View, count = 0): Partial<Record<View, string>> =>
  count > 0 ? { [view]: count.toLocaleString('en') } : {};

/** Shows another workspace in the same view. The open item is closed, because it belongs to the old workspace. */
const showWorkspace = (key: string): void => {
  const view = location.hash.split(/[?]/)[0]?.split('/', 2).join('/') ?? '';
  navigate(`?key=${encodeURIComponent(key)}${view}`);
};

const otherKey = '\0';

/** The keys used so far. Any other key can be entered. */
export const WorkspacePicker = () => {
  const { api } = useWorkspace();
  const [workspaces, setWorkspaces] = useState<readonly WorkspaceSummary[]>([]);
  const [isDialogOpen, setDialogOpen] = useState(false);
  const loadWorkspaces = (): void =>
    void listWorkspaces().then(
      ({ workspaces }) => setWorkspaces(workspaces),
      () => undefined,
    );
  const counts = new Map(workspaces.map((workspace) => [workspace.key, workspace]));
  const keys = [...new Set([api.key, ...counts.keys()])];
  return (
    <>
      <label class="workspace">
        <span>Workspace</span>
        <select
          aria-label="Workspace"
          value={api.key}
          onPointerDown={loadWorkspaces}
          onFocus={loadWorkspaces}
          onChange={({ currentTarget }) => {
            const { value } = currentTarget;
            currentTarget.value = api.key;
            if (value === otherKey) setDialogOpen(true);
            else showWorkspace(value);
          }}
        >
          {keys.map((key) => (
            <option key={key} value={key}>
              {labelOf(key, counts.get(key))}
            </option>
          ))}
          <option value={otherKey}>Other key…</option>
        </select>
      </label>
      {isDialogOpen && (
        <Dialog title="Other workspace" onClose={() => setDialogOpen(false)}>
          <KeyForm onDone={() => setDialogOpen(false)} />
        </Dialog>
      )}
    </>
  );
};

const labelOf = (key: string, workspace: WorkspaceSummary | undefined): string => {
  if (!workspace || workspace.messages + workspace.leads === 0) return key;
  return `${key} · ${workspace.messages} sent, ${workspace.leads} leads`;
};

const KeyForm = ({ onDone }: { readonly onDone: () => void }) => (
  <form
    class="key-form"
    onSubmit={(event) => {
      event.preventDefault();
      const key = new FormData(event.currentTarget).get('key');
      if (typeof key !== 'string' || key.trim() === '') return;
      onDone();
      showWorkspace(key.trim());
    }}
  >
    <p>Each API key has a workspace of its own. Which key does your app send?</p>
    <label class="field">
      <span>API key</span>
      <input name="key" placeholder="as your app sends it" autocomplete="off" spellcheck={false} autofocus />
    </label>
    <div class="dialog-actions">
      <button type="submit" class="button primary">
        Show
      </button>
    </div>
  </form>
);

type AskProps = {
  /** Which keys the mock accepts, if it refused the one in the URL. That one may be real and is not shown. */
  readonly rule?: string | undefined;
};

/** Shown if the URL has no accepted key and there is no default. */
export const AskForKey = ({ rule }: AskProps) => {
  const [usual, setUsual] = useState<string | null>(null);
  useEffect(() => {
    listWorkspaces().then(
      (list) => setUsual(list.default),
      () => undefined,
    );
  }, []);
  return (
    <main class="ask-key">
      <h1>email-leads</h1>
      {rule !== undefined && (
        <p class="key-problem" role="alert">
          <b>This mock does not accept the key in the address of the page.</b> {rule}
        </p>
      )}
      <KeyForm onDone={() => undefined} />
      {usual !== null && (
        <p>
          Or <a href={`?key=${encodeURIComponent(usual)}`}>show the workspace {usual}</a>
        </p>
      )}
    </main>
  );
};
