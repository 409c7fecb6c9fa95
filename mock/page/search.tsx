import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icons.tsx';
import { go, type Place, placeOf } from './location.ts';

type Props = { readonly place: Place; readonly label: string; readonly hint: string };

const pauseMs = 150;

/** Searches while one types. What is searched for is in the address, so that it can be kept and shared. */
export const Search = ({ place, label, hint }: Props) => {
  const { q = '' } = place.query;
  const [text, setText] = useState(q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setText(q), [q]);
  const search = (value: string, now = false): void => {
    setText(value);
    clearTimeout(timer.current);
    const { start: _start, ...rest } = place.query;
    const run = (): void => go(placeOf(place.view, undefined, { ...rest, q: value }), 'replace');
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
