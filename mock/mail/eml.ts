import type { encodeWord as EncodeWord } from 'nodemailer/lib/mime-funcs';
import type { Message } from './template.ts';

// A header value that needs no encoding: visible ASCII, and single spaces between words that fit on a line (RFC 5322).
const plainHeader = /^[!-~]{1,70}( [!-~]{1,70})*$/;

// Longest encoded word (RFC 2047).
const maxWordLength = 75;

/**
 * A text as the value of a mail header, encoded if necessary. A text that looks like an encoded word is encoded too, or readers
 * would decode it. Line breaks, which end a header, become spaces.
 */
const headerText = (text: string, encodeWord: typeof EncodeWord): string => {
  const line = wellFormed(text).replaceAll(/\r\n?|\n/g, ' ');
  if (line === '' || (plainHeader.test(line) && !line.includes('=?'))) return line;
  return encodeWord(line, 'B', maxWordLength);
};

// Replaces unpaired surrogates, which JSON can contain and UTF-8 cannot.
const wellFormed = (text: string): string => Buffer.from(text).toString();

const maxNameLength = 100;

/** A percent-encoded text for a file name parameter, cut if it is long. */
const percentEncoded = (text: string): string =>
  encodeURIComponent([...wellFormed(text)].slice(0, maxNameLength).join('')).replaceAll(
    /[.'()*!~]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** A message as a file: its content, and a `Content-Disposition` with its name. */
type MessageFile = { readonly disposition: string; readonly body: string };

/**
 * The message in the format of mail programs. A text in `to` or `from` that is not an address is written to `X-To-As-Sent` or
 * `X-From-As-Sent`, because it could be read as another address. nodemailer is loaded on first use and never loads remote
 * content.
 */
export const createEml = async (message: Message): Promise<MessageFile> => {
  const { id, from, to, subject, html, created_at } = message;
  const { default: nodemailer } = await import('nodemailer');
  const { default: parse } = await import('nodemailer/lib/addressparser');
  const { encodeWord } = await import('nodemailer/lib/mime-funcs');
  const toHeader = (text: string) => ({
    prepared: true,
    foldLines: true,
    value: headerText(text.slice(0, maxHeaderLength), encodeWord),
  });
  const participants = Object.entries({ from, to }).flatMap(([name, text]) =>
    text === null
      ? []
      : [{ name, text, addressed: text.length <= maxAddressesLength && isAddressed(text, parse(text)) }],
  );
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const sent = await composer.sendMail({
    ...Object.fromEntries(
      participants.flatMap(({ name, text, addressed }) => (addressed ? [[name, text]] : [])),
    ),
    headers: Object.fromEntries([
      ...participants.flatMap(({ name, text, addressed }) =>
        addressed ? [] : [[`x-${name}-as-sent`, toHeader(text)]],
      ),
      ...(subject === null ? [] : [['subject', toHeader(subject)]]),
    ]),
    // Converts all line breaks to those that nodemailer expects.
    html: (html ?? '').replaceAll(/\r\n?/g, '\n'),
    date: mailDate(created_at),
    messageId: `<${percentEncoded(id)}@email-leads.invalid>`,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return { disposition: attachment(id), body: String(sent.message) };
};

// A longer text is not a real list of addresses.
const maxAddressesLength = 64 * 1024;

type Parsed = { readonly address?: string | undefined; readonly group?: unknown };

// A longer address could exceed the line limit of a mail (RFC 5322: 998).
const maxAddressLength = 320;

/** Whether a text consists of addresses only: no groups, no line breaks, no other text. */
const isAddressed = (text: string, parsed: readonly Parsed[]): boolean =>
  parsed.length > 0 &&
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be in a header.
  !/[\u0000-\u001f\u007f]/.test(text) &&
  parsed.every(({ address = '' }) => address.length <= maxAddressLength && /^[!-~]+@[^\s@]+$/.test(address));

// Folding a longer header takes more than linear time.
const maxHeaderLength = 64 * 1024;

/** A `Content-Disposition` with the id of the message as file name, in the old form and in the UTF-8 form. */
const attachment = (id: string): string => {
  if (/^[\w.-]{1,100}$/.test(id)) return `attachment; filename="${id}.eml"`;
  return `attachment; filename="message.eml"; filename*=UTF-8''${percentEncoded(id)}.eml`;
};

/** An ISO 8601 time in the format of a mail's Date header (RFC 5322). */
const mailDate = (time: string): string => new Date(time).toUTCString().replace('GMT', '+0000');
