import { copyStart } from '../runtime/platform.ts';
import { type MailContents, readMail } from './contents.ts';
import { foldCase, wordsOf } from './search.ts';
import type { Message } from './template.ts';
import { findWarnings, type MessageWarning } from './warnings.ts';

/** A message with its text, links, possible one-time codes and warnings. */
export type CapturedMessage = Message &
  MailContents & {
    /** The beginning of its text, on one line. */
    readonly snippet: string;
    /** What is probably wrong with it. */
    readonly warnings: readonly MessageWarning[];
  };

/** What lists and searches need of a message. */
type Digest = Pick<CapturedMessage, 'snippet' | 'warnings'> & {
  /** Recipient, sender, subject, template and the beginning of its text, for comparison. */
  readonly folded: string;
};

const maxSnippetLength = 160;
const maxFoldedLength = 8 * 1024;

// A cache for the lifetime of the messages: a search while typing reads all of them at every character.
const digests = new WeakMap<Message, Digest>();

/** Read once: messages do not change. */
export const digestOf = (message: Message): Digest => {
  const known = digests.get(message);
  if (known) return known;
  const { to, from, subject, template_id, html } = message;
  const { contents, parts } = readMail(html ?? '');
  const line = contents.text.slice(0, maxFoldedLength).replace(/\n+/g, ' ');
  const searched = [to, from, subject, template_id, line].map(
    (text) => text?.slice(0, maxFoldedLength) ?? '',
  );
  const digest = {
    // Copies: a part of the text would keep all of it in memory.
    snippet: copyStart(line, maxSnippetLength),
    // Some letters become three.
    folded: copyStart(foldCase(searched.join('\n')), maxFoldedLength),
    warnings: findWarnings(message, parts),
  };
  digests.set(message, digest);
  return digest;
};

export const contentsOf = (message: Message): MailContents => readMail(message.html ?? '').contents;

/** Finds mails with each of the words in recipient, sender, subject, template or the beginning of the text. */
export const createTextSearch = (query: string): ((message: Message) => boolean) => {
  const words = wordsOf(query);
  return (message) => words.every((word) => digestOf(message).folded.includes(word));
};
