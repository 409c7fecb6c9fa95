import type { EventKind } from '../../nouns/index.ts';
import type { IconName } from '../components/controls.tsx';

type ViewEntry = {
  readonly title: string;
  readonly icon: IconName;
  /** What it shows, in the admin API. The items of a list are below it. */
  readonly path: string;
  /** Tells that it changed. */
  readonly event: EventKind;
  /** How an item of a list is changed; items of the other lists stay as they are. */
  readonly save?: 'PATCH' | 'PUT';
};

/** The views, in the order of the side bar. */
const entries = {
  messages: { title: 'Messages', icon: 'mail', path: '/outbox', event: 'outbox' },
  requests: { title: 'Requests', icon: 'swap', path: '/requests', event: 'requests' },
  leads: { title: 'Leads', icon: 'people', path: '/leads', event: 'leads', save: 'PATCH' },
  templates: { title: 'Templates', icon: 'template', path: '/templates', event: 'templates', save: 'PUT' },
  questions: { title: 'Open questions', icon: 'question', path: '/answers', event: 'answers' },
  faults: { title: 'Faults', icon: 'bolt', path: '/faults', event: 'faults' },
  clock: { title: 'Clock', icon: 'clock', path: '/clock', event: 'clock' },
  state: { title: 'State', icon: 'box', path: '/state', event: 'reset' },
} as const satisfies Readonly<Record<string, ViewEntry>>;

export type View = keyof typeof entries;

/** The views that are lists. */
export type ListView = 'messages' | 'requests' | 'leads' | 'templates';

export const views: Readonly<Record<View, ViewEntry>> = entries;

export const viewNames = Object.keys(entries) as View[];

/** Whether its items are deleted one by one; those of the journal only together. */
export const canDelete = (view: ListView): boolean => view !== 'requests';

export const itemPath = (view: ListView, id: string): string =>
  `${views[view].path}/${encodeURIComponent(id)}`;

/** What an item of the list is called. */
export const nounOf = (view: ListView): string => view.slice(0, -1);

/** `1 request`, `2,000 requests` */
export const countText = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
