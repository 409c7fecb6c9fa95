import { mailHeaders, toPreview } from '../mail/preview.ts';
import type { Parts } from '../nouns/index.ts';
import { type AdminRequest, type Handling, RawReply, requireItem } from '../route/noun.ts';
import { pageReply } from '../route/router.ts';
import { type PageFiles, readPageFiles } from '../runtime/page-files.ts';

let files: PageFiles | undefined;

/** The files of the page are read on the first visit. */
const serve = (name: string, etagHeader: string | undefined): RawReply => {
  files ??= readPageFiles('mock');
  return pageReply(files, name, etagHeader);
};

const previewOf = (html: string | null | undefined, { query }: AdminRequest): RawReply => {
  const shown = requireItem(html, 'there is nothing to show', 'It may have been deleted meanwhile.') ?? '';
  return new RawReply(toPreview(shown), mailHeaders({ images: query.images === '1', freeLinks: true }));
};

/**
 * What only the page uses, without descriptions: its files, and the HTML of a mail or a template, with links that open in a new
 * tab. `?images=1` lets the browser load its images; this server never does.
 */
export const pageRoutes: Readonly<Record<string, Handling<Parts>>> = {
  'GET /ui': { keyless: true, run: () => new RawReply('', { location: 'ui/' }, 302) },
  'GET /ui/': {
    keyless: true,
    run: (_parts, { headers }) => serve('index.html', headers['if-none-match']),
  },
  'GET /ui/{file}': {
    keyless: true,
    run: (_parts, { id: file, headers }) => serve(file, headers['if-none-match']),
  },
  'GET /outbox/{id}/preview': {
    run: ({ outbox }, request) => previewOf(outbox.get(request.id)?.html, request),
  },
  'GET /templates/{id}/preview': {
    run: ({ templates }, request) => previewOf(templates.get(request.id)?.body, request),
  },
};
