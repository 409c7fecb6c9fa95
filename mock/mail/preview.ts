// The HTML of a mail is not changed but isolated: no scripts, no requests, no access outside its frame.
const mailPolicy = (images: string, sandbox: string): string =>
  [
    "default-src 'none'",
    `img-src ${images}`,
    "style-src 'unsafe-inline'",
    'font-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    `sandbox ${sandbox}`,
  ].join('; ');

/**
 * Headers for a mail in a browser. With `images` the browser may load its images, from anywhere. Linked pages are isolated like
 * the mail, unless `freeLinks` is set: for mails whose links have no access to their opener.
 */
export const mailHeaders = ({
  images = false,
  freeLinks = false,
} = {}): Readonly<Record<string, string>> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': mailPolicy(
    images ? 'data: http: https:' : 'data:',
    freeLinks ? 'allow-popups allow-popups-to-escape-sandbox' : 'allow-popups',
  ),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
});

/**
 * Adds `rel=noopener` to every link, before its own `rel`, because the first one applies: a linked page must not navigate its
 * opener. Replaces text without parsing, because browsers find links that parsers miss; without quotes, because the
 * place may be inside the value of an attribute.
 */
const withoutOpener = (html: string): string =>
  html.replace(/<(a|area|form)(?=[\t\n\f\r />])/gi, '<$1 rel=noopener ');

/** The HTML of a mail for a frame of the page. */
export const toPreview = (html: string): string => {
  // After the doctype, which decides about quirks mode. The first `target` of a page applies.
  const [start = ''] = /^\s*<!doctype[^>]*>/i.exec(html) ?? [];
  return withoutOpener(`${start}<base target="_blank">${html.slice(start.length)}`);
};
