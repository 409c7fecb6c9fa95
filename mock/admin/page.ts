import { mailHeaders, toPreview } from '../mail/preview.ts';
import { type AdminRequest, RawReply, type Routes, requireItem } from '../route/noun.ts';
import { pageReply } from '../route/page.ts';
import { type PageFiles, readPageFiles } from '../runtime/page-files.ts';

let files: PageFiles | undefined;

/** The files of the page are read on the first visit. */
const serve = (name: string, etagHeader: string | undefined): RawReply => {
  files ??= readPageFiles('mock');
  return pageReply(files, name, etagHeader);
};

const internal = {
  id: 'page',
  summary: 'The page',
  description: 'For browsers.',
  internal: true,
  keyless: true,
  replies: {},
} as const;

/** The files of the page. */
export const pageRoutes = {
  'GET /ui': { ...internal, run: () => new RawReply('', { location: 'ui/' }, 302) },
  'GET /ui/': { ...internal, run: (_parts, { headers }) => serve('index.html', headers['if-none-match']) },
  'GET /ui/{file}': {
    ...internal,
    run: (_parts, { id: file, headers }) => serve(file, headers['if-none-match']),
  },
} satisfies Routes<unknown>;

const previewOf = (html: string | null | undefined, { query }: AdminRequest): RawReply => {
  const shown = requireItem(html, 'there is nothing to show', 'It may have been deleted meanwhile.') ?? '';
  return new RawReply(toPreview(shown), mailHeaders({ images: query.images === '1', freeLinks: true }));
};

type Parts = {
  readonly outbox: { readonly get: (id: string) => { readonly html: string | null } | undefined };
  readonly templates: { readonly get: (id: string) => { readonly body: string } | undefined };
};

const preview = {
  id: 'preview',
  summary: 'A preview',
  description: 'For frames of the page.',
  internal: true,
  query: { images: { type: 'string' } },
  replies: {},
} as const;

/**
 * The HTML of a mail or a template, with links that open in a new tab. `?images=1` lets the browser load its images; this server
 * never does.
 */
export const previewRoutes = {
  'GET /outbox/{id}/preview': {
    ...preview,
    run: ({ outbox }, request) => previewOf(outbox.get(request.id)?.html, request),
  },
  'GET /templates/{id}/preview': {
    ...preview,
    run: ({ templates }, request) => previewOf(templates.get(request.id)?.body, request),
  },
} satisfies Routes<Parts>;
