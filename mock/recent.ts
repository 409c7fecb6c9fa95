/** Values by name, the most recently used ones only: what is forgotten is made again. */
export type Recent<Value> = { readonly get: (name: string) => Value; readonly size: () => number };

/** @param limit how many are kept; the least recently used is forgotten */
export const createRecent = <Value>(limit: number, make: (name: string) => Value): Recent<Value> => {
  const kept = new Map<string, Value>();
  let latest: { readonly name: string; readonly value: Value } | undefined;
  return {
    get: (name) => {
      if (latest?.name === name) return latest.value;
      const value = kept.get(name) ?? make(name);
      latest = { name, value };
      // Last in the map is the most recently used.
      kept.delete(name);
      kept.set(name, value);
      if (kept.size > limit) kept.delete(kept.keys().next().value ?? '');
      return value;
    },
    size: () => kept.size,
  };
};
