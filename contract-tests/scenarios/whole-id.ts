import { sharedStart } from '../exchange/describe.ts';
import { idsIn, madeUpMark } from '../exchange/leads.ts';
import type { Session } from '../session/session.ts';
import type { Lead, Tools } from './tools.ts';

/** Number of characters at the end of an id that no other id shares, so that its truncated form cannot belong to another lead. */
const minUniqueLength = 9;

/**
 * Whether an id without its last character is a prefix of this id only: all ids have the same length, and those of the run
 * differ long before their ends. This excludes consecutive ids.
 */
const isUniquePrefix = (session: Session, id: string): boolean => {
  const others = idsIn(session.client.exchanges).filter((other) => other !== id);
  return (
    others.length >= 5 &&
    others.every(
      (other) => other.length === id.length && sharedStart(other, id) + minUniqueLength < id.length,
    )
  );
};

/** The id of a deleted lead with which the id of this one begins, as 3 and 37. */
const deletedPrefix = ({ client, ledger }: Session, id: string): string | undefined =>
  idsIn(client.exchanges).find(
    (other) => other !== id && id.startsWith(other) && !ledger.open().includes(other),
  );

/** Requests for ids that begin like the one of a lead. Some servers read only the number at the beginning of an id. */
export const tryAlmostId = async ({ add, read, remove, session }: Tools, lead: Lead): Promise<void> => {
  const longer = `${lead.id}-${madeUpMark}${session.runId}`;
  const cut = lead.id.slice(0, -1);
  const shorter = isUniquePrefix(session, lead.id)
    ? [cut, `${cut}_`]
    : (deletedPrefix(session, lead.id) ?? []);
  for (const leadId of [longer, shorter].flat()) {
    await session.send('updateLead', {
      leadId,
      body: session.updateBody({ note: session.newNote() }),
      intent: 'probe',
    });
    if (!leadId.endsWith('_')) await session.send('deleteLead', { leadId, intent: 'probe' });
    await read(lead);
  }
  // The id in the body of another request.
  const other = await add();
  await session.send('updateLead', {
    leadId: other.id,
    body: { ...session.newFields(), lead_id: lead.id, id: lead.id },
    intent: 'probe',
  });
  await read(lead);
  await remove(other);
};
