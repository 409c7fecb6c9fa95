import type { Message } from '../outbox.ts';
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
