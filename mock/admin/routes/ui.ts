import { remoteContentOf } from '../../mail/html.ts';
import { maxRenderedLength, renderTemplate } from '../../mail/template.ts';
import { type PageFiles, readPageFiles } from '../../runtime/page-files.ts';
import { AdminError, type AdminReply, type AdminRoute, requireItem } from '../route.ts';

/** The files of the page. Read on the first visit into a map, so that no path can lead to other files. */
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
 * Previews for frames of the page: the HTML of a mail or a template, with links that open in a new tab. `?images=1` lets the
 * browser load its images; this server never does. A second route counts its remote content.
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

/** Fills a template with sample values from the page, which are JSON. */
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
  'cache-control': 'no-store',
});

const renderPreview = (html: Html, images: boolean): AdminReply => ({
  headers: mailHeaders({ images, freeLinks: true }),
  body: withoutOpener(withLinkTarget(htmlOf(html))),
});

const doctype = /^\s*<!doctype[^>]*>/i;

// After the doctype, which decides about quirks mode. The first `target` of a page applies.
const withLinkTarget = (html: string): string => {
  const [start = ''] = doctype.exec(html) ?? [];
  return `${start}<base target="_blank">${html.slice(start.length)}`;
};

/**
 * Adds `rel=noopener` to every link, before its own `rel`, because the first one applies: a linked page must not navigate its
 * opener. Replaces text without parsing, because browsers find links that parsers miss; without quotes, because the
 * place may be inside the value of an attribute.
 */
const withoutOpener = (html: string): string =>
  html.replace(/<(a|area|form)(?=[\t\n\f\r />])/gi, '<$1 rel=noopener ');
