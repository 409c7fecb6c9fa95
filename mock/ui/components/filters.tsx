import { useEffect, useRef } from 'preact/hooks';
import { hrefOf, type Query, readPlace, usePlace } from '../data/router.ts';
import { Button, Choice, Icon, type Options } from './controls.tsx';

/** A part of the address that filters a list. */
export type Filter = {
  readonly name: string;
  /** The field, and what it is chosen from. A filter without a field is set by links. */
  readonly label?: string;
  readonly options?: Options;
};

/** Changes the query of the list. The open item is closed, and the first page shows. */
const setQuery = (changes: Query): void => {
  const { view, query } = readPlace();
  location.replace(hrefOf(view, undefined, { ...query, start: '', ...changes }));
};

/** The filters of a list beside its search, and a button that clears them. It names those without a field. */
export const Filters = ({ filters }: { readonly filters: readonly Filter[] }) => {
  const { query } = usePlace();
  const inUse = filters.filter(({ name }) => query[name]);
  const unnamed = inUse.filter(({ options }) => !options).map(({ name }) => query[name]);
  return (
    <>
      {filters.map(
        ({ name, label = name, options }) =>
          options && (
            <Choice
              key={name}
              label={label}
              value={query[name]}
              options={[['', `${label}: any`], ...options]}
              choose={(value) => setQuery({ [name]: value })}
            />
          ),
      )}
      {inUse.length > 0 && (
        <Button
          icon="close"
          text={unnamed.join(', ') || undefined}
          title="Clear the filters"
          kind="small"
          onClick={() => setQuery(Object.fromEntries(inUse.map(({ name }) => [name, ''])))}
        />
      )}
    </>
  );
};

type SearchProps = { readonly label: string; readonly hint: string };

const pauseMs = 150;

/** Searches while the user types. The query is in the URL, so that it can be saved and shared. */
export const Search = ({ label, hint }: SearchProps) => {
  const { q = '' } = usePlace().query;
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // While somebody types, the address follows the field. Otherwise the field follows the address.
    if (input.current && document.activeElement !== input.current) input.current.value = q;
  }, [q]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = (text: string, delayMs = pauseMs): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setQuery({ q: text }), delayMs);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!['Escape', 'Enter', 'ArrowDown'].includes(event.key)) return;
    event.preventDefault();
    if (event.key !== 'Escape') return document.querySelector<HTMLElement>('[data-row]')?.focus();
    if (input.current) input.current.value = '';
    input.current?.blur();
    search('', 0);
  };
  return (
    <search class="search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={hint}
        defaultValue={q}
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

const startOf = ({ start }: Query): number => Math.max(0, Math.trunc(Number(start) || 0));

const pageSize = 50;

/** The query of the admin API for the page of the list that is shown. */
export const listQuery = (query: Query, filters: readonly Filter[]): URLSearchParams => {
  const names = ['q', ...filters.map(({ name }) => name)];
  const chosen = names.map((name) => [name, query[name] ?? '']).filter(([, value]) => value !== '');
  return new URLSearchParams([['start', `${startOf(query)}`], ['limit', `${pageSize}`], ...chosen]);
};

/** Buttons for newer and older items, with the range that is shown. */
export const Pager = ({ total }: { readonly total: number }) => {
  const { view, query } = usePlace();
  const start = startOf(query);
  const turn = (to: number): void =>
    location.assign(hrefOf(view, undefined, { ...query, start: to > 0 ? String(to) : '' }));
  const end = start + pageSize;
  if (total <= pageSize && start === 0) return null;
  return (
    <nav class="pager line hint" aria-label="Pages">
      <span>
        {Math.min(start + 1, total)}–{Math.min(end, total)} of {total.toLocaleString('en')}
      </span>
      <Button
        icon="back"
        title="Newer"
        kind="small"
        disabled={start === 0}
        onClick={() => turn(start - pageSize)}
      />
      <Button icon="next" title="Older" kind="small" disabled={end >= total} onClick={() => turn(end)} />
    </nav>
  );
};
