/**
 * Tells whether a concrete path is one of a path template: `{id}` stands for at least one character of one segment. Without
 * a regular expression, as whoever writes the template could make one that never ends.
 */
export const pathMatcher = (template: string): ((path: string) => boolean) => {
  const wanted = template.split('/').map((segment) => segment.split(/\{[^{}]+\}/));
  return (path) => {
    const segments = path.split('/');
    return (
      segments.length === wanted.length && wanted.every((texts, at) => fits(texts, segments[at] as string))
    );
  };
};

// Each text at the first place where it can be: what is left for those after it is never less than elsewhere.
const fits = (texts: readonly string[], segment: string): boolean => {
  if (texts.length === 1) return segment === texts[0];
  const [first, last] = [texts[0] as string, texts.at(-1) as string];
  const end = segment.length - last.length;
  let at = first.length;
  for (const text of texts.slice(1, -1)) {
    const found = segment.indexOf(text, at + 1);
    if (found < 0) return false;
    at = found + text.length;
  }
  return at < end && segment.startsWith(first) && segment.endsWith(last);
};
