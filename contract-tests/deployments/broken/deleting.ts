import type { Fault } from '../exchange.ts';
import type { StoredLead } from '../store.ts';
import { breaking, documented } from './breaking.ts';
import { onSuccess } from './faults.ts';

const deleting = breaking('delete-effect');

/** Instead of the lead of the path, or beside it, `choose` says what goes. */
const removing = (
  choose: (lead: StoredLead, living: readonly StoredLead[]) => readonly StoredLead[],
): Fault => ({
  around: (call, next, { store }) => {
    const lead = store.find(call.id);
    const living = store.living();
    const reply = next(call);
    if (call.operation !== 'deleteLead' || reply.refused || !lead) return reply;
    delete lead.deleted;
    for (const one of choose(lead, living)) store.remove(one);
    return reply;
  },
});

const beside = (lead: StoredLead, living: readonly StoredLead[], by: number) =>
  living[living.indexOf(lead) + by];
const some = (...leads: (StoredLead | undefined)[]) => leads.filter((lead) => lead !== undefined);

/** §4.7: the lead of the path goes, and no other. */
export const deletions = [
  deleting(
    'delete-does-nothing',
    'Delete lead confirms and does nothing',
    'plain',
    documented('4.7'),
    removing(() => []),
  ),
  deleting(
    'delete-takes-previous-too',
    'Delete lead takes the lead before with it',
    'plain',
    documented('4.7'),
    removing((lead, living) => some(lead, beside(lead, living, -1))),
  ),
  deleting(
    'delete-takes-next-too',
    'Delete lead takes the lead after with it',
    'integer-ids',
    documented('4.7'),
    removing((lead, living) => some(lead, beside(lead, living, 1))),
  ),
  deleting(
    'delete-takes-next-instead',
    'Delete lead deletes the lead after instead',
    'plain',
    documented('4.7'),
    removing((lead, living) => some(beside(lead, living, 1) ?? beside(lead, living, -1))),
  ),
  deleting(
    'delete-takes-latest',
    'Delete lead deletes the latest lead, whatever the id',
    'uuid-ids',
    documented('4.7'),
    removing((_, living) => some(living.at(-1))),
  ),
  deleting(
    'delete-takes-same-note',
    'Delete lead takes every lead of the same note with it',
    'plain',
    documented('4.7'),
    removing((lead, living) => living.filter(({ note }) => note === lead.note)),
  ),
  deleting(
    'delete-takes-all',
    'Delete lead deletes every lead',
    'refusals-at-200',
    documented('4.7'),
    removing((_, living) => living),
  ),
  deleting(
    'delete-every-other-lost',
    'Every other deletion is confirmed and not done',
    'bodies-422',
    documented('4.7'),
    {
      around: (call, next, tools) =>
        (call.nth % 2 ? next(call) : removing(() => []).around?.(call, next, tools)) ?? next(call),
    },
  ),
  deleting(
    'delete-done-but-refused',
    'Delete lead deletes, and answers 404',
    'strict-fields',
    documented('4.7'),
    onSuccess('deleteLead', () => ({
      status: 404,
      refused: 'lead',
      body: { success: false, error: 'not found' },
    })),
  ),
  deleting(
    'delete-by-second-request',
    'Delete lead confirms at once and deletes when asked again',
    'plain',
    documented('4.7'),
    {
      around: (call, next, tools) => {
        const again = tools.memory.has(call.id);
        if (call.operation === 'deleteLead') tools.memory.set(call.id, true);
        return again ? next(call) : (removing(() => []).around?.(call, next, tools) ?? next(call));
      },
    },
  ),
];
