import type { encodeWord as EncodeWord } from 'nodemailer/lib/mime-funcs';
import type { Message } from './template.ts';

// What a header may say as it is: visible ASCII and single spaces between words that fit on a line (RFC 5322).
const plainHeader = /^[!-~]{1,70}( [!-~]{1,70})*$/;

// Of an encoded word (RFC 2047).
const maxWordLength = 75;

/**
 * A text as the value of a header of a mail: as it is, or in encoded words. A text that looks like an encoded word is encoded,
 * or it would be read as what it seems to say. Line breaks, which end a header, become spaces.
 */
const headerText = (text: string, encodeWord: typeof EncodeWord): string => {
  const line = wellFormed(text).replaceAll(/\r\n?|\n/g, ' ');
  if (line === '' || (plainHeader.test(line) && !line.includes('=?'))) return line;
  return encodeWord(line, 'B', maxWordLength);
};

// Half of a surrogate pair, which JSON can say, is no character.
const wellFormed = (text: string): string => Buffer.from(text).toString();

const maxNameLength = 100;

/** A text for where only letters, digits and few signs may stand, cut where it is long. */
const percentEncoded = (text: string): string =>
  encodeURIComponent([...wellFormed(text)].slice(0, maxNameLength).join('')).replaceAll(
    /[.'()*!~]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** A message as a file: its content, and the `Content-Disposition` that names it. */
type MessageFile = { readonly disposition: string; readonly body: string };

/**
 * The message as a mail program opens it. What is in `to` or `from` and is no address stands in `X-To-As-Sent` or
 * `X-From-As-Sent`: as an address it would name somebody else, or nobody. nodemailer is loaded on first use and never
 * fetches what a mail names.
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
    // A line break of a page is that of a mail; a bare carriage return is neither.
    html: (html ?? '').replaceAll(/\r\n?/g, '\n'),
    date: mailDate(withoutLeapSecond(created_at)),
    messageId: `<${percentEncoded(id)}@email-leads.invalid>`,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return { disposition: attachment(id), body: String(sent.message) };
};

// A longer text is no list of addresses that somebody meant.
const maxAddressesLength = 64 * 1024;

type Parsed = { readonly address?: string | undefined; readonly group?: unknown };

// Beyond this an address makes a line that is too long for a mail (RFC 5322: 998).
const maxAddressLength = 320;

/** Whether a text is nothing but addresses: no groups, no line breaks, nothing that is left over. */
const isAddressed = (text: string, parsed: readonly Parsed[]): boolean =>
  parsed.length > 0 &&
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be in a header.
  !/[\u0000-\u001f\u007f]/.test(text) &&
  parsed.every(({ address = '' }) => address.length <= maxAddressLength && /^[!-~]+@[^\s@]+$/.test(address));

// The time to fold a longer header grows faster than its length.
const maxHeaderLength = 64 * 1024;

// A state may name a leap second, which JavaScript's dates have not.
const withoutLeapSecond = (time: string): string => time.replace(/:60(?=[.Z+-])/i, ':59');

/** Names the file after the message, where old clients can read that; others know it from the second name. */
const attachment = (id: string): string => {
  if (/^[\w.-]{1,100}$/.test(id)) return `attachment; filename="${id}.eml"`;
  return `attachment; filename="message.eml"; filename*=UTF-8''${percentEncoded(id)}.eml`;
};

/** An ISO 8601 time as the Date header of a mail writes it (RFC 5322). */
const mailDate = (time: string): string => new Date(time).toUTCString().replace('GMT', '+0000');
