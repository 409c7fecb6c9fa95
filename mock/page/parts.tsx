import type { ComponentChildren } from 'preact';
import { CopyButton } from './copy.tsx';
import { Icon, type IconName } from './icons.tsx';
import { go, type Place, placeOf } from './location.ts';

export const pageSize = 50;

/** Newer and older, with what is shown of how many. */
export const Pager = ({ place, total }: { readonly place: Place; readonly total: number }) => {
  const start = startOf(place);
  const turn = (to: number): void =>
    go(placeOf(place.view, undefined, { ...place.query, start: to > 0 ? String(to) : '' }));
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

type EmptyProps = { readonly icon: IconName; readonly title: string; readonly children?: ComponentChildren };

export const Empty = ({ icon, title, children }: EmptyProps) => (
  <div class="empty">
    <Icon name={icon} />
    <h2>{title}</h2>
    {children}
  </div>
);

/** A command to try, with a button that copies it. */
export const Command = ({ text }: { readonly text: string }) => (
  <div class="command">
    <pre>{text}</pre>
    <CopyButton text={text} what="the command" />
  </div>
);

type HeadProps = {
  readonly title: string;
  readonly count?: number | undefined;
  readonly children?: ComponentChildren;
};

/** The line above a view: what it is, how much there is, what can be done. */
export const ViewHead = ({ title, count, children }: HeadProps) => (
  <div class="view-head">
    <h1>
      {title}
      {count !== undefined && <span class="count">{count.toLocaleString('en')}</span>}
    </h1>
    {children}
  </div>
);
