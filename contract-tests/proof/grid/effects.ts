import type { StoredLead } from '../server/store.ts';
import type { Call, Operation, Reply } from '../server/types.ts';

/** What an effect may change: the leads that exist, and what later requests get. */
export type World = {
  /** Living leads, the oldest first, without the one that the event is about. */
  readonly others: readonly StoredLead[];
  /** The lead that the event is about. */
  readonly own: StoredLead | undefined;
  /** The lead of the latest update before the event, with its texts before that update. */
  readonly updated: { readonly lead: StoredLead; readonly before: Partial<StoredLead> } | undefined;
  /** The lead that was deleted before the event. */
  readonly deleted: StoredLead | undefined;
  /** Leads whose updates are refused from now on. */
  readonly locked: Set<string>;
  /** Operations whose next request is refused. */
  readonly refusing: Set<Call['operation']>;
};

export type Effect = {
  readonly id: string;
  readonly title: string;
  /** The check that says what is wrong; another one of its level finds it as well. */
  readonly breaks: string;
  /** Whether it shows only in the texts of a lead. */
  readonly changesTexts?: true;
  readonly act: (world: World) => void;
};

type Field = 'name' | 'source' | 'note';

const altered = 'altered by another request';

const alterNewest = (field: Field): Effect => ({
  id: `alter-${field}-of-newest`,
  title: `the newest other lead gets another ${field}`,
  breaks: 'leads.update.that-lead-only',
  changesTexts: true,
  act: ({ others }) => {
    const lead = others.at(-1);
    if (lead) lead[field] = altered;
  },
});

/** Leads that have a text in common with the lead of the event, or with the newest one. */
const alterNamesakes = (shared: Field, changed: Field): Effect => ({
  id: `alter-${changed}-of-same-${shared}`,
  title: `leads with the same ${shared} get another ${changed}`,
  breaks: 'leads.update.that-lead-only',
  changesTexts: true,
  act: ({ own, others }) => {
    const model = own ?? others.at(-1);
    for (const lead of others)
      if (lead !== model && model !== undefined && lead[shared] === model[shared]) lead[changed] = altered;
  },
});

const refuseNext = (operation: Operation, word: string, breaks: string): Effect => ({
  id: `refuse-next-${word}`,
  title: `the next ${word} is refused`,
  breaks,
  act: ({ refusing }) => void refusing.add(operation),
});

const hide = (lead: StoredLead | undefined): void => {
  if (lead) lead.deleted = new Date();
};

export const effects: readonly Effect[] = [
  {
    id: 'undo',
    title: 'the latest update is undone',
    breaks: 'leads.update.lasts',
    changesTexts: true,
    act: ({ updated }) => {
      if (updated && !updated.lead.deleted) Object.assign(updated.lead, updated.before);
    },
  },
  {
    id: 'revive',
    title: 'the lead that was deleted last exists again',
    breaks: 'leads.delete.lasts-a-second',
    act: ({ deleted }) => void delete deleted?.deleted,
  },
  alterNewest('name'),
  alterNewest('source'),
  alterNewest('note'),
  alterNamesakes('source', 'note'),
  alterNamesakes('note', 'note'),
  alterNamesakes('name', 'source'),
  {
    id: 'lock-newest',
    title: 'the newest other lead takes no more updates',
    breaks: 'leads.update.repeatable',
    act: ({ others, locked }) => void locked.add(others.at(-1)?.id ?? ''),
  },
  {
    id: 'lock-own',
    title: 'the lead takes no more updates',
    breaks: 'leads.update.repeatable',
    act: ({ own, locked }) => void locked.add(own?.id ?? ''),
  },
  refuseNext('addLead', 'add', 'leads.add.every-time'),
  refuseNext('updateLead', 'update', 'leads.update.every-time'),
  refuseNext('deleteLead', 'delete', 'leads.delete.every-time'),
  refuseNext('sendEmail', 'mail', 'email.send.every-time'),
  {
    id: 'hide-newest',
    title: 'the newest other lead is gone',
    breaks: 'leads.delete.nothing-else',
    act: ({ others }) => hide(others.at(-1)),
  },
  {
    id: 'hide-oldest',
    title: 'the oldest other lead is gone',
    breaks: 'leads.delete.nothing-else',
    act: ({ others }) => hide(others[0]),
  },
];

/** The reply to a request that a lock or a refusal concerns. */
export const refusal: Reply = {
  status: 409,
  refused: 'fields',
  body: { success: false, error: 'this cannot be done now', message: 'try again' },
};
