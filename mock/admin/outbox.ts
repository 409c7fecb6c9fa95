import { contentsOf } from '../mail-contents.ts';
import { snippetOf } from '../message-text.ts';
import { failedFilters, type Message, type MessageFilter } from '../outbox.ts';
import { filterText, paging, since, success, waiting } from './documentation.ts';
import { eml } from './eml.ts';
import { html } from './message-formats.ts';
import { numberOf } from './query.ts';
import { AdminError, type AdminRequest, type AdminRoute } from './route.ts';
import { list, object, ref, text, whole } from './schemas.ts';
import { nearest, waitFor, waitReplies } from './waiting.ts';

const tag = 'Outbox';

const filters = {
  to: filterText('The recipient, without regard to case.'),
  from: filterText('The sender, without regard to case.'),
  subject: filterText('A part of the subject, without regard to case.'),
  template_id: filterText('The template a message was made from.'),
  q: filterText('A word, or a few in that order, anywhere in the message.'),
};

const page = object({ messages: list(ref('MessageSummary')), total: whole, cursor: text, dropped: whole });

/** The messages captured instead of sent. Reading changes nothing. */
export const outboxRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/outbox',
    doc: {
      id: 'listMessages',
      summary: 'The messages, newest first, without their bodies',
      description:
        'What would have been sent; nothing ever is. Filters are joined by “and”. `cursor` is for `since`: ask again with it for what is new.',
      tag,
      query: { ...filters, ...since, ...paging },
      replies: success('A page of them. `dropped` were too many to keep.', page),
    },
    run: (request) => ({ body: pageOf(request) }),
  },
  {
    method: 'GET',
    path: '/outbox/wait',
    holds: true,
    doc: {
      id: 'waitForMessages',
      summary: 'Waits until such messages are there',
      description:
        'Holds the connection until `count` messages pass the filters, those that are there already among them, and replies like the list. With `since`, only what comes after that cursor counts. `absent=true` asks the opposite: that not so many come within `timeout_ms`.',
      tag,
      query: { ...filters, ...since, ...paging, ...waiting },
      replies: waitReplies(
        'They are there, as in the list; with `absent`, they did not come.',
        'message',
        ref('MessageSummary'),
        page,
      ),
    },
    run: (request) => {
      const { outbox } = request.workspace;
      const filter = filterOf(request.query);
      const { since } = request.query;
      return waitFor(request, {
        what: 'messages',
        wait: (options) => outbox.wait(filter, options),
        page: () => pageOf(request),
        found: () => outbox.page(filter, { since, limit: 0 }).total,
        nearMisses: () => {
          const { messages } = outbox.page({}, { since, limit: Number.POSITIVE_INFINITY });
          return nearest(outbox.list(), messages, (message) => failedFilters(message, filter)).map(
            ({ item, failed }) => ({ message: summary(item), failed }),
          );
        },
      });
    },
  },
  {
    method: 'GET',
    path: '/outbox/:id',
    doc: {
      id: 'getMessage',
      summary: 'One message with all that is in it; `latest` for the newest',
      description:
        'Beside what was sent: `links`, where those of the HTML lead, `codes`, what may be one-time codes, and `snippet`, how the text begins.',
      tag,
      replies: success(
        'The message, with where its links lead and what may be one-time codes.',
        ref('Message'),
      ),
    },
    run: (request) => {
      const message = existing(request);
      return { body: { ...message, snippet: snippetOf(message), ...contentsOf(message.html) } };
    },
  },
  {
    method: 'GET',
    path: '/outbox/:id/html',
    doc: {
      id: 'getMessageHtml',
      summary: 'The message as a browser shows it, kept harmless',
      description:
        'As it was sent, under a policy that lets it run nothing, load nothing and leave its frame for nowhere.',
      tag,
      replies: { 200: { description: 'Its HTML as it was sent.', type: 'text/html' } },
    },
    run: (request) => html(existing(request)),
  },
  {
    method: 'GET',
    path: '/outbox/:id/eml',
    doc: {
      id: 'getMessageEml',
      summary: 'The message as a mail program opens it',
      description:
        'RFC 5322, the HTML as its only part. What stands in `to` or `from` and is no address is in `X-To-As-Sent` or `X-From-As-Sent`. Line breaks in a subject become spaces, those of the HTML CR LF.',
      tag,
      replies: { 200: { description: 'A mail.', type: 'message/rfc822' } },
    },
    run: async (request) => eml(existing(request)),
  },
  {
    method: 'DELETE',
    path: '/outbox/:id',
    doc: {
      id: 'deleteMessage',
      summary: 'Deletes one message',
      description: 'By its id, or `latest`. Ids are not given out again before a reset.',
      tag,
      replies: success('Deleted.', ref('Deleted')),
    },
    run: (request) => {
      const { id } = existing(request);
      request.workspace.outbox.remove(id);
      return { body: { deleted: id } };
    },
  },
  {
    method: 'DELETE',
    path: '/outbox',
    doc: {
      id: 'deleteMessages',
      summary: 'Deletes every message, which must be said',
      description:
        'Only with `{"all": true}`: a request that was meant for one message must not take all of them. Ids go on from where they were.',
      tag,
      body: ref('All'),
      replies: success('How many there were.', ref('Deleted')),
    },
    run: ({ workspace }) => {
      const deleted = workspace.outbox.size();
      workspace.outbox.clear();
      return { body: { deleted } };
    },
  },
];

const filterOf = ({ to, from, subject, template_id, q }: AdminRequest['query']): MessageFilter => ({
  to,
  from,
  subject,
  template_id,
  q,
});

const pageOf = ({ workspace: { outbox }, query }: AdminRequest): object => {
  const range = { since: query.since, start: numberOf(query.start, 0), limit: numberOf(query.limit, 50) };
  const { messages, total, cursor } = outbox.page(filterOf(query), range);
  return { messages: messages.map(summary), total, cursor, dropped: outbox.dropped() };
};

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
