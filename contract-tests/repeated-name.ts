/**
 * The first field name that a JSON object in `text` has twice, which `JSON.parse` passes over: the last value wins, and
 * another parser may take the first. Expects text that parses; returns a sentence, or `undefined`.
 */
export const repeatedName = (text: string): string | undefined => {
  // One set of names per open object, `null` for an open array.
  const open: (Set<string> | null)[] = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g)) {
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
