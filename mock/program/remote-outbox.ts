import type { Message, MessageFilter } from '../message.ts';
import type { AdminClient } from './admin-client.ts';
import { checkedMessageFilter } from './check-filters.ts';
import { namedMessages, wantedMessage } from './in-words.ts';
import type { CapturedMessage, OneOrMore } from './mock-workspace.ts';
import { remoteWaits, type WaitedFor } from './remote-waits.ts';
import type { RemoteWorkspace } from './remote-workspace.ts';

type Summary = Pick<Message, 'id' | 'to' | 'subject'>;
type Page = { readonly messages: readonly Summary[] };
type Near = { readonly near_misses: readonly { readonly message: Summary }[] };

/** The outbox of a mock that runs elsewhere. */
export const remoteOutbox = (client: AdminClient): RemoteWorkspace['outbox'] => {
  const { call } = client;
  const waits = remoteWaits(client, messages);
  const list = async (filter: MessageFilter, limit = mostListed): Promise<CapturedMessage[]> => {
    const page = await call<Page>('GET', '/outbox', { query: { ...filter, limit } });
    const found: CapturedMessage[] = [];
    for (const { id } of page.messages) found.push(bare(await call('GET', `/outbox/${id}`)));
    return found;
  };
  return {
    list: async (filter) => list(checkedMessageFilter(filter)),
    latest: async (filter) => (await list(checkedMessageFilter(filter), 1))[0],
    waitFor: async (given, options = {}) => {
      const filter = checkedMessageFilter(given);
      await waits.until(filter, options);
      return (await list(filter)) as OneOrMore<CapturedMessage>;
    },
    waitForNone: async (filter, options = {}) => waits.inVain(checkedMessageFilter(filter), options),
    clear: () => client.tell('DELETE', '/outbox', { body: { all: true } }),
  };
};

const messages: WaitedFor<MessageFilter> = {
  path: '/outbox/wait',
  wanted: wantedMessage,
  came: ({ messages: found }: Page) => namedMessages(found),
  near: ({ near_misses }: Near) => namedMessages(near_misses.map(({ message }) => message)),
};

// What a page of the admin API holds at most.
const mostListed = 1000;

/** Without the one thing the admin API says beside it. */
const bare = ({ snippet: _snippet, ...message }: CapturedMessage & { snippet?: string }): CapturedMessage =>
  message;
