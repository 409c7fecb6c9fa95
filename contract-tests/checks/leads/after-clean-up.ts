import { cleanUp } from '../../client/client.ts';
import { describeRefusal, type Exchange, isRefusal, responseFingerprint } from '../../client/exchange.ts';
import type { ClosingCheck } from '../../session/check.ts';
import { claimOf } from '../../session/operations.ts';
import { CheckInconclusive, fail, show } from '../../session/outcome.ts';
import { maxPropagationMs, type OwnLead } from '../../session/own-lead.ts';
import type { Session } from '../../session/session.ts';
import { expectGone, requireUpdates } from '../support/lead-assertions.ts';

const deleteLead = claimOf('deleteLead');

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

const deletedLeads = ({ leads }: Session): readonly OwnLead[] =>
  [...leads.values()].filter(({ predictable, deleted }) => predictable && deleted);

/** Five deleted leads from the beginning to the end of the run. */
const spreadSample = (session: Session): readonly OwnLead[] => {
  const leads = deletedLeads(session);
  return [0, 0.25, 0.5, 0.75, 1].flatMap((at) => leads[Math.floor(at * (leads.length - 1))] ?? []);
};

/** The five deleted leads with the most updates: a deletion may fail for leads with a history. */
const oftenUpdated = (session: Session): readonly OwnLead[] => {
  const updates = new Map<string | undefined, number>();
  for (const { operation, outcome, lead } of session.client.exchanges)
    if (operation === 'updateLead' && outcome === 'success')
      updates.set(lead?.id, (updates.get(lead?.id) ?? 0) + 1);
  return deletedLeads(session)
    .toSorted((left, right) => (updates.get(right.id) ?? 0) - (updates.get(left.id) ?? 0))
    .slice(0, 5);
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
      for (const lead of new Set([...oftenUpdated(session), ...spreadSample(session)]))
        await expectGone(session, lead);
    },
  },
];
