// Broken servers that no check was written for: every event that may cause damage, with every kind of damage.
import { createHash } from 'node:crypto';
import { type BrokenDeployment, baseAt, baseShowingTexts, server } from '../broken/mutation.ts';
import type { Reason } from '../server/behaviour.ts';
import { isKeyRefused } from '../server/mutation.ts';
import type { Call, Mutation, Operation, Reply } from '../server/types.ts';
import { type Effect, effects, refusal, type World } from './effects.ts';

/** The event that causes an effect, in the words of ids and of titles. */
type Trigger = {
  readonly id: string;
  readonly title: string;
  /** @param count how many requests the server has had */
  readonly occurs: (call: Call, reply: Reply, count: number) => boolean;
  /** Milliseconds between the event and its effect. */
  readonly delayMs?: number;
};

const after = (operation: Operation, id: string, title: string): Trigger => ({
  id: `after-${id}`,
  title: `after ${title}`,
  occurs: (call, { refused }) => call.operation === operation && !refused,
});

const afterRefusal = (reason: Reason, id: string, title: string): Trigger => ({
  id: `after-${id}`,
  title: `after ${title}`,
  occurs: (_, { refused }) => refused === reason,
});

const every = (nth: number): Trigger => ({
  id: `every-${nth}`,
  title: `at every request number ${nth}`,
  occurs: (_call, _reply, count) => count % nth === 0,
});

const update = after('updateLead', 'update', 'an update');

const triggers: readonly Trigger[] = [
  after('listTemplates', 'list', 'a list'),
  after('sendEmail', 'mail', 'a mail'),
  after('sendTemplateEmail', 'template-mail', 'a template mail'),
  after('addLead', 'add', 'an addition'),
  update,
  after('deleteLead', 'delete', 'a deletion'),
  afterRefusal('fields', 'refusal', 'a request with wrong fields'),
  afterRefusal('lead', 'unknown-lead', 'a request for an unknown lead'),
  afterRefusal('key', 'wrong-key', 'a wrong key'),
  every(7),
  every(23),
  { ...update, id: 'later', title: 'half a second after an update', delayMs: 500 },
];

/** What the server remembers from request to request. */
type Memory = Pick<World, 'locked' | 'refusing'> & {
  count: number;
  updated: World['updated'];
  deleted: World['deleted'];
};

const memoryOf = (memory: Map<string, unknown>): Memory => {
  const kept = (memory.get('grid') as Memory | undefined) ?? {
    count: 0,
    updated: undefined,
    deleted: undefined,
    locked: new Set<string>(),
    refusing: new Set(),
  };
  memory.set('grid', kept);
  return kept;
};

const mutationOf = ({ occurs, delayMs = 0 }: Trigger, { act }: Effect): Mutation => ({
  handle: (call, next, { store, memory }) => {
    const state = memoryOf(memory);
    state.count += 1;
    const lead = store.find(call.id);
    const before = lead && { name: lead.name, source: lead.source, note: lead.note };
    const isLocked = call.operation === 'updateLead' && lead !== undefined && state.locked.has(lead.id);
    if ((isLocked || state.refusing.has(call.operation)) && !isKeyRefused(call, next)) {
      state.refusing.delete(call.operation);
      return refusal;
    }
    const reply = next(call);
    if (occurs(call, reply, state.count)) {
      const own = lead ?? (call.operation === 'addLead' ? store.leads.at(-1) : undefined);
      // The update or deletion before this request, which itself may be one.
      const { updated, deleted, locked, refusing } = state;
      const damage = (): void => {
        const others = store.living().filter((other) => other !== own);
        act({ own, others, updated, deleted, locked, refusing });
      };
      if (delayMs > 0) setTimeout(damage, delayMs).unref();
      else damage();
    }
    if (call.operation === 'updateLead' && !reply.refused && lead && before) state.updated = { lead, before };
    if (call.operation === 'deleteLead' && !reply.refused && lead) state.deleted = lead;
    return reply;
  },
});

/** Effects of an event on itself, which are no defect, or which nobody can see. */
const isVoid = (trigger: Trigger, effect: Effect): boolean =>
  effect.id === 'lock-own' && !['after-update', 'after-add', 'after-refusal', 'later'].includes(trigger.id);

export const grid: readonly BrokenDeployment[] = triggers.flatMap((trigger, row) =>
  effects.flatMap((effect, column) =>
    isVoid(trigger, effect)
      ? []
      : [
          {
            ...server(
              `${trigger.title}: ${effect.title}`,
              effect.breaks,
              (effect.changesTexts ? baseShowingTexts : baseAt)(row * 3 + column),
            ).with(mutationOf(trigger, effect)),
            id: `grid-${trigger.id}-${effect.id}`,
          },
        ],
  ),
);

/** Half of the grid, chosen by the digest of the id. It is only counted: nobody looks at its members while a check is written. */
export const isHeldOut = ({ id }: { readonly id: string }): boolean =>
  (createHash('sha256').update(id).digest()[0] ?? 0) % 2 === 1;
