import { createEml } from '../../mail/eml.ts';
import type { Message, MessageFilter } from '../../mail/template.ts';
import { contentsOf, snippetOf } from '../../mail/text.ts';
import { lazily } from '../../runtime/json-parts.ts';
import { runInSteps } from '../../runtime/timers.ts';
import { rangeOf } from '../input.ts';
import {
  type AdminReply,
  type AdminRequest,
  filterText,
  paging,
  requireItem,
  since,
  success,
  tagged,
  waiting,
} from '../route.ts';
import { dropLimit, list, object, ref, text, wholeNumber } from '../schemas.ts';
import { mailHeaders } from './ui.ts';
import { type WaitedPage, waitFor, waitReplies } from './wait.ts';

/** The HTML of a message for a browser. */
const html = (message: Message): AdminReply => ({
  headers: mailHeaders(),
  body: message.html ?? '',
});

const tag = { name: 'Outbox', description: 'Messages captured instead of sent.' };

const filters = {
  to: filterText('The recipient, case-insensitive; `*` stands for any characters: `*@example.com`.'),
  from: filterText('The sender, like `to`.'),
  subject: filterText('A part of the subject, case-insensitive.'),
  template_id: filterText('The id of the template.'),
  q: filterText(
    'Words; each must occur in the message. `"a phrase"`, `to:`, `from:` and `subject:` before a word, and `-word` to exclude it. At most 50 words, each of which counts up to its 256th character.',
  ),
};

const page = object({
  messages: list(ref('MessageSummary')),
  total: wholeNumber,
  cursor: text,
  dropped: wholeNumber,
  dropped_by: dropLimit,
});

/** The messages captured instead of sent. Reading changes nothing. */
export const outboxRoutes = tagged(tag, [
  {
    method: 'GET',
    path: '/outbox',
    doc: {
      id: 'listMessages',
      summary: 'List the messages, newest first, without bodies',
      description:
        'Captured messages; nothing is ever sent. All filters must match. Pass the `cursor` as `since` to get newer messages only.',
      query: { ...filters, ...since, ...paging },
      replies: success(
        'A page of messages. `dropped` counts messages removed because the outbox was full, `dropped_by` is the limit: `count` (`--outbox-limit`), `bytes` (`--outbox-bytes`), or `total_bytes` of the whole mock.',
        page,
      ),
    },
    run: async (request) => ({ body: await runInSteps(pageInSteps(request)) }),
  },
  {
    method: 'GET',
    path: '/outbox/wait',
    longLived: true,
    doc: {
      id: 'waitForMessages',
      summary: 'Wait for matching messages',
      description:
        'Responds like the list as soon as `count` messages match the filters; messages captured earlier count too. With `since`, only messages after that cursor count. `absent=true` inverts the wait: it succeeds when fewer than `count` messages match within `timeout_ms`.',
      query: { ...filters, ...since, ...paging, ...waiting },
      replies: waitReplies(
        'The matching messages, as in the list; with `absent`, fewer than `count` matched.',
        'message',
        ref('MessageSummary'),
        page,
      ),
    },
    run: (request) => {
      const { outbox } = request.workspace;
      const filter = filterOf(request.query);
      return waitFor(request, {
        itemName: 'messages',
        singular: 'message',
        wait: (options) => outbox.wait(filter, options),
        pageInSteps: () => pageInSteps(request),
        *nearMissesInSteps() {
          const misses = yield* outbox.nearMissesInSteps(filter, request.query.since);
          return misses.map(({ item, failed }) => ({ message: summary(item), failed }));
        },
      });
    },
  },
  {
    method: 'GET',
    path: '/outbox/:id',
    doc: {
      id: 'getMessage',
      summary: 'Get a message (`latest` for the newest)',
      description:
        'The message as captured, with `text` (its text in lines), `links` (URLs in the message), `codes` (possible one-time codes) and `snippet` (the beginning of the text). All four are read from the first 524,288 characters of the HTML.',
      replies: success('The message, its text, links and possible one-time codes.', ref('Message')),
    },
    run: (request) => {
      const message = messageOf(request);
      return { body: { ...message, snippet: snippetOf(message), ...contentsOf(message.html) } };
    },
  },
  {
    method: 'GET',
    path: '/outbox/:id/html',
    doc: {
      id: 'getMessageHtml',
      summary: 'Get the HTML of a message, safe to display',
      description:
        'The original HTML with a Content-Security-Policy that blocks scripts, external content and navigation of the frame.',
      replies: { 200: { description: 'The original HTML.', type: 'text/html' } },
    },
    run: (request) => html(messageOf(request)),
  },
  {
    method: 'GET',
    path: '/outbox/:id/eml',
    doc: {
      id: 'getMessageEml',
      summary: 'Download a message as an .eml file',
      description:
        'An RFC 5322 message with the HTML as its only part. A `to` or `from` value that is not an address is placed in `X-To-As-Sent` or `X-From-As-Sent`. Line breaks in the subject become spaces, and a header is cut after 65,536 characters; line breaks in the HTML become CR LF.',
      replies: { 200: { description: 'The message in RFC 5322 format.', type: 'message/rfc822' } },
    },
    run: async (request) => {
      const { disposition, body } = await createEml(messageOf(request));
      return {
        headers: {
          'content-type': 'message/rfc822',
          'content-disposition': disposition,
          'x-content-type-options': 'nosniff',
        },
        body,
      };
    },
  },
  {
    method: 'DELETE',
    path: '/outbox/:id',
    doc: {
      id: 'deleteMessage',
      summary: 'Delete a message',
      description: 'By its id, or `latest`. Ids are not reused before a reset.',
      replies: success('The id of the deleted message.', ref('Deleted')),
    },
    run: (request) => {
      const { id } = messageOf(request);
      request.workspace.outbox.remove(id);
      return { body: { deleted: id } };
    },
  },
  {
    method: 'DELETE',
    path: '/outbox',
    doc: {
      id: 'deleteMessages',
      summary: 'Delete all messages (requires `{"all": true}`)',
      description:
        'The body must be `{"all": true}`, so that a request for one message cannot delete all of them by mistake. Ids continue from the last one.',
      body: ref('All'),
      replies: success('The number of deleted messages.', ref('Deleted')),
    },
    run: ({ workspace }) => {
      const deleted = workspace.outbox.size();
      workspace.outbox.clear();
      return { body: { deleted } };
    },
  },
]);

const filterOf = ({ to, from, subject, template_id, q }: AdminRequest['query']): MessageFilter => ({
  to,
  from,
  subject,
  template_id,
  q,
});

const pageInSteps = function* (request: AdminRequest): Generator<undefined, WaitedPage> {
  const { outbox } = request.workspace;
  const { messages, ...rest } = yield* outbox.pageInSteps(filterOf(request.query), rangeOf(request.query));
  return {
    messages: lazily(messages, summary),
    ...rest,
    dropped: outbox.dropped(),
    dropped_by: outbox.droppedBy(),
  };
};

const messageOf = ({ workspace: { outbox }, params: { id = '' } }: AdminRequest): Message =>
  requireItem(
    id === 'latest' ? outbox.latest() : outbox.get(id),
    'there is no such message in this outbox',
    'GET /__admin/outbox lists them; another key has another outbox.',
  );

/** A message in a list, without its body: a list may have a thousand messages. */
const summary = (message: Message): object => {
  const { html: _html, variables: _variables, ...rest } = message;
  return { ...rest, snippet: snippetOf(message) };
};
