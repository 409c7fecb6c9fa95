import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { DropLimit } from '../../store/log.ts';
import type { AdminApiError, WorkspaceList } from '../data/api.ts';
import { hrefOf, isProxy, navigate, type Place, serverName } from '../data/router.ts';
import { useLoaded, useWorkspace } from '../data/workspace.ts';
import { CopyButton } from './code-block.tsx';
import { Icon, type IconName } from './controls.tsx';

export const pageSize = 50;

/** Buttons for newer and older items, with the range that is shown. */
export const Pager = ({ place, total }: { readonly place: Place; readonly total: number }) => {
  const start = startOf(place);
  const turn = (to: number): void =>
    navigate(hrefOf(place.view, undefined, { ...place.query, start: to > 0 ? String(to) : '' }));
  if (total <= pageSize && start === 0) return null;
  return (
    <nav class="pager" aria-label="Pages">
      <span>
        {Math.min(start + 1, total)}–{Math.min(start + pageSize, total)} of {total.toLocaleString('en')}
      </span>
      <PagerButton label="Newer" icon="back" disabled={start === 0} onClick={() => turn(start - pageSize)} />
      <PagerButton
        label="Older"
        icon="next"
        disabled={start + pageSize >= total}
        onClick={() => turn(start + pageSize)}
      />
    </nav>
  );
};

export const startOf = ({ query }: Place): number => {
  const start = Number(query.start ?? 0);
  return Number.isInteger(start) && start > 0 ? start : 0;
};

type PagerButtonProps = {
  readonly label: string;
  readonly icon: IconName;
  readonly disabled: boolean;
  readonly onClick: () => void;
};

const PagerButton = ({ label, icon, disabled, onClick }: PagerButtonProps) => (
  <button
    type="button"
    class="icon-button small"
    title={label}
    aria-label={label}
    disabled={disabled}
    onClick={onClick}
  >
    <Icon name={icon} />
  </button>
);

type RowProps = {
  readonly id: string;
  readonly href: string;
  readonly isOpen: boolean;
  readonly isFresh?: boolean;
  readonly children: ComponentChildren;
};

/** A row of a list. One that is opened, by a link or by a key, is scrolled into view. */
export const ListRow = ({ id, href, isOpen, isFresh = false, children }: RowProps) => {
  const element = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isOpen) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  return (
    <a
      ref={element}
      class={isFresh ? 'row fresh' : 'row'}
      data-row={id}
      href={href}
      {...(isOpen ? { 'aria-current': 'true' as const } : {})}
    >
      {children}
    </a>
  );
};

type EmptyProps = { readonly icon: IconName; readonly title: string; readonly children?: ComponentChildren };

export const Empty = ({ icon, title, children }: EmptyProps) => (
  <div class="empty">
    <Icon name={icon} />
    <h2>{title}</h2>
    {children}
  </div>
);

type UnavailableProps = {
  readonly error?: AdminApiError | undefined;
  readonly children?: ComponentChildren;
};

/** Shown instead of missing data: the reason, or nothing while they are loading. */
export const Unavailable = ({ error, children }: UnavailableProps) => {
  const { connection } = useWorkspace();
  if (!error && connection.state !== 'lost') return null;
  return (
    <Empty icon="warn" title="Not loaded">
      <p>{error ? `${error.message}. ${error.hint}` : `The ${serverName} does not respond.`}</p>
      {children}
    </Empty>
  );
};

/** A command to try, with a copy button. */
export const Command = ({ text }: { readonly text: string }) => (
  <div class="command">
    <pre>{text}</pre>
    <CopyButton text={text} subject="the command" />
  </div>
);

type HeadProps = {
  readonly title: string;
  readonly count?: number | undefined;
  readonly children?: ComponentChildren;
};

/** The header of a view: title, count and actions. */
export const ViewHead = ({ title, count, children }: HeadProps) => (
  <div class="view-head">
    <h1>
      {title}
      {count !== undefined && <span class="count">{count.toLocaleString('en')}</span>}
    </h1>
    {children}
  </div>
);

type DroppedProps = {
  readonly store: string;
  readonly page: { readonly dropped: number; readonly dropped_by: DropLimit | null } | undefined;
  readonly limits: Readonly<Record<DropLimit, string>>;
};

/** Tells that the oldest items were dropped, and because of which limit. */
export const Dropped = ({ store, page, limits }: DroppedProps) => {
  if (!page?.dropped_by) return null;
  return (
    <p class="hint">
      The {store} was full ({limits[page.dropped_by]}): {page.dropped.toLocaleString('en')} of the oldest were
      dropped.
    </p>
  );
};

export const countText = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

/** Tells that requests without an accepted key arrived, which belong to no workspace. */
export const Unclaimed = () => {
  const path = isProxy ? undefined : '/requests?unmatched=true&unclaimed=true&limit=0';
  const total = useLoaded<{ readonly total: number }>(path, ['elsewhere']).data?.total ?? 0;
  if (total === 0) return null;
  return (
    <p class="hint">
      {countText(total, 'request')} came without an accepted key:{' '}
      <a href={hrefOf('requests', undefined, { unmatched: 'true' })}>show {total === 1 ? 'it' : 'them'}</a>
    </p>
  );
};

type CountedView = 'messages' | 'requests' | 'leads';
const nouns = { messages: 'message', requests: 'request', leads: 'lead' } as const;
const maxOthers = 3;

/** For an empty list: links to unclaimed requests and other workspaces, where the missing items may be. */
export const Elsewhere = ({ view }: { readonly view: CountedView }) => {
  const { api } = useWorkspace();
  const path = isProxy ? undefined : '/workspaces';
  const workspaces = useLoaded<WorkspaceList>(path, ['elsewhere']).data?.workspaces ?? [];
  const others = workspaces
    .filter((other) => other.key !== api.key && other[view] + other.requests > 0)
    .sort((a, b) => Number(b[view] > 0) - Number(a[view] > 0));
  return (
    <div class="elsewhere" role="status">
      <Unclaimed />
      {others.slice(0, maxOthers).map((other) => {
        // Requests without a message or a lead may show why there is none.
        const shown = other[view] > 0 ? view : 'requests';
        return (
          <p key={other.key} class="hint">
            The workspace <code>{other.key}</code> has {countText(other[shown], nouns[shown])}:{' '}
            <a href={`?key=${encodeURIComponent(other.key)}${hrefOf(shown)}`}>switch to it</a>
          </p>
        );
      })}
      {others.length > maxOthers && (
        <p class="hint">{countText(others.length - maxOthers, 'more workspace')} in the list at the top</p>
      )}
    </div>
  );
};
