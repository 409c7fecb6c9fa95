import { contentsOf, type MailContents } from '../mail-contents.ts';
import type { Message } from '../message.ts';
import type { CapturedMessage } from './mock-workspace.ts';

/** A copy of a message with what a test looks for in it, looked for when it is asked for: a list may hold a thousand mails. */
export const captured = (message: Message): CapturedMessage => {
  let found: MailContents | undefined;
  const contents = (): MailContents => {
    found ??= contentsOf(message.html);
    return found;
  };
  return Object.defineProperties(structuredClone(message), {
    links: { enumerable: true, get: () => [...contents().links] },
    codes: { enumerable: true, get: () => [...contents().codes] },
  }) as CapturedMessage;
};
