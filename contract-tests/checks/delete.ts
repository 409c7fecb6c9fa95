import { type ActiveCheck, CheckInconclusive, type ClosingCheck, fail, show } from '../check.ts';
import { cleanUp } from '../client.ts';
import { likeness } from '../controls.ts';
import { type Exchange, wordsOf } from '../exchange.ts';
import {
  afterDelete,
  expectGone,
  expectNotesKept,
  expectThere,
  mostPatience,
  needsUpdates,
  relatives,
  severalLeads,
  succeeded,
} from '../lead-facts.ts';
import type { OwnLead, Session } from '../session.ts';

const remove = { operation: 'deleteLead', needs: 'writes', section: '4.7' } as const;

export const deleteChecks: readonly ActiveCheck[] = [
  {
    id: 'leads.delete.removes',
    title: 'a deleted lead is gone and stays gone',
    level: 'documented',
    ...remove,
    run: async (session) => {
      needsUpdates(session);
      // Four, fresh and updated ones: some servers forget to delete now and then, or delete only what is as it was.
      for (let round = 0; round < 4; round += 1) {
        const lead = await session.ownLead();
        if (round % 2 === 1) await session.updateLead(lead, session.newNote());
        succeeded(await session.deleteLead(lead));
        if (round >= 2) await session.addLead();
        await expectGone(session, lead);
      }
    },
  },
  {
    id: 'leads.delete.removes-at-once',
    title: 'leads deleted at once are all gone',
    level: 'documented',
    ...remove,
    run: async (session) => {
      needsUpdates(session);
      const leads = await severalLeads(session, 4);
      const replies = await Promise.all(leads.map((lead) => session.deleteLead(lead)));
      for (const [index, lead] of leads.entries()) {
        if (replies[index]?.outcome === 'success') await expectGone(session, lead);
      }
    },
  },
  {
    id: 'leads.delete.refuses-update',
    title: 'an update of a deleted lead is refused',
    level: 'derived',
    ...remove,
    run: async (session) => {
      needsUpdates(session);
      const lead = await session.ownLead();
      succeeded(await session.deleteLead(lead));
      const after = await afterDelete(session, lead);
      if (after.outcome === 'success') fail('a refusal', 'success', after);
    },
  },
  {
    id: 'leads.delete.that-lead-only',
    title: 'deleting a lead leaves every other, also one of the same name or source',
    level: 'documented',
    ...remove,
    run: async (session) => {
      needsUpdates(session);
      const before = await session.ownLead();
      const [gone, ...others] = await relatives(session);
      const last = await session.ownLead();
      // Neighbours, the first and the last one must all survive.
      const survivors = [before, ...others, last];
      for (const lead of survivors) await session.updateLead(lead, session.newNote());
      succeeded(await session.deleteLead(gone));
      for (const lead of survivors) await expectThere(session, lead, 'another was deleted');
    },
  },
  {
    id: 'leads.delete.keeps-notes',
    title: 'deleting a lead leaves the notes of the others',
    level: 'documented',
    ...remove,
    run: async (session) => {
      needsUpdates(session);
      const [gone, ...others] = await relatives(session);
      await expectNotesKept(session, others, async () => {
        succeeded(await session.deleteLead(gone));
      });
    },
  },
];

/** A lead too young to be known everywhere proves nothing. */
const settled = 3000;

/** Deletions of the clean-up that were refused although the lead was there and was not deleted, as far as this run knows. */
const vanished = (session: Session): Exchange[] => {
  const cleaned = session.client.exchanges.filter(
    ({ check, lead }) => check === cleanUp && lead && session.leads.get(lead.id)?.deleted !== true,
  );
  const deleted = new Set(cleaned.filter(({ outcome }) => outcome === 'success').map(({ path }) => path));
  const refusals = cleaned.filter(({ outcome, path }) => outcome === 'refusal' && !deleted.has(path));
  // Refused again a second later, or old enough: not a lead that is only too young to be known.
  return refusals.filter(
    ({ path, lead }) =>
      (lead?.age ?? 0) > settled || refusals.filter((other) => other.path === path).length > 1,
  );
};

/** Whether a lead that nobody has seen yet was only too new to be known, and can be deleted now. */
const turnsUp = async (session: Session, { lead }: Exchange): Promise<boolean> => {
  const id = lead?.id ?? '';
  const own = session.leads.get(id);
  if (own?.deleted === true) return true;
  if (own?.seen !== false) return false;
  const { outcome } = await session.patiently(
    () => session.send('deleteLead', { leadId: id, intent: 'probe' }),
    (exchange) => exchange.outcome === 'success',
    'a new lead could be deleted',
    mostPatience,
  );
  if (outcome === 'success') session.ledger.deleted(id);
  return outcome === 'success';
};

/** What the clean-up brings to light: it touches every lead of the run once more. */
export const closingChecks: readonly ClosingCheck[] = [
  {
    id: 'leads.delete.nothing-else',
    title: 'every lead is there until it is deleted itself',
    level: 'documented',
    ...remove,
    conclude: async (session) => {
      const all = vanished(session);
      const [first] = all;
      if (!first) return;
      const leadId = `contract-test-${session.runId}-unknown`;
      const control = await session.send('deleteLead', { leadId, intent: 'probe' });
      if (likeness(control) !== likeness(first))
        throw new CheckInconclusive(`a deletion was refused: ${wordsOf(first)}`);
      for (const refused of all) {
        if (await turnsUp(session, refused)) continue;
        const id = show(refused.lead?.id);
        fail(`the lead ${id} to be there until the run deletes it`, `gone: ${wordsOf(refused)}`, refused);
      }
    },
  },
  {
    id: 'leads.delete.all-gone',
    title: 'what the run deleted at its end is gone',
    level: 'documented',
    ...remove,
    conclude: async (session) => {
      needsUpdates(session);
      const gone = [...session.leads.values()].filter(({ plain, deleted }) => plain && deleted);
      // From the beginning, the middle and the end: a server may tire of deleting.
      const sample = [0, 0.25, 0.5, 0.75, 1].map((at) => gone[Math.floor(at * (gone.length - 1))]);
      for (const lead of new Set(sample.filter((one): one is OwnLead => one !== undefined)))
        await expectGone(session, lead);
    },
  },
];
