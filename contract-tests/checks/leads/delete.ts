import { setTimeout as wait } from 'node:timers/promises';
import { cleanUp } from '../../client/client.ts';
import { describeRefusal, type Exchange, isRefusal, responseFingerprint } from '../../client/exchange.ts';
import type { ActiveCheck, ClosingCheck } from '../../session/check.ts';
import { claimOf } from '../../session/operations.ts';
import { CheckInconclusive, fail, show } from '../../session/outcome.ts';
import { maxPropagationMs, type OwnLead } from '../../session/own-lead.ts';
import type { Session } from '../../session/session.ts';
import { isServerError } from '../../session/trouble.ts';
import {
  expectGone,
  expectNotesKept,
  expectThere,
  leadsSharingOneField,
  requireNotRefused,
  requireUpdates,
  updateDeletedLead,
  withEmptyPairs,
} from '../support/lead-assertions.ts';
import { padded } from './text-length.ts';

const deleteLead = claimOf('deleteLead');

/** Fails if a deletion fails twice, or is refused although the lead exists: an update succeeds, and a deletion after it. */
const expectDeleted = async (session: Session, lead: OwnLead, deletion: Exchange): Promise<void> => {
  if (isServerError(deletion) && isServerError(await session.deleteLead(lead)))
    fail('the deletion of an existing lead to succeed', `twice ${describeRefusal(deletion)}`, deletion);
  if (!isRefusal(deletion)) return;
  const update = await session.updateLead(lead, session.newNote());
  if (update.outcome !== 'success' || (await session.deleteLead(lead)).outcome !== 'success') return;
  fail(
    'the deletion of an existing lead to succeed',
    `refused until the lead was updated: ${describeRefusal(deletion)}`,
    deletion,
  );
};

/** Deletes leads with empty texts, a long note and quotation marks, as far as the deployment accepts them. */
const expectUnusualLeadGone = async (session: Session): Promise<void> => {
  const note = session.newNote();
  for (const texts of [{ source: '', note: '' }, { note: padded(note, 2000) }, { note: `"${note}"'s` }]) {
    const { exchange, lead } = await session.addLead({ ...session.newFields(), ...texts }, 'text');
    if (exchange.outcome !== 'success' || !lead || session.leads.get(lead.id) !== lead) continue;
    const deletion = await session.deleteLead(lead);
    await expectDeleted(session, lead, deletion);
    if (deletion.outcome === 'success') await expectGone(session, lead);
  }
};

/** A deleted lead must stay deleted after a list, a refused request, a wrong key, and one second. */
const expectGoneForGood = async (session: Session): Promise<void> => {
  requireUpdates(session);
  const lead = await session.ownLead();
  requireNotRefused(await session.updateLead(lead, session.newNote()));
  requireNotRefused(await session.deleteLead(lead));
  await session.send('addLead', { body: {}, intent: 'probe' });
  await session.send('listTemplates', { intent: 'probe' });
  await session.send('addLead', { raw: '[]', intent: 'probe' });
  await session.send('deleteLead', { leadId: lead.id, credentials: 'random key', intent: 'probe' });
  await wait(1000);
  await expectGone(session, lead);
};

export const deleteChecks: readonly ActiveCheck[] = [
  {
    id: 'leads.delete.removes',
    leads: 4,
    title: 'a deleted lead is gone and does not reappear',
    level: 'documented',
    ...deleteLead,
    run: async (session) => {
      requireUpdates(session);
      // Leads with different numbers of updates: deletion may fail intermittently, or only for updated leads.
      for (const [round, updates] of [0, 1, 0, 4].entries()) {
        const lead = await session.ownLead();
        for (let count = 0; count < updates; count += 1) await session.updateLead(lead, session.newNote());
        const deletion = await session.deleteLead(lead);
        await expectDeleted(session, lead, deletion);
        requireNotRefused(deletion);
        if (round >= 2) await session.addLead();
        await expectGone(session, lead);
        if (round > 0) continue;
        // A second deletion must not restore the lead, whatever its response.
        await session.send('deleteLead', { leadId: lead.id, intent: 'probe' });
        await expectGone(session, lead);
      }
      await expectUnusualLeadGone(session);
    },
  },
  {
    id: 'leads.delete.refuses-update',
    title: 'an update of a deleted lead gets an error response',
    level: 'derived',
    ...deleteLead,
    run: async (session) => {
      requireUpdates(session);
      const lead = await session.ownLead();
      requireNotRefused(await session.deleteLead(lead));
      const after = await updateDeletedLead(session, lead);
      if (after.outcome === 'success') fail('an error response', 'success', after);
    },
  },
  {
    id: 'leads.delete.that-lead-only',
    leads: 7,
    title: 'deleting a lead deletes no other lead, not even one with the same name or source',
    level: 'documented',
    ...deleteLead,
    run: async (session) => {
      requireUpdates(session);
      const before = await session.ownLead();
      const [deletedLead, ...others] = await leadsSharingOneField(session);
      const last = await session.ownLead();
      // Neighbours, the first and the last lead must all survive.
      const survivors = [before, ...others, last];
      // A lead with the note of the deleted one keeps it.
      for (const lead of survivors)
        if (lead.expected.note !== deletedLead.expected.note)
          await session.updateLead(lead, session.newNote());
      requireNotRefused(await session.deleteLead(deletedLead));
      for (const lead of survivors) await expectThere(session, lead, 'another lead was deleted');
      await withEmptyPairs(session, async (first, second) => {
        requireNotRefused(await session.deleteLead(first));
        await expectThere(session, second, 'another lead with the same empty text was deleted');
      });
    },
  },
  {
    id: 'leads.delete.keeps-notes',
    leads: 5,
    title: 'deleting a lead does not change the notes of other leads',
    level: 'documented',
    ...deleteLead,
    run: async (session) => {
      requireUpdates(session);
      const [deletedLead, ...others] = await leadsSharingOneField(session);
      await expectNotesKept(session, others, async () => {
        requireNotRefused(await session.deleteLead(deletedLead));
      });
    },
  },
  {
    id: 'leads.delete.lasts-a-second',
    waits: true,
    leads: 1,
    title: 'a deleted lead stays gone for a second, regardless of other requests',
    level: 'documented',
    ...deleteLead,
    run: expectGoneForGood,
  },
];

/** Milliseconds. A younger lead may not be visible everywhere, so it proves nothing. */
const maxSettlingMs = 3000;

/** Finds deletions by the clean-up that were refused, although no request of this run had deleted the lead. */
const findDisappeared = (session: Session): Exchange[] => {
  const cleaned = session.client.exchanges.filter(
    ({ check, lead }) => check === cleanUp && lead && session.leads.get(lead.id)?.deleted !== true,
  );
  // Any response other than a refusal: the lead was deleted, or may have been.
  const deleted = new Set(
    session.client.exchanges
      .filter((exchange) => exchange.operation === 'deleteLead' && !isRefusal(exchange))
      .map(({ path }) => path),
  );
  const refusals = cleaned.filter(({ outcome, path }) => outcome === 'refusal' && !deleted.has(path));
  // Refused again a second later, or old enough: the lead is not just too new to be visible.
  const disappeared = refusals.filter(
    ({ path, lead }) =>
      (lead?.age ?? 0) > maxSettlingMs || refusals.filter((other) => other.path === path).length > 1,
  );
  // First the leads that were visible before: for any other one, it takes some seconds to exclude that it is too new.
  const wasVisible = ({ lead }: Exchange): boolean => session.leads.get(lead?.id ?? '')?.observed === true;
  return disappeared.toSorted((left, right) => Number(wasVisible(right)) - Number(wasVisible(left)));
};

/** Whether a lead without any successful update was only too new to be visible, and can be deleted now. */
const canBeDeletedNow = async (session: Session, { lead }: Exchange): Promise<boolean> => {
  const id = lead?.id ?? '';
  const own = session.leads.get(id);
  if (own?.deleted === true) return true;
  if (own?.observed !== false) return false;
  const { outcome } = await session.retryUntil(
    () => session.send('deleteLead', { leadId: id, intent: 'probe' }),
    (exchange) => exchange.outcome === 'success',
    'a new lead could be deleted',
    maxPropagationMs,
  );
  if (outcome === 'success') session.ledger.deleted(id);
  return outcome === 'success';
};

const isStillThere = async (session: Session, { lead }: Exchange): Promise<boolean> => {
  const own = lead && session.leads.get(lead.id);
  if (!own || !session.can('updateLead')) return false;
  return (await session.updateLead(own, session.newNote(), 'probe')).outcome === 'success';
};

/** Checks after the clean-up, which sends one more request about every lead of the run. */
export const closingChecks: readonly ClosingCheck[] = [
  {
    id: 'leads.delete.nothing-else',
    title: 'no lead disappears before it is deleted',
    needsIdleLead: true,
    level: 'documented',
    ...deleteLead,
    afterCleanup: async (session) => {
      const all = findDisappeared(session);
      const [first] = all;
      if (!first) return;
      const control = await session.send('deleteLead', { leadId: session.unknownId, intent: 'probe' });
      if (responseFingerprint(control) !== responseFingerprint(first))
        throw new CheckInconclusive(`a deletion was refused: ${describeRefusal(first)}`);
      for (const refused of all) {
        if (await canBeDeletedNow(session, refused)) continue;
        const id = show(refused.lead?.id);
        if (await isStillThere(session, refused))
          fail(
            `the lead ${id} to be deleted`,
            `refused, although an update finds it: ${describeRefusal(refused)}`,
            refused,
          );
        fail(
          `the lead ${id} to exist until the run deletes it`,
          `gone: ${describeRefusal(refused)}`,
          refused,
        );
      }
    },
  },
  {
    id: 'leads.delete.all-gone',
    title: 'leads deleted at the end of the run are gone',
    level: 'documented',
    ...deleteLead,
    afterCleanup: async (session) => {
      requireUpdates(session);
      const deletedLeads = [...session.leads.values()].filter(
        ({ predictable, deleted }) => predictable && deleted,
      );
      // A sample from the beginning to the end of the deletions.
      const sample = [0, 0.25, 0.5, 0.75, 1].map(
        (at) => deletedLeads[Math.floor(at * (deletedLeads.length - 1))],
      );
      for (const lead of new Set(sample.filter((lead): lead is OwnLead => lead !== undefined)))
        await expectGone(session, lead);
    },
  },
];
