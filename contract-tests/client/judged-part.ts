import { isObject, type Response } from './exchange.ts';

// The bound on what is judged of one response. The work and the memory of every check are bounded by it, because no check sees
// more. §8 states no limits, so a deployment may exceed the bound: what is left out is counted and named in the report.

/** Items of the list `data`, and of any other list. */
const maxItems = 1_000;
/** Undocumented fields of one object. */
const maxFields = 200;
/** Values in one item of `data`, and in a whole body. */
const maxItemValues = 1_000;
const maxValues = 20_000;
/** UTF-16 units of all values together, and of one text. Regular expressions fail at texts of 8.4 million units. */
const maxCharacters = 4 * 2 ** 20;
const maxText = 2 * 2 ** 20;
/** Text that is kept of a body that is judged in part. */
const maxPartText = 64 * 2 ** 10;
/** Text that stays of any value. Undocumented fields with longer names are left out. */
const minText = 1_000;

/** These are never left out, because a check would report them as missing (§2.2, §2.3, §4). */
const documented: ReadonlySet<string> = new Set([
  ...['success', 'error', 'message', 'data', 'lead_id', 'name', 'source', 'note', 'created_at', 'updated_at'],
]);

type Body = Pick<Response, 'rawText' | 'json'>;

/** What is judged of a body, and a description of the rest if something is left out. */
export const judgedPart = ({ rawText, json }: Body): Body & Pick<Response, 'partlyJudged'> => {
  if (rawText.length <= maxValues) return { rawText, json }; // a value takes two characters at least
  const rest: Rest = { values: maxValues, characters: maxCharacters, cuts: [] };
  const part = partOf(json, 'the body', rest);
  if (rawText.length > maxText && rest.cuts.length === 0)
    noteCut(rest, { length: maxPartText }, rawText, 'characters', 'the body');
  if (rest.cuts.length === 0) return { rawText, json };
  return { rawText: cut(rawText, maxPartText), json: part, partlyJudged: rest.cuts.join(', ') };
};

/** How much may still be judged, and what was cut so far. */
type Rest = { values: number; characters: number; readonly cuts: string[] };

type Sized = { readonly length: number };

/** The most parts that are named; the others belong to the same defect. */
const maxNamed = 5;

const noteCut = ({ cuts }: Rest, part: Sized, whole: Sized, unit: string, place: string): void => {
  if (part.length < whole.length && cuts.length < maxNamed)
    cuts.push(`${part.length} of ${whole.length} ${unit} of ${place}`);
};

const partOf = (value: unknown, place: string, rest: Rest): unknown => {
  rest.values -= 1;
  if (typeof value === 'string') {
    const text = cut(value, Math.max(minText, Math.min(maxText, rest.characters)));
    rest.characters -= text.length;
    noteCut(rest, text, value, 'characters', place);
    return text;
  }
  if (Array.isArray(value)) {
    const items = place === 'data' ? wholeItems(value, rest) : firstItems(value, place, rest);
    noteCut(rest, items, value, 'items', place);
    return items;
  }
  return isObject(value) ? fieldsOf(value, place, rest) : value;
};

/**
 * Items of `data` are judged whole or not at all, because part of an item may be wrong where the item is right. Of a longer list
 * those with the first ids are taken: two lists in different order (§4.2 shows none) must not seem to have different templates.
 */
const wholeItems = (items: readonly unknown[], rest: Rest): unknown[] => {
  const taken = new Set<number>();
  for (const index of items.length > maxItems ? byId(items) : items.keys()) {
    const left = { ...rest, values: Math.min(maxItemValues, rest.values) };
    if (taken.size === maxItems || rest.values <= 0) break;
    if (!takeWhole(items[index], left)) continue;
    rest.values -= Math.min(maxItemValues, rest.values) - left.values;
    rest.characters = left.characters;
    taken.add(index);
  }
  return items.filter((_, index) => taken.has(index));
};

/** The indices of the items, in the order of their ids. */
const byId = (items: readonly unknown[]): number[] => {
  const ids = items.map((item) => (isObject(item) ? `${typeof item.id} ${JSON.stringify(item.id)}` : ''));
  const compare = (left = '', right = ''): number => (left < right ? -1 : Number(left > right));
  return [...items.keys()].sort((left, right) => compare(ids[left], ids[right]));
};

/** Takes a value with everything in it. @returns whether enough was left for it */
const takeWhole = (value: unknown, left: Rest): boolean => {
  left.values -= 1;
  if (typeof value === 'string') left.characters -= value.length;
  if (left.values < 0 || left.characters < 0) return false;
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inner]) => {
    left.characters -= name.length;
    return takeWhole(inner, left);
  });
};

/** A list that is not empty keeps an item, because an empty one would be judged differently. */
const firstItems = (items: readonly unknown[], place: string, rest: Rest): unknown[] => {
  const part: unknown[] = [];
  for (const item of items.slice(0, maxItems)) {
    if (rest.values <= 0 && part.length > 0) break;
    part.push(partOf(item, place, rest));
  }
  return part;
};

const fieldsOf = (value: Readonly<Record<string, unknown>>, place: string, rest: Rest): object => {
  const names = Object.keys(value);
  const isDocumented = (name: string): boolean =>
    (place === 'the body' || place === 'data') && documented.has(name);
  const others = names.filter((name) => !isDocumented(name) && name.length <= minText);
  const part: [string, unknown][] = [];
  for (const name of [...names.filter(isDocumented), ...others.slice(0, maxFields)]) {
    if (rest.values <= 0 && part.length > 0 && !isDocumented(name)) break;
    rest.characters -= name.length;
    part.push([name, partOf(value[name], place === 'the body' ? name.slice(0, 60) : 'an inner value', rest)]);
  }
  noteCut(rest, part, names, 'fields', place);
  return Object.fromEntries(part);
};

/** The beginning of a text, as a copy: a slice would keep the whole text in memory. */
const cut = (text: string, length: number): string =>
  text.length > length ? Buffer.from(text.slice(0, length), 'utf16le').toString('utf16le') : text;
