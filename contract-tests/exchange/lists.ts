/** Items that match, and the others. */
export const divide = <Item>(items: readonly Item[], matches: (item: Item) => boolean): [Item[], Item[]] => [
  items.filter(matches),
  items.filter((item) => !matches(item)),
];

/** Groups items by a key, in the order in which the keys occur. */
export const groupBy = <Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> => {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
};
