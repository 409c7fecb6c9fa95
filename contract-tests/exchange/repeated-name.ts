/**
 * Finds the first field name that occurs twice in one JSON object of `text`. `JSON.parse` accepts this: the last value wins,
 * while another parser may use the first. Expects valid JSON; returns a description, or `undefined`.
 */
export const repeatedName = (text: string): string | undefined => {
  // A set of names for each open object, `null` for an open array.
  const open: (Set<string> | null)[] = [];
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\]]/g)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (token.endsWith(':')) {
      const name = token.slice(0, token.lastIndexOf('"') + 1);
      const names = open.at(-1);
      if (names?.has(name)) return `the field ${name} twice`;
      names?.add(name);
    }
  }
  return undefined;
};
