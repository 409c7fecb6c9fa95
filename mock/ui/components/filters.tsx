import { useEffect, useRef, useState } from 'preact/hooks';
import { hrefOf, navigate, type Place, readPlace } from '../data/router.ts';
import { Button, Choice, type Options } from './controls.tsx';
import { Icon } from './icon.tsx';

/** A part of the address that filters a list. */
export type Filter = {
  readonly name: string;
  /** Of its field. A filter without a field is set by links. */
  readonly label?: string;
  /** What it is chosen from. A field without them is a checkbox. */
  readonly options?: Options;
  readonly title?: string;
};

type FieldProps = {
  readonly filter: Filter;
  readonly value: string | undefined;
  readonly choose: (value: string) => void;
};

const FilterField = ({ filter: { label, options, title }, value, choose }: FieldProps) => {
  if (label === undefined) return null;
  if (options) return <Choice label={label} value={value} options={options} choose={choose} />;
  return (
    <label class="line" title={title}>
      <input
        type="checkbox"
        checked={Boolean(value)}
        onChange={({ currentTarget }) => choose(currentTarget.checked ? 'true' : '')}
      />
      {label}
    </label>
  );
};

type FiltersProps = { readonly place: Place; readonly filters: readonly Filter[] };

/** The filters of a list beside its search, and a button that clears them. It names those without a field. */
export const Filters = ({ place: { view, query }, filters }: FiltersProps) => {
  const set = (change: Place['query']): void => {
    // The number of the page and what belongs to an item do not stay.
    const kept = filters.map(({ name }) => [name, query[name] ?? '']);
    const { q = '' } = query;
    navigate(hrefOf(view, undefined, { q, ...Object.fromEntries(kept), ...change }), 'replace');
  };
  const inUse = filters.filter(({ name }) => query[name]);
  const unnamed = inUse.filter(({ label }) => label === undefined).map(({ name }) => query[name]);
  return (
    <>
      {filters.map((filter) => (
        <FilterField
          key={filter.name}
          filter={filter}
          value={query[filter.name]}
          choose={(value) => set({ [filter.name]: value })}
        />
      ))}
      {inUse.length > 0 && (
        <Button
          icon="close"
          text={unnamed.join(', ') || undefined}
          title="Clear the filters"
          kind="small"
          onClick={() => set(Object.fromEntries(inUse.map(({ name }) => [name, ''])))}
        />
      )}
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
