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

/** The messages of one workspace, oldest dropped beyond the limit. */
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

export const createOutbox = (limit: number): Outbox => {
  const messages = new Map<string, Message>();
  let dropped = 0;
  return {
    add: (message) => {
      messages.set(message.id, message);
      if (messages.size <= limit) return;
      const oldest = messages.keys().next().value;
      if (oldest !== undefined) messages.delete(oldest);
      dropped += 1;
    },
    get: (id) => messages.get(id),
    latest: () => [...messages.values()].at(-1),
    list: (filter = {}) => [...messages.values()].reverse().filter((message) => matches(message, filter)),
    remove: (id) => messages.delete(id),
    clear: () => {
      messages.clear();
      dropped = 0;
    },
    size: () => messages.size,
    dropped: () => dropped,
  };
};

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
