/** A message captured instead of sent (§4.1, §4.3): exactly what the request carried and what was rendered from it. */
export type Message = {
  readonly id: string;
  readonly operation: 'sendEmail' | 'sendTemplateEmail';
  /** `null` where the request named none. */
  readonly from: string | null;
  readonly to: string | null;
  readonly subject: string | null;
  readonly html: string | null;
  readonly template_id: string | null;
  readonly variables: Readonly<Record<string, string>> | null;
  /** ISO 8601, UTC. */
  readonly created_at: string;
};

export type MessageFilter = {
  readonly to?: string | undefined;
  readonly from?: string | undefined;
  readonly subject?: string | undefined;
  readonly template_id?: string | undefined;
};

/** The messages of one workspace, bounded by number and by size: the oldest are dropped. */
export type Outbox = {
  readonly add: (message: Message) => void;
  readonly get: (id: string) => Message | undefined;
  readonly latest: () => Message | undefined;
  /** Newest first. */
  readonly list: (filter?: MessageFilter) => Message[];
  readonly remove: (id: string) => boolean;
  readonly clear: () => void;
  readonly size: () => number;
  /** How many were dropped because the outbox was full, since the last clear. */
  readonly dropped: () => number;
};

// Beyond any sensible test, and small enough that a client in a loop does not fill the memory of a machine.
const mostCharacters = 64 * 1024 * 1024;

export const createOutbox = (limit: number, characters = mostCharacters): Outbox => {
  const messages = new Map<string, Message>();
  let dropped = 0;
  let held = 0;
  const remove = (id: string): boolean => {
    const message = messages.get(id);
    held -= message ? sizeOf(message) : 0;
    return messages.delete(id);
  };
  return {
    add: (message) => {
      messages.set(message.id, message);
      held += sizeOf(message);
      while (messages.size > limit || (held > characters && messages.size > 1)) {
        remove(messages.keys().next().value ?? '');
        dropped += 1;
      }
    },
    get: (id) => messages.get(id),
    latest: () => [...messages.values()].at(-1),
    list: (filter = {}) => [...messages.values()].reverse().filter((message) => matches(message, filter)),
    remove,
    clear: () => {
      messages.clear();
      dropped = 0;
      held = 0;
    },
    size: () => messages.size,
    dropped: () => dropped,
  };
};

const sizeOf = ({ html, subject, from, to, template_id, variables }: Message): number =>
  [html, subject, from, to, template_id, ...Object.entries(variables ?? {}).flat()].reduce(
    (sum, text) => sum + (text?.length ?? 0),
    0,
  );

const matches = (message: Message, filter: MessageFilter): boolean =>
  (Object.entries(filter) as [keyof MessageFilter, string | undefined][]).every(
    ([field, wanted]) => wanted === undefined || fits(field, message[field], wanted),
  );

// Addresses and ids are compared whole, without regard to case for addresses; a subject by what it contains.
const fits = (field: keyof MessageFilter, value: string | null, wanted: string): boolean => {
  if (value === null) return false;
  if (field === 'template_id') return value === wanted;
  if (field === 'subject') return value.toLowerCase().includes(wanted.toLowerCase());
  return value.toLowerCase() === wanted.toLowerCase();
};
