import type { Message } from '../outbox.ts';
import { mailDate } from '../state.ts';
import type { AdminReply } from './route.ts';

// A mail is shown as it is and kept harmless by isolation: no script, no request to anywhere, no way out of its frame.
const mailPolicy = (images: string): string =>
  [
    "default-src 'none'",
    `img-src ${images}`,
    "style-src 'unsafe-inline'",
    'font-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-popups allow-popups-to-escape-sandbox',
  ].join('; ');

/** Headers for a mail in a browser. With `images` the browser may load those it names, from anywhere. */
export const mailHeaders = (images = false): Readonly<Record<string, string>> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': mailPolicy(images ? 'data: http: https:' : 'data:'),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
});

/** The message as a browser shows it. */
export const html = (message: Message): AdminReply => ({
  headers: mailHeaders(),
  body: message.html ?? '',
});

/** The message as a mail program opens it. nodemailer is loaded on first use and never fetches what a mail names. */
export const eml = async (message: Message): Promise<AdminReply> => {
  const { default: nodemailer } = await import('nodemailer');
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const sent = await composer.sendMail({
    ...(message.from === null ? {} : { from: message.from }),
    ...(message.to === null ? {} : { to: message.to }),
    ...(message.subject === null ? {} : { subject: message.subject }),
    html: message.html ?? '',
    date: mailDate(message.created_at),
    messageId: `<${message.id}@email-leads.invalid>`,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    headers: {
      'content-type': 'message/rfc822',
      'content-disposition': `attachment; filename="${message.id}.eml"`,
      'x-content-type-options': 'nosniff',
    },
    body: String(sent.message),
  };
};
