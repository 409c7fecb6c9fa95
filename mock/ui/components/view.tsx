import type { ComponentChildren } from 'preact';
import type { AdminApiError } from '../data/api.ts';
import { serverName } from '../data/router.ts';
import { useWorkspace } from '../data/workspace.ts';
import { CodeBlock } from './code-block.tsx';
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

type ViewProps = HeadProps & { readonly tools?: ComponentChildren };

/** A view without a list. */
export const View = ({ title, count, tools, children }: ViewProps) => (
  <section class="pane" aria-label={title}>
    <ViewHead title={title} count={count}>
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
      <p>{error ? `${error.message}. ${error.hint}` : `The ${serverName} does not respond.`}</p>
      {children}
    </Empty>
  );
};

/** A command to try, with a copy button. */
export const Command = ({ text }: { readonly text: string }) => (
  <div class="command box">
    <CodeBlock text={text} subject="the command" />
  </div>
);
