import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { hrefOf, navigate, type Place, readPlace } from '../data/router.ts';

// Inline, with one stroke width and 24 × 24, so that no icon is loaded.
const paths = {
  mail: 'M3 7l9 6 9-6M3 6h18v12H3z',
  swap: 'M4 8h14l-4-4M20 16H6l4 4',
  people:
    'M9 11a3.5 3.5 0 100-7 3.5 3.5 0 000 7zM2.5 20c0-3.6 2.9-6 6.5-6s6.5 2.4 6.5 6M16 4.5a3.5 3.5 0 010 6.2M18.5 14.6c2 .9 3 2.9 3 5.4',
  template: 'M4 4h16v5H4zM4 13h7v7H4zM15 13h5M15 16.5h5M15 20h5',
  question: 'M9 9a3 3 0 113.8 2.9c-.6.3-.8.8-.8 1.6M12 17.2v.1M12 21a9 9 0 100-18 9 9 0 000 18z',
  bolt: 'M13 3L5 14h6l-1 7 8-11h-6z',
  clock: 'M12 7v5l3.2 2M12 21a9 9 0 100-18 9 9 0 000 18z',
  box: 'M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8',
  search: 'M11 18a7 7 0 100-14 7 7 0 000 14zM20 20l-4-4',
  trash: 'M4 7h16M10 11v6M14 11v6M6 7l1 13h10l1-13M9 7V4h6v3',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  download: 'M12 4v11M7.5 11L12 15.5 16.5 11M4 20h16',
  upload: 'M12 16V5M7.5 9L12 4.5 16.5 9M4 20h16',
  link: 'M10 14a4 4 0 005.7 0l3-3a4 4 0 00-5.7-5.7l-1 1M14 10a4 4 0 00-5.7 0l-3 3a4 4 0 005.7 5.7l1-1',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  back: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
  close: 'M6 6l12 12M18 6L6 18',
  phone: 'M8 3h8v18H8zM11.5 18h1',
  tablet: 'M5 3h14v18H5zM11.5 18h1',
  desktop: 'M3 4h18v12H3zM9 20h6M12 16v4',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9.5v.1',
  sun: 'M12 16a4 4 0 100-8 4 4 0 000 8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
  moon: 'M19.5 14.5A8 8 0 019.5 4.5a8 8 0 1010 10z',
  contrast: 'M12 21a9 9 0 100-18 9 9 0 000 18zM12 3v18M12 8h7.5M12 12h9M12 16h7.5',
  keyboard: 'M3 6h18v12H3zM7 10h.1M11 10h.1M15 10h.1M17 14h.1M7 14h7',
  reset: 'M4 5v5h5M4.6 10a8 8 0 11-.4 4',
  warn: 'M12 4l9 16H3zM12 10v4.5M12 17.3v.1',
} as const;

export type IconName = keyof typeof paths;

/** A decorative icon. Text beside it or a label has the same meaning. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);

type TabsProps<T extends string> = {
  readonly label: string;
  readonly names: readonly T[];
  readonly titles: Readonly<Record<T, string>>;
  readonly chosen: T;
  readonly choose: (name: T) => void;
  readonly children: ComponentChildren;
};

/** Tabs according to the ARIA practices: one tab stop; arrows, Home and End move inside. */
export const Tabs = <T extends string>({ label, names, titles, chosen, choose, children }: TabsProps<T>) => {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = names.indexOf(chosen);
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    choose(names.at(step % names.length) ?? chosen);
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus());
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {names.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-controls="tab-panel"
            aria-selected={name === chosen}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => choose(name)}
          >
            {titles[name]}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id="tab-panel" aria-labelledby={`tab-${chosen}`}>
        {children}
      </div>
    </>
  );
};

type Props = { readonly place: Place; readonly label: string; readonly hint: string };

const pauseMs = 150;

/** Searches while the user types. The query is in the URL, so that it can be saved and shared. */
export const Search = ({ place, label, hint }: Props) => {
  const { q = '' } = place.query;
  const [text, setText] = useState(q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setText(q), [q]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = (value: string, now = false): void => {
    setText(value);
    clearTimeout(timer.current);
    const run = (): void => {
      // Reads the URL now: a filter may have been chosen during the delay.
      const { start: _start, ...rest } = readPlace(location).query;
      navigate(hrefOf(place.view, undefined, { ...rest, q: value }), 'replace');
    };
    if (now) run();
    else timer.current = setTimeout(run, pauseMs);
  };
  return (
    <search class="search">
      <Icon name="search" />
      <input
        type="search"
        aria-label={label}
        placeholder={hint}
        value={text}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => search(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.preventDefault();
            if (text !== '') search('', true);
            event.currentTarget.blur();
          }
          if (event.key === 'Enter' || event.key === 'ArrowDown') {
            event.preventDefault();
            document.querySelector<HTMLElement>('[data-row]')?.focus();
          }
        }}
      />
      <span class="key" aria-hidden="true">
        /
      </span>
    </search>
  );
};
