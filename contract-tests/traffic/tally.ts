/** Counts equal items and keeps the first of them, up to a number of different ones. */
export const createTally = <Item extends object>(
  keyOf: (item: Item) => string,
  most = Number.POSITIVE_INFINITY,
) => {
  const counted = new Map<string, Item & { count: number }>();
  return {
    add: (item: Item): void => {
      const key = keyOf(item);
      const known = counted.get(key);
      if (known) known.count += 1;
      else if (counted.size < most) counted.set(key, { ...item, count: 1 });
    },
    list: (): readonly (Item & { readonly count: number })[] => [...counted.values()],
  };
};
