import { useEffect, useRef } from 'preact/hooks';
import type { ClockReading } from '../nouns/clock.ts';
import { Icon } from './components/icon.tsx';
import { scrollInside } from './components/scroll.ts';
import { hrefOf, type View, viewNames } from './data/router.ts';
import { useLoaded } from './data/workspace.ts';
import { views } from './views/index.ts';

/** The navigation between the views. */
export const SideBar = ({ current }: { readonly current: View }) => {
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
  const clock = useLoaded<ClockReading>('/clock', ['clock']).data;
  return {
    messages: countText(messages?.total),
    requests: countText(requests?.total),
    leads: countText(leads?.total),
    faults: countText(faults?.rules.length),
    clock: clock?.frozen ? 'frozen' : '',
  };
};

const countText = (count = 0): string => (count > 0 ? count.toLocaleString('en') : '');
