import type { Answers } from '../generated/questions.ts';

/**
 * The number in an id of the forms that the mock creates; 0 for any other id. At most one digit less than counters in a state
 * file, so that no id can exhaust them.
 */
export const numberOfId = (id: string): number =>
  Number(/^(?:lead_|msg_|req_)?(\d{1,14})$/.exec(id)?.[1] ?? 0);

const zeroPad = (number: number): string => String(number).padStart(6, '0');

export const messageId = (number: number): string => `msg_${zeroPad(number)}`;

export const requestId = (number: number): string => `req_${zeroPad(number)}`;

/** Of a request without an accepted key. */
export const unclaimedId = (number: number): string => `unclaimed_${zeroPad(number)}`;

// For forms of ids that look random. The digits are the same in every run.
const randomHex = (key: string, number: number): string =>
  pseudoRandom(`${key}\n${number}`)
    .map((part) => part.toString(16).padStart(8, '0'))
    .join('');

const uuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;

export const leadId = (format: Answers['lead.id-format'], key: string, number: number): string => {
  if (format === 'integer') return String(number);
  if (format === 'opaque') return randomHex(key, number).slice(0, 22);
  if (format === 'uuid') return uuid(randomHex(key, number));
  return `lead_${zeroPad(number)}`;
};

// Odd and far apart (the factors of bryc's cyrb128), one for each lane.
const factors = [597399067, 2869860233, 951274213, 2716044179];

/**
 * Four 32-bit numbers that look random and are the same in every run and on every platform: for ids, cursors and delays, not
 * for secrets. Each lane hashes the text with its own factor and ends like MurmurHash3.
 */
export const pseudoRandom = (text: string): number[] => factors.map((factor) => hash(text, factor));

const hash = (text: string, factor: number): number => {
  let bits = factor;
  for (let at = 0; at < text.length; at += 1) {
    bits = Math.imul(bits ^ text.charCodeAt(at), factor);
    bits ^= bits >>> 15;
  }
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
};

/** Gives ids to the items of a state without one, and finds the highest number in an id, from that of an earlier workspace on. */
export const nameItems = <
  Field extends string,
  Item extends { readonly [Name in Field]?: string | undefined },
>(
  items: readonly Item[],
  field: Field,
  idOf: (number: number) => string,
  counted: number,
) => {
  const used = new Set<string | undefined>(items.map(({ [field]: id }) => id));
  let lastNumber = items.reduce((max, { [field]: id = '' }) => Math.max(max, numberOfId(id)), counted);
  const next = (): string => {
    // Not every form of id shows its number.
    do lastNumber += 1;
    while (used.has(idOf(lastNumber)));
    return idOf(lastNumber);
  };
  const named = items.map((item) => (item[field] === undefined ? { ...item, [field]: next() } : item));
  return { named: named as (Item & { readonly [Name in Field]: string })[], lastNumber };
};
