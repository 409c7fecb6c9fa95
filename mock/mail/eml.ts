import type { Message } from './template.ts';

// Visible ASCII, and single spaces between words, on one line (RFC 5322).
const plainHeader = /^[!-~]+( [!-~]+)*$/;
const maxPlainLength = 70;

// A longer text is no real subject or address.
const maxHeaderLength = 64 * 1024;

/**
 * A text as the value of a mail header, in encoded words where it needs them (RFC 2047). A text that looks like an encoded word
 * is encoded too, or readers would decode it. Line breaks, which end a header, become spaces.
 */
const headerText = (text: string): string => {
  // By way of bytes: JSON can contain unpaired surrogates, and UTF-8 cannot.
  const line = Buffer.from(text.slice(0, maxHeaderLength))
    .toString()
    .replaceAll(/\r\n?|\n/g, ' ');
  if (line.length <= maxPlainLength && plainHeader.test(line) && !line.includes('=?')) return line;
  // Eleven characters are at most 44 bytes, which fit into one word.
  const words = line.match(/.{1,11}/gsu) ?? [];
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join('\r\n ');
};

// Nothing that could be read as another address, or as a group.
const address = /^[!-~]{1,320}$/;
const unsafe = /[<>:;",()[\]\\]/;

const participant = (field: 'From' | 'To', text: string | null): string[] => {
  if (text === null) return [];
  const isAddress = address.test(text) && !unsafe.test(text) && text.split('@').length === 2;
  return [isAddress ? `${field}: ${text}` : `X-${field}-As-Sent: ${headerText(text)}`];
};

/**
 * The message in the format of mail programs, and a `Content-Disposition` with the name of its file. A text in `to` or `from`
 * that is not one address is written to `X-To-As-Sent` or `X-From-As-Sent`, because it could be read as another address.
 */
export const createEml = ({ id, from, to, subject, html, created_at }: Message) => {
  // An id of a seed may have any characters.
  const name = id.replaceAll(/[^\w-]/g, '_').slice(0, 100);
  const lines = [
    ...participant('From', from),
    ...participant('To', to),
    ...(subject === null ? [] : [`Subject: ${headerText(subject)}`]),
    `Message-ID: <${name}@email-leads.invalid>`,
    // As a mail has it (RFC 5322).
    `Date: ${new Date(created_at).toUTCString().replace('GMT', '+0000')}`,
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    // In lines of 76 characters (RFC 2045).
    Buffer.from(html ?? '')
      .toString('base64')
      .replaceAll(/.{76}/g, '$&\r\n'),
  ];
  return { disposition: `attachment; filename="${name}.eml"`, body: `${lines.join('\r\n')}\r\n` };
};
