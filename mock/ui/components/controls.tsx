import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { hrefOf, navigate, type Place, readPlace } from '../data/router.ts';
import { useStored } from '../data/stored.ts';
import { Icon, type IconName } from './icon.tsx';

type ButtonProps = JSX.IntrinsicElements['button'] & {
  readonly icon?: IconName | undefined;
  /** The text of the button. Without it, only the icon shows, and the title names the button. */
  readonly text?: string | undefined;
  readonly kind?: 'small' | 'primary' | 'danger' | 'danger small' | 'danger-solid' | '';
};

export const Button = ({ icon, text, title, kind = '', ...rest }: ButtonProps) => (
  <button
    type="button"
    class={`${text === undefined ? 'icon-button' : 'button'} ${kind}`}
    title={title}
    aria-label={text === undefined ? title : undefined}
    {...rest}
  >
    {icon && <Icon name={icon} />}
    {text !== undefined && <span>{text}</span>}
  </button>
);

type ChoiceProps = {
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [value: string, title: string])[];
  readonly choose: (value: string) => void;
};

export const Choice = ({ label, value, options, choose }: ChoiceProps) => (
  <select
    aria-label={label}
    value={value ?? ''}
    onChange={({ currentTarget }) => choose(currentTarget.value)}
  >
    {options.map(([option, title]) => (
      <option key={option} value={option}>
        {title}
      </option>
    ))}
  </select>
);

type TabsProps<T extends string> = {
  /** Of the choice, which is kept in this browser. */
  readonly name: string;
  readonly label: string;
  readonly tabs: Readonly<Record<T, readonly [title: string, content: () => ComponentChildren]>>;
};

/** Tabs according to the ARIA practices: one tab stop; arrows, Home and End move inside. */
export const Tabs = <T extends string>({ name, label, tabs }: TabsProps<T>) => {
  const list = useRef<HTMLDivElement>(null);
  const names = Object.keys(tabs) as T[];
  const [chosen, choose] = useStored(name, names);
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
        {names.map((tab) => (
          <button
            key={tab}
            type="button"
            role="tab"
            id={`tab-${tab}`}
            aria-controls="tab-panel"
            aria-selected={tab === chosen}
            tabIndex={tab === chosen ? 0 : -1}
            onClick={() => choose(tab)}
          >
            {tabs[tab][0]}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id="tab-panel" aria-labelledby={`tab-${chosen}`}>
        {tabs[chosen][1]()}
      </div>
    </>
  );
};

type SearchProps = { readonly place: Place; readonly label: string; readonly hint: string };

const pauseMs = 150;

/** Searches while the user types. The query is in the URL, so that it can be saved and shared. */
export const Search = ({ place, label, hint }: SearchProps) => {
  const { q = '' } = place.query;
  const [text, setText] = useState(q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const written = useRef(q);
  useEffect(() => {
    // The query that this field wrote itself may be older than its text: the user types on.
    if (q === written.current) return;
    written.current = q;
    clearTimeout(timer.current);
    setText(q);
  }, [q]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = (value: string, delayMs = pauseMs): void => {
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      // Reads the URL now: a filter may have been chosen during the delay.
      const { start: _start, ...rest } = readPlace(location).query;
      written.current = value;
      navigate(hrefOf(place.view, undefined, { ...rest, q: value }), 'replace');
    }, delayMs);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!['Escape', 'Enter', 'ArrowDown'].includes(event.key)) return;
    event.preventDefault();
    if (event.key !== 'Escape') return document.querySelector<HTMLElement>('[data-row]')?.focus();
    if (text !== '') search('', 0);
    (event.currentTarget as HTMLInputElement).blur();
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
        onKeyDown={onKeyDown}
      />
      <span class="key" aria-hidden="true">
        /
      </span>
    </search>
  );
};
