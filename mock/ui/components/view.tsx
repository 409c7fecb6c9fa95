import type { ComponentChildren } from 'preact';
import type { AdminApiError, LiveKind } from '../data/api.ts';
import { serverName } from '../data/router.ts';
import { type View, views } from '../data/views.ts';
import { useLoaded, useWorkspace } from '../data/workspace.ts';
import { Icon, type IconName } from './icon.tsx';

type HeadProps = {
  readonly title: string;
  readonly count?: number | undefined;
  readonly children?: ComponentChildren;
};

/** The header of a view: title, count, search and actions. */
export const ViewHead = ({ title, count, children }: HeadProps) => (
  <div class="view-head line">
    <h1 class="line">
      {title}
      {count !== undefined && <span class="count chip round">{count.toLocaleString('en')}</span>}
    </h1>
    {children}
  </div>
);

type ViewProps = Omit<HeadProps, 'title'> & { readonly view: View; readonly tools?: ComponentChildren };

/** A view without a list. */
export const Page = ({ view, count, tools, children }: ViewProps) => (
  <section class="pane" aria-label={views[view].title}>
    <ViewHead title={views[view].title} count={count}>
      {tools}
    </ViewHead>
    {children}
  </section>
);

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
      <p>{error ? error.text : `The ${serverName} does not respond.`}</p>
      {children}
    </Empty>
  );
};

type LoadedProps<T> = {
  readonly path: string;
  /** What loads it again. */
  readonly events: readonly LiveKind[];
  /** Shown if there is nothing at the path. */
  readonly missing?: ComponentChildren;
  /** Below the reason why it is not loaded. */
  readonly action?: ComponentChildren;
  readonly children: (data: T) => ComponentChildren;
};

/** What the admin API has at a path, or why it is not shown. */
export const Loaded = <T,>({ path, events, missing, action, children }: LoadedProps<T>) => {
  const { data, error } = useLoaded<T>(path, events);
  if (data !== undefined) return <>{children(data)}</>;
  if (missing && error?.status === 404) return <>{missing}</>;
  return <Unavailable error={error}>{action}</Unavailable>;
};
