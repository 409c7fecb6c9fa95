import { isObject } from '../exchange/exchange.ts';
import type { SendOptions } from '../session/session.ts';

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, reversed(member)]);
  return Object.fromEntries(members.reverse());
};

const escaped = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Rewrites a body as equivalent JSON: white space, the order of members and unnecessary escapes have no meaning. */
export const inOtherWords = ({ body, ...rest }: SendOptions): SendOptions => ({
  ...rest,
  raw: JSON.stringify(reversed(body), null, 2)
    .replaceAll('/', '\\/')
    .replace(/(?<=": ")[A-Za-z]/, escaped),
});

/** What a request in such a form has. */
export const otherWords = 'a body with line breaks, escapes and another order of members';
