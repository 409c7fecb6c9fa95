import { remoteContentOf } from '../../mail/html.ts';
import { maxRenderedLength, renderTemplate } from '../../mail/template.ts';
import { type PageFiles, readPageFiles } from '../../runtime/page-files.ts';
import { AdminError, type AdminReply, type AdminRoute, requireItem } from '../route.ts';

/** The outbox page for people. Read on the first visit, kept in memory, found by name in a map: no path leads elsewhere. */
export const pageRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/ui',
    run: () => ({ status: 302, headers: { location: 'ui/' }, body: '' }),
  },
  { method: 'GET', path: '/ui/', run: ({ headers }) => serve('index.html', headers['if-none-match']) },
  {
    method: 'GET',
    path: '/ui/:file',
    run: ({ params, headers }) => serve(params.file ?? '', headers['if-none-match']),
  },
];

let files: PageFiles | undefined;

const serve = (name: string, etagHeader: string | undefined): AdminReply => {
  files ??= load();
  const file = files.get(name);
  if (!file) throw new AdminError(404, 'the page has no such file', 'It starts at /__admin/ui/.');
  if (etagHeader?.split(',').some((etag) => etag.trim() === file.headers.etag))
    return { status: 304, headers: file.headers, body: '' };
  return file;
};

const load = (): PageFiles => {
  const loaded = readPageFiles('mock');
  if (!loaded) throw new AdminError(503, 'the page is not built', 'Run npm run build.');
  return loaded;
};

/**
 * What the page frames: a mail or a template as a browser shows it, its links opening in a new tab. `?images=1` lets the
 * browser, never this server, load the images it names. Beside it, how much it would load from elsewhere.
 */
export const previewRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/outbox/:id/preview',
    run: ({ workspace, params, query }) =>
      renderPreview(workspace.outbox.get(params.id ?? '')?.html, query.images === '1'),
  },
  {
    method: 'GET',
    path: '/outbox/:id/remote-content',
    run: ({ workspace, params }) => remoteContent(workspace.outbox.get(params.id ?? '')?.html),
  },
  {
    method: 'GET',
    path: '/templates/:id/preview',
    run: ({ workspace, params, query }) =>
      renderPreview(
        withValues(workspace.templates.get(params.id ?? '')?.body, query.values),
        query.images === '1',
      ),
  },
  {
    method: 'GET',
    path: '/templates/:id/remote-content',
    run: ({ workspace, params }) => remoteContent(workspace.templates.get(params.id ?? '')?.body),
  },
];

type Html = string | null | undefined;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new AdminError(400, 'query/values is not JSON', 'The page sends an object of texts.');
  }
};

/** A template with sample values from the page, as JSON. */
const withValues = (html: Html, values: string | undefined): Html => {
  if (typeof html !== 'string' || values === undefined) return html;
  const parsed = parse(values);
  const texts = Object.entries(typeof parsed === 'object' && parsed !== null ? parsed : {});
  const variables = Object.fromEntries(texts.map(([name, value]) => [name, String(value)]));
  return renderTemplate(html, variables, { maxLength: maxRenderedLength }) ?? html;
};

const htmlOf = (html: Html): string =>
  requireItem(html, 'there is nothing to show', 'It may have been deleted meanwhile.') ?? '';

const remoteContent = (html: Html): AdminReply => ({ body: remoteContentOf(htmlOf(html)) });

// A mail is shown as it is and kept harmless by isolation: no script, no request to anywhere, no way out of its frame.
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
 * Headers for a mail in a browser. With `images` the browser may load those it names, from anywhere. What its links open is as
 * harmless as the mail itself, unless `freeLinks`: for mails whose links were made to forget who opened them.
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
  'cache-control': 'no-store',
});

const renderPreview = (html: Html, images: boolean): AdminReply => ({
  headers: mailHeaders({ images, freeLinks: true }),
  body: withoutOpener(withLinkTarget(htmlOf(html))),
});

const doctype = /^\s*<!doctype[^>]*>/i;

// Behind the doctype, so that what is shown in quirks mode and what is not stays so. The first `target` of a page counts.
const withLinkTarget = (html: string): string => {
  const [start = ''] = doctype.exec(html) ?? [];
  return `${start}<base target="_blank">${html.slice(start.length)}`;
};

/**
 * What a link opens must not know, and navigate, the tab it was opened from, whatever its own `rel` says: the first one of a
 * tag counts. Without regard to where it stands, as a browser may see a link where no other parser does; without quotes, as
 * that may be in the value of an attribute.
 */
const withoutOpener = (html: string): string =>
  html.replace(/<(a|area|form)(?=[\t\n\f\r />])/gi, '<$1 rel=noopener ');
