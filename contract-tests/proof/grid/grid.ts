// Broken servers that no check was written for: every event that may cause damage, with every kind of damage.
import { createHash } from 'node:crypto';
import { type BrokenDeployment, baseAt, baseShowingTexts, server } from '../broken/mutation.ts';
import type { Reason } from '../server/behaviour.ts';
import { after, afterRefusal, type Cause, isKeyRefused, refuse, textsOf } from '../server/mutation.ts';
import { leadTexts } from '../server/operations.ts';
import type { StoredLead, Texts } from '../server/store.ts';
import type { Call, Mutation, Operation, Reply } from '../server/types.ts';

/** What an effect may change: the leads that exist, and what later requests get. */
type World = {
  /** Living leads, the oldest first, without the one that the event is about. */
  readonly others: readonly StoredLead[];
  /** The lead that the event is about. */
  readonly own: StoredLead | undefined;
} & Memory;

/** What the server remembers from request to request. */
type Memory = {
  /** How many requests the server has had. */
  count: number;
  /** The lead of the latest update before the event, with its texts before that update. */
  updated: { readonly lead: StoredLead; readonly before: Texts } | undefined;
  /** The lead that was deleted before the event. */
  deleted: StoredLead | undefined;
  /** Leads whose updates are refused from now on. */
  readonly locked: Set<string>;
  /** Operations whose next request is refused. */
  readonly refusing: Set<Call['operation']>;
};

type Effect = {
  readonly id: string;
  readonly title: string;
  /** The check that says what is wrong; another one of its level finds it as well. */
  readonly breaks: string;
  /** Whether it shows only in the texts of a lead. */
  readonly changesTexts?: true;
  readonly act: (world: World) => void;
};

/** A lead that an effect may concern, by its place. */
const places = {
  own: { title: 'the lead', of: ({ own }: World) => own },
  newest: { title: 'the newest other lead', of: ({ others }: World) => others.at(-1) },
  oldest: { title: 'the oldest other lead', of: ({ others }: World) => others[0] },
} as const;

type Place = keyof typeof places;

const altered = 'altered by another request';

const changeTexts = (id: string, title: string, act: Effect['act']): Effect => ({
  id,
  title,
  breaks: 'leads.update.lasts',
  changesTexts: true,
  act,
});

const alter = (place: Place): readonly Effect[] =>
  leadTexts.map((field) =>
    changeTexts(`alter-${field}-of-${place}`, `${places[place].title} gets another ${field}`, (world) => {
      const lead = places[place].of(world);
      if (lead) lead[field] = altered;
    }),
  );

/** Leads that have a text in common with the lead of the event, or with the newest one. */
const namesakes = ({ own, others }: World, shared: keyof Texts): readonly StoredLead[] => {
  const model = own ?? others.at(-1);
  return others.filter((lead) => lead !== model && lead[shared] === model?.[shared]);
};

const alterNamesakes = (shared: keyof Texts, changed: keyof Texts): Effect =>
  changeTexts(
    `alter-${changed}-of-same-${shared}`,
    `leads with the same ${shared} get another ${changed}`,
    (world) => {
      for (const lead of namesakes(world, shared)) lead[changed] = altered;
    },
  );

const refuseNext = (operation: Operation, word: string, breaks: string): Effect => ({
  id: `refuse-next-${word}`,
  title: `the next ${word} is refused`,
  breaks,
  act: ({ refusing }) => void refusing.add(operation),
});

const hide = (
  id: string,
  title: string,
  leads: (world: World) => readonly (StoredLead | undefined)[],
): Effect => ({
  id: `hide-${id}`,
  title: `${title} gone`,
  breaks: 'leads.delete.nothing-else',
  act: (world) => {
    for (const lead of leads(world)) if (lead) lead.deleted = new Date();
  },
});

const hideAt = (place: Place): Effect =>
  hide(place, `${places[place].title} is`, (world) => [places[place].of(world)]);

const lock = (place: Place): Effect => ({
  id: `lock-${place}`,
  title: `${places[place].title} takes no more updates`,
  breaks: 'leads.update.repeatable',
  act: (world) => void world.locked.add(places[place].of(world)?.id ?? ''),
});

const effects: readonly Effect[] = [
  changeTexts('undo', 'the latest update is undone', ({ updated }) => {
    if (updated && !updated.lead.deleted) Object.assign(updated.lead, updated.before);
  }),
  {
    id: 'revive',
    title: 'the lead that was deleted last exists again',
    breaks: 'leads.delete.removes',
    act: ({ deleted }) => void delete deleted?.deleted,
  },
  ...alter('newest'),
  alterNamesakes('source', 'note'),
  alterNamesakes('note', 'note'),
  alterNamesakes('name', 'source'),
  lock('newest'),
  lock('own'),
  refuseNext('addLead', 'add', 'leads.add.every-time'),
  refuseNext('updateLead', 'update', 'leads.update.every-time'),
  refuseNext('deleteLead', 'delete', 'leads.delete.every-time'),
  refuseNext('sendEmail', 'mail', 'email.send.every-time'),
  hideAt('newest'),
  hideAt('oldest'),
];

/** Effects of the second grid, which has other events as well. */
const otherEffects: readonly Effect[] = [
  ...alter('oldest'),
  changeTexts('swap-notes', 'the two newest others swap their notes', ({ others }) => {
    const [left, right] = others.slice(-2);
    if (left && right) [left.note, right.note] = [right.note, left.note];
  }),
  changeTexts(
    'copy-name',
    'the oldest other lead gets the name of the newest',
    ({ others: [oldest, ...later] }) => {
      if (oldest) oldest.name = later.at(-1)?.name ?? '';
    },
  ),
  changeTexts('empty-note', 'the lead, or else the newest, loses its note', ({ own, others }) => {
    Object.assign(own ?? others.at(-1) ?? {}, { note: '' });
  }),
  lock('oldest'),
  hide('same-note', 'other leads with the same note are', (world) => namesakes(world, 'note')),
  refuseNext('listTemplates', 'list', 'templates.list.every-time'),
  refuseNext('sendTemplateEmail', 'template-mail', 'email.template.every-time'),
];

/** The reply to a request that a lock or a refusal concerns. */
const refusal = refuse(409, 'this cannot be done now');

/** The event that causes an effect, of which the server counts its requests, and the milliseconds until its effect. */
type Trigger = readonly [
  id: string,
  title: string,
  occurs: (call: Call, reply: Reply, count: number) => boolean,
  delayMs?: number,
];

const onRefusal =
  (reason: Reason): Cause =>
  (_, { refused }) =>
    refused === reason;

const every =
  (nth: number): Trigger[2] =>
  (_call, _reply, count) =>
    count % nth === 0;

const triggers: readonly Trigger[] = [
  ['after-list', 'after a list', after('listTemplates')],
  ['after-mail', 'after a mail', after('sendEmail')],
  ['after-template-mail', 'after a template mail', after('sendTemplateEmail')],
  ['after-add', 'after an addition', after('addLead')],
  ['after-update', 'after an update', after('updateLead')],
  ['after-delete', 'after a deletion', after('deleteLead')],
  ['after-refusal', 'after a request with wrong fields', onRefusal('fields')],
  ['after-unknown-lead', 'after a request for an unknown lead', onRefusal('lead')],
  ['after-wrong-key', 'after a wrong key', onRefusal('key')],
  ['every-7', 'at every request number 7', every(7)],
  ['every-23', 'at every request number 23', every(23)],
  ['later', 'half a second after an update', after('updateLead'), 500],
];

const everySecond =
  (operation: Operation): Cause =>
  (call, reply) =>
    call.nth % 2 === 0 && after(operation)(call, reply);

const otherTriggers: readonly Trigger[] = [
  ['after-2nd-list', 'after every second list', everySecond('listTemplates')],
  ['after-2nd-mail', 'after every second mail', everySecond('sendEmail')],
  ['after-2nd-add', 'after every second addition', everySecond('addLead')],
  ['after-2nd-delete', 'after every second deletion', everySecond('deleteLead')],
  ['after-unknown-template', 'after a mail from an unknown template', onRefusal('template')],
  ['after-no-json', 'after malformed JSON', onRefusal('json')],
  ['after-refused-mail', 'after a refused mail', afterRefusal('sendEmail', 'fields')],
  ['every-11', 'at every request number 11', every(11)],
  ['every-31', 'at every request number 31', every(31)],
  ['later-than-mail', '300 ms after a mail', after('sendEmail'), 300],
];

const memoryOf = (memory: Map<string, unknown>): Memory => {
  const none = { count: 0, updated: undefined, deleted: undefined, locked: new Set(), refusing: new Set() };
  const kept = (memory.get('grid') ?? none) as Memory;
  memory.set('grid', kept);
  return kept;
};

const mutationOf = ([, , occurs, delayMs = 0]: Trigger, { act }: Effect): Mutation => ({
  handle: (call, next, { store, memory, after: later }) => {
    const state = memoryOf(memory);
    state.count += 1;
    const lead = store.find(call.id);
    const before = lead && textsOf(lead);
    const isLocked = call.operation === 'updateLead' && lead !== undefined && state.locked.has(lead.id);
    if ((isLocked || state.refusing.has(call.operation)) && !isKeyRefused(call, next)) {
      state.refusing.delete(call.operation);
      return refusal;
    }
    const reply = next(call);
    if (occurs(call, reply, state.count)) {
      const own = lead ?? (call.operation === 'addLead' ? store.leads.at(-1) : undefined);
      // The update or deletion before this request, which itself may be one.
      const remembered = { ...state };
      const damage = (): void =>
        act({ ...remembered, own, others: store.living().filter((other) => other !== own) });
      if (delayMs > 0) later(delayMs, damage);
      else damage();
    }
    if (lead && before && after('updateLead')(call, reply)) state.updated = { lead, before };
    if (lead && after('deleteLead')(call, reply)) state.deleted = lead;
    return reply;
  },
});

/** Effects of an event on itself, which are no defect, or which nobody can see. */
const isVoid = ([id]: Trigger, effect: Effect): boolean =>
  effect.id === 'lock-own' && !['after-update', 'after-add', 'after-refusal', 'later'].includes(id);

/** A server for each event with each effect. */
const combine = (events: readonly Trigger[], damages: readonly Effect[]): readonly BrokenDeployment[] =>
  events.flatMap((trigger, row) =>
    damages.flatMap((effect, column) =>
      isVoid(trigger, effect)
        ? []
        : [
            {
              ...server(
                `${trigger[1]}: ${effect.title}`,
                effect.breaks,
                (effect.changesTexts ? baseShowingTexts : baseAt)(row * 3 + column),
              ).with(mutationOf(trigger, effect)),
              id: `grid-${trigger[0]}-${effect.id}`,
            },
          ],
    ),
  );

export const grid: readonly BrokenDeployment[] = [
  ...combine(triggers, effects),
  ...combine(otherTriggers, otherEffects),
];

/** Half of the grid, chosen by the digest of the id. It is only counted: nobody looks at its members while a check is written. */
export const isHeldOut = ({ id }: { readonly id: string }): boolean =>
  (createHash('sha256').update(id).digest()[0] ?? 0) % 2 === 1;
