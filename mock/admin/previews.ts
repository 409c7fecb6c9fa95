import { mailHeaders } from './message-formats.ts';
import { AdminError, type AdminReply, type AdminRoute } from './route.ts';

/**
 * What the page frames: a mail or a template as a browser shows it, its links opening in a new tab. `?images=1` lets the
 * browser, never this server, load the images it names.
 */
export const previewRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/outbox/:id/preview',
    run: ({ workspace, params, query }) =>
      framed(workspace.outbox.get(params.id ?? '')?.html, query.images === '1'),
  },
  {
    method: 'GET',
    path: '/templates/:id/preview',
    run: ({ workspace, params, query }) =>
      framed(workspace.templates.get(params.id ?? '')?.body, query.images === '1'),
  },
];

const framed = (html: string | null | undefined, images: boolean): AdminReply => {
  if (html === undefined)
    throw new AdminError(404, 'there is nothing to show', 'It may have been deleted meanwhile.');
  return { headers: mailHeaders(images), body: withTarget(html ?? '') };
};

const doctype = /^\s*<!doctype[^>]*>/i;

// Behind the doctype, so that what is shown in quirks mode and what is not stays so. The first `target` of a page counts.
const withTarget = (html: string): string => {
  const [start = ''] = doctype.exec(html) ?? [];
  return `${start}<base target="_blank">${html.slice(start.length)}`;
};
