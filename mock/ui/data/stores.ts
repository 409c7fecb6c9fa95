import type { EventKind } from '../../nouns/index.ts';
import type { Method } from './api.ts';

export type StoreView = 'messages' | 'requests' | 'leads' | 'templates';

type Store = {
  /** Of the list in the admin API. Its items are below it. */
  readonly path: string;
  readonly event: EventKind;
  /** How an item is changed; items of the other lists stay as they are. */
  readonly save?: Method;
};

/** The views that are lists. */
export const stores: Readonly<Record<StoreView, Store>> = {
  messages: { path: '/outbox', event: 'outbox' },
  requests: { path: '/requests', event: 'requests' },
  leads: { path: '/leads', event: 'leads', save: 'PATCH' },
  templates: { path: '/templates', event: 'templates', save: 'PUT' },
};

export const itemPath = (view: StoreView, id: string): string =>
  `${stores[view].path}/${encodeURIComponent(id)}`;

/** What an item of the view is called. */
export const nounOf = (view: StoreView): string => view.slice(0, -1);

export const capitalize = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}`;
