import { useEffect, useRef } from 'preact/hooks';

type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const typing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;

/** Single keys, as long as nobody is typing, no dialog is open and no modifier is held. */
export const useKeys = (keys: Keys): void => {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (typing(event.target) || document.querySelector('dialog[open]')) return;
      latest.current[event.key]?.(event);
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
};

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-row]')];

/** The row with the focus, else the open one. */
export const currentRow = (): HTMLElement | undefined => {
  const focused = document.activeElement?.closest<HTMLElement>('[data-row]');
  return focused ?? rows().find((row) => row.hasAttribute('aria-current'));
};

/** Moves to the row below or above; where a row is open, the next one opens. */
const move = (step: 1 | -1): void => {
  const all = rows();
  const current = currentRow();
  const at = current ? all.indexOf(current) + step : 0;
  const row = all[Math.min(Math.max(at, 0), all.length - 1)];
  row?.focus();
  row?.scrollIntoView({ block: 'nearest' });
  if (row && row !== current && all.some((other) => other.hasAttribute('aria-current'))) row.click();
};

/** `j`, `k` anywhere; the arrows only inside the list, elsewhere they scroll. */
export const useRowKeys = (): void => {
  const arrow = (step: 1 | -1) => (event: KeyboardEvent) => {
    if (!document.activeElement?.closest('[data-row]')) return;
    event.preventDefault();
    move(step);
  };
  useKeys({ j: () => move(1), k: () => move(-1), ArrowDown: arrow(1), ArrowUp: arrow(-1) });
};
