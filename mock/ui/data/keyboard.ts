import { useEffect, useRef } from 'preact/hooks';

type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;

/** Handles single keys, except in text fields, in dialogs and with modifiers. */
export const useKeys = (keys: Keys): void => {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || document.querySelector('dialog:is([open], :popover-open)')) return;
      latest.current[event.key]?.(event);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
};

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-row]')];

/** The focused row, else the open row. */
export const currentRow = (): HTMLElement | undefined => {
  const focused = document.activeElement?.closest<HTMLElement>('[data-row]');
  return focused ?? rows().find((row) => row.hasAttribute('aria-current'));
};

/** Focuses the next or previous row. If a row is open, the new row is opened. */
const move = (step: 1 | -1): void => {
  const all = rows();
  const current = currentRow();
  const at = current ? all.indexOf(current) + step : 0;
  const row = all[Math.min(Math.max(at, 0), all.length - 1)];
  row?.focus();
  row?.scrollIntoView({ block: 'nearest' });
  if (row && row !== current && all.some((candidate) => candidate.hasAttribute('aria-current'))) row.click();
};

/** `j` and `k` work everywhere; arrow keys work only inside the list, elsewhere they scroll. */
export const useRowKeys = (): void => {
  const arrow = (step: 1 | -1) => (event: KeyboardEvent) => {
    if (!document.activeElement?.closest('[data-row]')) return;
    event.preventDefault();
    move(step);
  };
  useKeys({ j: () => move(1), k: () => move(-1), ArrowDown: arrow(1), ArrowUp: arrow(-1) });
};

/**
 * Scrolls a container as far as an element of it needs to be seen. Not `scrollIntoView`: Chromium then starts the next Tab at the
 * element, behind the "Skip to content" link.
 */
export const scrollInside = (container: HTMLElement, element: HTMLElement): void => {
  const outer = container.getBoundingClientRect();
  const inner = element.getBoundingClientRect();
  // The head of a list stays above its rows.
  const top = outer.top + (Number.parseFloat(getComputedStyle(container).scrollPaddingTop) || 0);
  container.scrollLeft += Math.min(0, inner.left - outer.left) + Math.max(0, inner.right - outer.right);
  container.scrollTop += Math.min(0, inner.top - top) + Math.max(0, inner.bottom - outer.bottom);
};
