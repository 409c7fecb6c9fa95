import { snippetOf } from '../message-text.ts';
import type { Message } from '../outbox.ts';
import { eml, html } from './message-formats.ts';
import { AdminError, type AdminRequest, type AdminRoute, objectBody, wholeNumber } from './route.ts';

/** The messages captured instead of sent. Reading changes nothing. */
export const outboxRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/outbox',
    run: ({ workspace, query }) => {
      const { to, from, subject, template_id, q } = query;
      const found = workspace.outbox.list({ to, from, subject, template_id, q });
      const start = wholeNumber(query, 'start', 0, 999_999_999);
      const limit = wholeNumber(query, 'limit', 50, 1000);
      const messages = found.slice(start, start + limit).map(summary);
      return { body: { messages, total: found.length, dropped: workspace.outbox.dropped() } };
    },
  },
  { method: 'GET', path: '/outbox/:id', run: (request) => ({ body: existing(request) }) },
  { method: 'GET', path: '/outbox/:id/html', run: (request) => html(existing(request)) },
  { method: 'GET', path: '/outbox/:id/eml', run: async (request) => eml(existing(request)) },
  {
    method: 'DELETE',
    path: '/outbox/:id',
    run: (request) => {
      const { id } = existing(request);
      request.workspace.outbox.remove(id);
      return { body: { deleted: id } };
    },
  },
  {
    method: 'DELETE',
    path: '/outbox',
    run: ({ workspace, body }) => {
      if (objectBody(body ?? {}).all !== true) {
        throw new AdminError(
          400,
          'deleting every message must be said: body/all must be true',
          'Send {"all": true}.',
        );
      }
      const deleted = workspace.outbox.size();
      workspace.outbox.clear();
      return { body: { deleted } };
    },
  },
];

const existing = ({ workspace, params }: AdminRequest): Message => {
  const message = params.id === 'latest' ? workspace.outbox.latest() : workspace.outbox.get(params.id ?? '');
  if (message) return message;
  throw new AdminError(
    404,
    'there is no such message in this outbox',
    'GET /__admin/outbox lists them; another key has another outbox.',
  );
};

/** Lists carry no bodies: a thousand mails stay a small reply. */
const summary = (message: Message): object => {
  const { html: _html, variables: _variables, ...rest } = message;
  return { ...rest, snippet: snippetOf(message) };
};
