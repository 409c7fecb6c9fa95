import type { Message } from '../outbox.ts';
import { mailDate } from '../state.ts';
import { headerText, percentEncoded } from './mail-header.ts';
import type { AdminReply } from './route.ts';

/**
 * The message as a mail program opens it. What is in `to` or `from` and is no address stands in `X-To-As-Sent` or
 * `X-From-As-Sent`: as an address it would name somebody else, or nobody. nodemailer is loaded on first use and never
 * fetches what a mail names.
 */
export const eml = async (message: Message): Promise<AdminReply> => {
  const { id, from, to, subject, html, created_at } = message;
  const { default: nodemailer } = await import('nodemailer');
  const { default: parse } = await import('nodemailer/lib/addressparser');
  const people = Object.entries({ from, to }).flatMap(([name, text]) =>
    text === null ? [] : [{ name, text, addressed: isAddressed(text, parse(text)) }],
  );
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const sent = await composer.sendMail({
    ...Object.fromEntries(people.flatMap(({ name, text, addressed }) => (addressed ? [[name, text]] : []))),
    headers: Object.fromEntries([
      ...people.flatMap(({ name, text, addressed }) =>
        addressed ? [] : [[`x-${name}-as-sent`, prepared(text)]],
      ),
      ...(subject === null ? [] : [['subject', prepared(subject)]]),
    ]),
    // A line break of a page is that of a mail; a bare carriage return is neither.
    html: (html ?? '').replaceAll(/\r\n?/g, '\n'),
    date: mailDate(withoutLeap(created_at)),
    messageId: `<${percentEncoded(id)}@email-leads.invalid>`,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    headers: {
      'content-type': 'message/rfc822',
      'content-disposition': attachment(id),
      'x-content-type-options': 'nosniff',
    },
    body: String(sent.message),
  };
};

type Parsed = { readonly address?: string | undefined; readonly group?: unknown };

// Beyond this an address makes a line that is too long for a mail (RFC 5322: 998).
const longestAddress = 320;

/** Whether a text is nothing but addresses: no groups, no line breaks, nothing that is left over. */
const isAddressed = (text: string, parsed: readonly Parsed[]): boolean =>
  parsed.length > 0 &&
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be in a header.
  !/[\u0000-\u001f\u007f]/.test(text) &&
  parsed.every(({ address = '' }) => address.length <= longestAddress && /^[!-~]+@[^\s@]+$/.test(address));

const prepared = (text: string) => ({ prepared: true, foldLines: true, value: headerText(text) });

// A state may name a leap second, which JavaScript's dates have not.
const withoutLeap = (time: string): string => time.replace(/:60(?=[.Z+-])/i, ':59');

/** Names the file after the message, where old clients can read that; others know it from the second name. */
const attachment = (id: string): string => {
  if (/^[\w.-]{1,100}$/.test(id)) return `attachment; filename="${id}.eml"`;
  return `attachment; filename="message.eml"; filename*=UTF-8''${percentEncoded(id)}.eml`;
};
