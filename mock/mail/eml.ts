import type { Message } from './template.ts';

// Replaces unpaired surrogates, which JSON can contain and UTF-8 cannot.
const wellFormed = (text: string): string => Buffer.from(text).toString();

// Visible ASCII, and single spaces between words that fit on a line (RFC 5322).
const plainHeader = /^[!-~]{1,70}( [!-~]{1,70})*$/;

const maxHeaderLength = 64 * 1024;

const maxLineLength = 76;

/** Breaks a line between its words where it is long. */
const fold = (line: string): string => {
  let length = -1;
  const words = line.split(' ').map((word) => {
    length += word.length + 1;
    if (length <= maxLineLength) return word;
    length = word.length;
    return `\r\n ${word}`;
  });
  return words.join(' ').replaceAll(' \r\n', '\r\n');
};

/**
 * A text as the value of a mail header, in encoded words where it needs them (RFC 2047). A text that looks like an encoded word
 * is encoded too, or readers would decode it. Line breaks, which end a header, become spaces.
 */
const headerText = (text: string): string => {
  const line = wellFormed(text.slice(0, maxHeaderLength)).replaceAll(/\r\n?|\n/g, ' ');
  if (line === '' || (plainHeader.test(line) && !line.includes('=?'))) return fold(line);
  // Eleven characters are at most 44 bytes, which fit into one word.
  const words = line.match(/.{1,11}/gsu) ?? [];
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join('\r\n ');
};

// A longer text is not a real list of addresses, and a longer address could exceed the line limit of a mail (998).
const maxAddressesLength = 64 * 1024;
const maxAddressLength = 320;

// Nothing that could be read as another address, or as a group.
const address = /^[^@<>:;",]+@[^@<>:;",]+$/;
const name = /^[^@<>:;",]*$/;

/** One address, alone or in angle brackets after a name; `undefined` for anything else. */
const oneAddress = (part: string): string | undefined => {
  const text = part.trim();
  const start = text.endsWith('>') ? text.indexOf('<') : -1;
  const [before, found] = start < 0 ? ['', text] : [text.slice(0, start).trim(), text.slice(start + 1, -1)];
  if (found.length > maxAddressLength || !/^[!-~]+$/.test(found)) return undefined;
  if (!address.test(found) || !name.test(before)) return undefined;
  return start < 0 ? found : `${headerText(before)} <${found}>`.trim();
};

/** The value of a header with addresses; `undefined` for a text that has anything else. */
const addressList = (text: string): string | undefined => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be in a header.
  if (text.length > maxAddressesLength || /[\u0000-\u001f\u007f]/.test(text)) return undefined;
  const parts = text.split(',').map(oneAddress);
  return parts.every((part) => part !== undefined) ? parts.join(',\r\n ') : undefined;
};

/** Lines for a transport of seven bits: as they are if they can be, else quoted-printable (RFC 2045). */
const bodyOf = (html: string): { readonly encoding: string; readonly text: string } => {
  const lines = html.split(/\r\n?|\n/);
  if (lines.every((line) => line.length <= maxLineLength && /^[\t -~]*$/.test(line)))
    return { encoding: '7bit', text: lines.join('\r\n') };
  const quoted = lines.map((line) =>
    Buffer.from(line)
      .toString('latin1')
      .replaceAll(
        /[^\t -<>-~]|[\t ]$/g,
        (byte) => `=${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
      )
      .replaceAll(/(?:=..|[^=]){25}(?=.)/g, '$&=\r\n'),
  );
  return { encoding: 'quoted-printable', text: quoted.join('\r\n') };
};

const maxNameLength = 100;

/** An id of any characters for a header, cut if it is long. */
const percentEncoded = (text: string): string =>
  encodeURIComponent([...wellFormed(text)].slice(0, maxNameLength).join('')).replaceAll(
    /[.'()*!~]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** A message as a file: its content, and a `Content-Disposition` with its name. */
type MessageFile = { readonly disposition: string; readonly body: string };

/**
 * The message in the format of mail programs. A text in `to` or `from` that is not an address is written to `X-To-As-Sent` or
 * `X-From-As-Sent`, because it could be read as another address.
 */
export const createEml = ({ id, from, to, subject, html, created_at }: Message): MessageFile => {
  const name = percentEncoded(id);
  const participant = (field: 'From' | 'To', text: string | null): string[] => {
    if (text === null) return [];
    const addresses = addressList(text);
    return [addresses === undefined ? `X-${field}-As-Sent: ${headerText(text)}` : `${field}: ${addresses}`];
  };
  const { encoding, text } = bodyOf(html ?? '');
  const lines = [
    ...participant('From', from),
    ...participant('To', to),
    ...(subject === null ? [] : [`Subject: ${headerText(subject)}`]),
    `Message-ID: <${name}@email-leads.invalid>`,
    // As a mail has it (RFC 5322).
    `Date: ${new Date(created_at).toUTCString().replace('GMT', '+0000')}`,
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=utf-8',
    `Content-Transfer-Encoding: ${encoding}`,
    '',
    text,
  ];
  return { disposition: `attachment; filename="${name}.eml"`, body: `${lines.join('\r\n')}\r\n` };
};
