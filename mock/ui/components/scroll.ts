// Margin in px that shows that there is more beside.
const scrollMargin = 32;

/**
 * Scrolls a container as far as an element of it needs to be seen. Not `scrollIntoView`: Chromium then starts the next Tab at the
 * element, behind the "Skip to content" link.
 */
export const scrollInside = (container: HTMLElement, element: HTMLElement): void => {
  const outer = container.getBoundingClientRect();
  const inner = element.getBoundingClientRect();
  // The head of a list stays above its rows.
  const top = outer.top + (Number.parseFloat(getComputedStyle(container).scrollPaddingTop) || 0);
  container.scrollLeft +=
    Math.min(0, inner.left - outer.left - scrollMargin) +
    Math.max(0, inner.right - outer.right + scrollMargin);
  container.scrollTop += Math.min(0, inner.top - top) + Math.max(0, inner.bottom - outer.bottom);
};
