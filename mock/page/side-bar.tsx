import { useEffect, useRef } from 'preact/hooks';
import { Icon, type IconName } from './icons.tsx';
import { type Place, placeOf, type View } from './location.ts';
import type { Clock } from './time.tsx';
import { useLoaded } from './workspace.ts';

type Entry = { readonly view: View; readonly title: string; readonly icon: IconName };

const entries: readonly Entry[] = [
  { view: 'messages', title: 'Messages', icon: 'mail' },
  { view: 'requests', title: 'Requests', icon: 'swap' },
  { view: 'leads', title: 'Leads', icon: 'people' },
  { view: 'templates', title: 'Templates', icon: 'template' },
  { view: 'questions', title: 'Open questions', icon: 'question' },
  { view: 'faults', title: 'Faults', icon: 'bolt' },
  { view: 'clock', title: 'Clock', icon: 'clock' },
  { view: 'state', title: 'State', icon: 'box' },
];

export const SideBar = ({ place }: { readonly place: Place }) => {
  const badges = useBadges();
  const bar = useRef<HTMLElement>(null);
  // On a phone the sections scroll sideways.
  useEffect(() => {
    const current = bar.current?.querySelector(`[data-view=${place.view}]`);
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [place.view]);
  return (
    <nav class="side-bar" aria-label="Sections" ref={bar}>
      {entries.map(({ view, title, icon }) => (
        <a
          key={view}
          data-view={view}
          href={placeOf(view)}
          title={title}
          {...(view === place.view ? { 'aria-current': 'page' as const } : {})}
        >
          <Icon name={icon} />
          <span class="title">{title}</span>
          {badges[view] !== undefined && <span class={`badge ${view}`}>{badges[view]}</span>}
        </a>
      ))}
    </nav>
  );
};

type Total = { readonly total: number };

/** What is worth knowing without going there: how much there is, and what makes the mock behave unusually. */
const useBadges = (): Readonly<Partial<Record<View, string>>> => {
  const messages = useLoaded<Total>('/outbox?limit=0', ['outbox']).data;
  const requests = useLoaded<Total>('/requests?limit=0', ['requests']).data;
  const leads = useLoaded<Total>('/leads?limit=0', ['leads']).data;
  const faults = useLoaded<{ rules: readonly unknown[] }>('/faults', ['faults', 'requests']).data;
  const clock = useLoaded<Clock>('/clock', ['clock']).data;
  return {
    ...counted('messages', messages?.total),
    ...counted('requests', requests?.total),
    ...counted('leads', leads?.total),
    ...counted('faults', faults?.rules.length),
    ...(clock?.frozen ? { clock: 'frozen' } : {}),
  };
};

const counted = (view: View, count = 0): Partial<Record<View, string>> =>
  count > 0 ? { [view]: count.toLocaleString('en') } : {};
