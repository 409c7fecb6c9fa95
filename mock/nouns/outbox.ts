import { copyOf } from '../contract/document.ts';
import { type CapturedMessage, contentsOf, createTextSearch, digestOf } from '../mail/captured.ts';
import type { MailContents } from '../mail/contents.ts';
import { createEml } from '../mail/eml.ts';
import { mailHeaders } from '../mail/preview.ts';
import { foldCase, includesFolded, matchesAddress } from '../mail/search.ts';
import type { Message, MessageFilter, MessageInput } from '../mail/template.ts';
import type { WarningId } from '../mail/warnings.ts';
import { type Explain, findIn, type LogView, logRoutes } from '../route/logs.ts';
import { type AdminRequest, type PartSettings, RawReply, requireItem } from '../route/noun.ts';
import { messageFilters, ref, success } from '../route/schemas.ts';
import { elapsedMs, nextTurn } from '../runtime/timers.ts';
import { messageId, nameItems } from '../store/ids.ts';
import { createLog, testsOf } from '../store/log.ts';
import { limits } from '../store/store.ts';

/** The messages of one workspace, the newest of which are kept. */
export type Outbox = ReturnType<typeof createOutbox>;

type NamedMessage = MessageInput & Pick<Message, 'id'>;

export const createOutbox = (settings: PartSettings, given: readonly MessageInput[] = []) => {
  const { outboxLimit, now } = settings;
  const time = now();
  const { named, lastNumber } = nameItems(given, 'id', messageId, settings.lastNumber);
  const log = createLog<Message>({
    ...settings,
    items: named.slice(-outboxLimit).map((message) => complete(message, time)),
    bounds: { count: outboxLimit, length: limits.outboxLength },
    idOf: messageId,
    lastNumber,
  });
  return {
    ...log,
    capture: (message: MessageInput): Message => log.add(complete({ ...message, id: log.nextId() }, now())),
  };
};

/** Fills in what a message lacks. */
const complete = (message: NamedMessage, time: string): Message => ({
  id: message.id,
  operation: message.operation,
  request_id: message.request_id ?? null,
  to: message.to ?? null,
  from: message.from ?? null,
  subject: message.subject ?? null,
  html: message.html ?? null,
  template_id: message.template_id ?? null,
  variables: message.variables ?? null,
  created_at: message.created_at ?? time,
});

// An address must match as a whole, ignoring case.
const matchesField = (field: 'to' | 'from', expected: string): ((message: Message) => boolean) => {
  const searched = foldCase(expected);
  return (message) => message[field] !== null && matchesAddress(message[field], searched);
};

const tests: {
  readonly [Name in keyof MessageFilter]-?: (expected: string) => (message: Message) => boolean;
} = {
  to: (expected) => matchesField('to', expected),
  from: (expected) => matchesField('from', expected),
  subject: (expected) => {
    const searched = foldCase(expected);
    return ({ subject }) => subject !== null && includesFolded(subject, searched);
  },
  template_id: (expected) => (message) => message.template_id === expected,
  warning: (expected) => (message) => digestOf(message).warnings.some(({ id }) => id === expected),
  q: createTextSearch,
};

/** A message in a list, without its body: a list may have a thousand messages. */
export type MessageSummary = Omit<Message, 'html' | 'variables'> & {
  readonly snippet: string;
  readonly warning_ids: readonly WarningId[];
};

const summary = (message: Message): MessageSummary => {
  const { html: _html, variables: _variables, ...rest } = message;
  const { snippet, warnings } = digestOf(message);
  return { ...rest, snippet, warning_ids: warnings.map(({ id }) => id) };
};

/** A copy of a message with its snippet, text, links, codes and warnings, which are computed on first access: a list may have a thousand mails. */
const withContents = (message: Message): CapturedMessage => {
  let cached: MailContents | undefined;
  const contents = (): MailContents => {
    cached ??= contentsOf(message);
    return cached;
  };
  return Object.defineProperties(copyOf(message) as CapturedMessage, {
    snippet: { enumerable: true, get: () => digestOf(message).snippet },
    text: { enumerable: true, get: () => contents().text },
    links: { enumerable: true, get: () => [...contents().links] },
    codes: { enumerable: true, get: () => [...contents().codes] },
    warnings: { enumerable: true, get: () => copyOf(digestOf(message).warnings) },
  });
};

// The largest message takes less than 200 ms more.
const maxTurnMs = 50;

/** Reads messages before they are shown or searched. What is read is kept, but a thousand large ones take seconds at first. */
const readInTurns = async (messages: readonly Message[]): Promise<void> => {
  let started = elapsedMs();
  for (const message of messages) {
    digestOf(message);
    if (elapsedMs() - started < maxTurnMs) continue;
    await new Promise<void>(nextTurn);
    started = elapsedMs();
  }
};

type Parts = { readonly outbox: Outbox; readonly explain: Explain };

export const messages: LogView<Message, Parts> = {
  item: 'message',
  log: ({ outbox }) => outbox,
  tests: (query) => testsOf(tests, query),
  read: (parts, query) => {
    const isSearched = query.q !== undefined || query.warning !== undefined;
    return readInTurns(isSearched ? parts.outbox.all() : findIn(messages, parts, query).items);
  },
  summary,
  full: withContents,
};

const messageOf = (outbox: Outbox, { id }: AdminRequest): Message =>
  requireItem(
    id === 'latest' ? outbox.latest() : outbox.get(id),
    'there is no such message in this outbox',
    'GET /__admin/outbox lists them; another key has another outbox.',
  );

/** The messages captured instead of sent. Reading changes nothing. */
export const outboxRoutes = logRoutes(
  '/outbox',
  messages,
  messageFilters,
  {
    list: 'Captured messages; nothing is ever sent. All filters must match. Pass the `cursor` as `since` to get newer messages only.',
    left: 'bodies',
  },
  {
    'GET /outbox/{id}': {
      id: 'getMessage',
      summary: 'Get a message (`latest` for the newest)',
      description:
        'The message as captured, with `text` (its text in lines), `links` (URLs in the message), `codes` (possible one-time codes), `snippet` (the beginning of the text) and `warnings` (what is probably wrong with it). They are read from the first 524,288 characters of the HTML.',
      replies: success('The message, its text, links, possible one-time codes and warnings.', ref('Message')),
      run: async ({ outbox }, request) => {
        const message = messageOf(outbox, request);
        await readInTurns([message]);
        return withContents(message);
      },
    },
    'GET /outbox/{id}/html': {
      id: 'getMessageHtml',
      summary: 'Get the HTML of a message, safe to display',
      description:
        'The original HTML with a Content-Security-Policy that blocks scripts, external content and navigation of the frame.',
      replies: { 200: { description: 'The original HTML.', type: 'text/html' } },
      run: ({ outbox }, request) => new RawReply(messageOf(outbox, request).html ?? '', mailHeaders()),
    },
    'GET /outbox/{id}/eml': {
      id: 'getMessageEml',
      summary: 'Download a message as an .eml file',
      description:
        'An RFC 5322 message with the HTML as its only part. A `to` or `from` value that is not an address is placed in `X-To-As-Sent` or `X-From-As-Sent`. Line breaks in the subject become spaces, and a header is cut after 65,536 characters.',
      replies: { 200: { description: 'The message in RFC 5322 format.', type: 'message/rfc822' } },
      run: ({ outbox }, request) => {
        const { disposition, body } = createEml(messageOf(outbox, request));
        return new RawReply(body, {
          'content-type': 'message/rfc822',
          'content-disposition': disposition,
          'x-content-type-options': 'nosniff',
        });
      },
    },
    'DELETE /outbox/{id}': {
      id: 'deleteMessage',
      summary: 'Delete a message',
      description: 'By its id, or `latest`. Ids are not reused before a reset.',
      replies: success('The id of the deleted message.', ref('Deleted')),
      run: ({ outbox }, request) => {
        const { id } = messageOf(outbox, request);
        outbox.remove(id);
        return { deleted: id };
      },
    },
  },
);
