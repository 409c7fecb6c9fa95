import { numberOfId } from '../store/ids.ts';
import { StateError } from '../validation/schema-errors.ts';

/**
 * Gives ids to the items of a state without one, and finds the highest number in an id, from that of an earlier workspace on.
 * @throws StateError for an id that is there twice
 */
export const nameItems = <
  Field extends string,
  Item extends { readonly [Name in Field]?: string | undefined },
>(
  at: string,
  items: readonly Item[],
  field: Field,
  idOf: (number: number) => string,
  counted: number,
) => {
  const used = new Set<string>();
  let lastNumber = counted;
  for (const [index, { [field]: id }] of items.entries()) {
    if (id === undefined) continue;
    if (used.has(id)) throw new StateError(`${at}/${index}/${field}`, 'is there twice');
    used.add(id);
    lastNumber = Math.max(lastNumber, numberOfId(id));
  }
  const next = (): string => {
    // Not every form of id shows its number.
    do lastNumber += 1;
    while (used.has(idOf(lastNumber)));
    return idOf(lastNumber);
  };
  const named = items.map((item) => (item[field] === undefined ? { ...item, [field]: next() } : item));
  return { named: named as (Item & { readonly [Name in Field]: string })[], lastNumber };
};
