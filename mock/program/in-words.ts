import type { Message, MessageFilter } from '../message.ts';
import type { RequestFilter } from './mock-workspace.ts';

const mostNamed = 3;

export const wantedMessage = (filter: MessageFilter): string => `a message with ${JSON.stringify(filter)}`;

/** The first few of them. */
export const namedMessages = (messages: readonly Pick<Message, 'id' | 'to' | 'subject'>[]): string =>
  messages
    .slice(0, mostNamed)
    .map(({ id, to, subject }) => `${id} to ${to ?? 'nobody'}${subject === null ? '' : ` "${subject}"`}`)
    .join(', ');

export const wantedRequest = (filter: RequestFilter): string => `a request with ${JSON.stringify(filter)}`;

type Named = { readonly method: string; readonly path: string; readonly status: number };

/** The first few of them. */
export const namedRequests = (requests: readonly Named[]): string =>
  requests
    .slice(0, mostNamed)
    .map(({ method, path, status }) => `${method} ${path} → ${status}`)
    .join(', ');
