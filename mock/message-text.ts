import { plainEntities, withoutEntities } from './html-entities.ts';
import type { Message } from './message.ts';

// Enough to find a mail by what it says, and to tell mails apart in a list.
const longestRead = 64 * 1024;
const longestKept = 8 * 1024;
const longestSnippet = 160;

// Kept beside the messages, for as long as they are: people type, and every letter searches all of them.
const texts = new WeakMap<Message, string>();

/** What a mail says, on one line. For searching and for lists; who wants to see the mail has its HTML. */
export const textOf = (message: Message): string => {
  const known = texts.get(message);
  if (known !== undefined) return known;
  const text = withoutMarkup((message.html ?? '').slice(0, longestRead)).slice(0, longestKept);
  texts.set(message, text);
  return text;
};

export const snippetOf = (message: Message): string => textOf(message).slice(0, longestSnippet);

/** Whether a word, or a few in that order, are in a mail: in its recipient, sender, subject or text. */
export const mentions = (message: Message, words: string): boolean => {
  const wanted = words.toLowerCase();
  const { to, from, subject, template_id } = message;
  return [to, from, subject, template_id, textOf(message)].some((text) =>
    text?.toLowerCase().includes(wanted),
  );
};

const unseen = /^(style|script|title|template)\b/i;
// Words go on across these.
const inline = /^<\/?(a|b|i|u|s|em|strong|span|small|font|code|mark|sub|sup)[\s/>]/;
const entities: Readonly<Record<string, string>> = {
  ...plainEntities,
  ndash: '–',
  mdash: '—',
  hellip: '…',
};

/** Step by step and never back, so that no mail, however it is made, takes long. */
const withoutMarkup = (html: string): string => {
  const lower = html.toLowerCase();
  const pieces: string[] = [];
  let at = 0;
  while (at < html.length) {
    const tag = html.indexOf('<', at);
    if (tag < 0) break;
    pieces.push(html.slice(at, tag), inline.test(lower.slice(tag, tag + 10)) ? '' : ' ');
    at = endOf(lower, tag);
  }
  return withoutEntities([...pieces, html.slice(at)].join(''), entities)
    .replace(/\s+/g, ' ')
    .trim();
};

/** Where what begins with this `<` ends: a comment, an element nobody sees, or a tag. */
const endOf = (lower: string, tag: number): number => {
  const [, name] = unseen.exec(lower.slice(tag + 1, tag + 12)) ?? [];
  if (lower.startsWith('<!--', tag)) return after(lower, '-->', tag);
  return after(lower, '>', name === undefined ? tag : lower.indexOf(`</${name}`, tag));
};

const after = (text: string, end: string, from: number): number => {
  const found = from < 0 ? -1 : text.indexOf(end, from);
  return found < 0 ? text.length : found + end.length;
};
