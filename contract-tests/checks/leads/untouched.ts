import { NotPermitted } from '../../client/client.ts';
import type { Exchange, JsonObject } from '../../client/exchange.ts';
import type { ActiveCheck } from '../../session/check.ts';
import { claimOf, operationOf } from '../../session/operations.ts';
import { CheckSkipped, sharedStart } from '../../session/outcome.ts';
import type { OwnLead } from '../../session/own-lead.ts';
import { idsOf, type Session } from '../../session/session.ts';
import { expectFields, expectThere, requireUpdates } from '../support/lead-assertions.ts';
import { type Action, expectUnchanged, knownLead, watchLead } from '../support/lead-state.ts';
import { showsNotes } from '../support/text-assertions.ts';

const update = claimOf('updateLead');

/** Sends an update of the note with any id: of another lead, or of none. */
const updateOf = (session: Session, leadId: string): Promise<Exchange> => {
  const body = session.updateBody({ note: session.newNote() });
  return session.send('updateLead', { leadId, body, intent: 'probe' });
};

/** Adds another lead, does work with it, and deletes it. */
const withOther = async (
  session: Session,
  shared: Partial<OwnLead['expected']>,
  work: (other: OwnLead) => Promise<unknown> = async () => undefined,
): Promise<void> => {
  const { lead: other } = await session.addLead({ ...session.newFields(), ...shared }, 'text');
  // A deployment may return an existing lead instead: see leads.add.distinct-ids.
  if (!other || session.leads.get(other.id) !== other) return;
  await work(other);
  await session.deleteLead(other);
};

/** Updates all fields of another lead, as far as the deployment accepts them. */
const updateOther = (
  session: Session,
  shared: Partial<OwnLead['expected']>,
  body: JsonObject = {},
): Promise<void> =>
  withOther(session, shared, async ({ id }) => {
    const request = { leadId: id, body: { ...session.newFields(), ...body }, intent: 'probe' } as const;
    const { outcome } = await session.send('updateLead', request);
    // A deployment may accept only the note.
    if (outcome === 'refusal') await updateOf(session, id);
  });

/**
 * Number of characters at the end of an id that no other id shares, so that its truncated form cannot belong to another lead.
 */
const minUniqueLength = 9;

/**
 * Whether an id without its last character is a prefix of this id only: all ids have the same length, and those of the run
 * differ long before their ends. This excludes consecutive ids.
 */
const isUniquePrefix = (session: Session, id: string): boolean => {
  const others = idsOf(session).filter((other) => other !== id);
  return (
    others.length >= 5 &&
    others.every(
      (other) => other.length === id.length && sharedStart(other, id) + minUniqueLength < id.length,
    )
  );
};

/** Whether a deployment gave the id to a second lead. */
const isReassigned = ({ idOwners }: Session, id: string): boolean => idOwners.get(id)?.isFirst === false;

/**
 * The own id without its last character, if that id belongs to no lead of somebody else: no other id has this prefix, or it is
 * the id of a deleted lead of the run.
 */
const safePrefix = (session: Session, id: string): string | undefined => {
  const prefix = id.slice(0, -1);
  const isOwnDeleted = session.leads.get(prefix)?.deleted === true && !isReassigned(session, prefix);
  return isOwnDeleted || isUniquePrefix(session, id) ? prefix : undefined;
};

/** One mail of each kind, if it is permitted. */
const mailActions = (session: Session): readonly Action[] =>
  (['sendEmail', 'sendTemplateEmail'] as const)
    .filter((id) => session.can(id))
    .map((id) => ({
      label: operationOf(id).action,
      run: async () => {
        try {
          await session.send(id, { ...operationOf(id).validRequest(session, {}), intent: 'probe' });
        } catch (error) {
          if (!(error instanceof NotPermitted)) throw error;
        }
      },
    }));

/**
 * Requests that must not change the lead, including refused ones. Those that add leads come last,
 * because a fault may affect the newest lead.
 */
const actions = (session: Session): readonly Action[] => [
  { label: 'listing templates', run: () => session.send('listTemplates', { intent: 'probe' }) },
  ...mailActions(session),
  {
    label: 'an update of a lead that does not exist',
    run: () => updateOf(session, session.unknownId),
  },
  {
    label: 'an update of an id that is a prefix of its own',
    run: async ({ id }) => {
      const prefix = safePrefix(session, id);
      if (prefix !== undefined) await updateOf(session, prefix);
    },
  },
  {
    label: 'an update of its id with an SQL wildcard as the last character',
    run: async ({ id }) => {
      if (isUniquePrefix(session, id)) await updateOf(session, `${id.slice(0, -1)}_`);
    },
  },
  {
    label: 'the deletion of an id that is a prefix of its own',
    run: async ({ id }) => {
      const prefix = safePrefix(session, id);
      if (prefix !== undefined) await session.send('deleteLead', { leadId: prefix, intent: 'probe' });
    },
  },
  {
    label: 'the deletion of a lead that does not exist',
    run: () => session.send('deleteLead', { leadId: session.unknownId, intent: 'probe' }),
  },
  {
    label: 'a new lead with an object for a name',
    run: () =>
      session.send('addLead', { body: { ...session.newFields(), name: { text: 'x' } }, intent: 'probe' }),
  },
  { label: 'the deletion of another lead', run: () => withOther(session, {}) },
  {
    label: 'an update of another lead with the same source',
    run: ({ expected: { source } }) => updateOther(session, { source }, { source }),
  },
  ...(['source', 'name'] as const).map((field) => ({
    label: `a new ${field} for another lead with the same ${field}`,
    run: ({ expected }: OwnLead) => updateOther(session, { [field]: expected[field] }),
  })),
  {
    label: 'an update of another lead with its id in the body',
    run: ({ id }) => updateOther(session, {}, { lead_id: id, id }),
  },
  {
    label: 'adding another lead with the same name',
    run: ({ expected: { name } }) => withOther(session, { name }),
  },
];

/**
 * Some frameworks parse only the number at the beginning of an id. The lead that they find
 * then does not have the id of the request.
 */
const longerIdActions = (session: Session): readonly Action[] => [
  {
    label: 'an update of a longer id that starts with its own',
    run: ({ id }) => updateOf(session, `${id}-contract-test-${session.runId}`),
  },
  {
    label: 'the deletion of a longer id that starts with its own',
    run: async (lead) => {
      const leadId = `${lead.id}-contract-test-${session.runId}`;
      const { outcome } = await session.send('deleteLead', { leadId, intent: 'probe' });
      // Then this lead may be the one that was deleted.
      if (outcome === 'success') lead.deleted = true;
    },
  },
];

/** Runs the actions one after another, and expects the lead to be unchanged after each. */
const expectUntouchedBy = async (session: Session, actions: readonly Action[]): Promise<void> => {
  const watched = await watchLead(session, await knownLead(session));
  for (const action of actions) {
    await action.run(watched.lead);
    if (!watched.lead.predictable) return;
    await expectUnchanged(session, watched, action);
  }
};

export const untouchedChecks: readonly ActiveCheck[] = [
  {
    id: 'leads.update.nothing-else-changes',
    mails: 2,
    alone: true,
    title: 'only updates of a lead change that lead',
    level: 'documented',
    ...update,
    run: (session) => expectUntouchedBy(session, actions(session)),
  },
  {
    id: 'leads.update.whole-id',
    title: 'a lead is neither changed nor deleted under a longer id that starts with its own',
    level: 'derived',
    ...update,
    run: (session) => expectUntouchedBy(session, longerIdActions(session)),
  },
];

/** Expects the lead that no check has used to be as it was added. */
const expectIdleLeadUnchanged = async (session: Session): Promise<void> => {
  const { idleLead: lead } = session;
  if (!lead) throw new CheckSkipped('no lead was added before the other checks');
  requireUpdates(session);
  const shown = (await showsNotes(session)) ? await session.readBack(lead) : undefined;
  if (shown) expectFields(shown, lead.expected, 'as added');
  await expectThere(session, lead, 'some seconds in which nothing was asked about it');
};

/** The last check without wrong keys. */
export const idleLeadCheck: ActiveCheck = {
  id: 'leads.add.lasts',
  alone: true,
  needsIdleLead: true,
  title: 'a lead stays as it was added while requests concern other leads only',
  level: 'documented',
  ...claimOf('addLead'),
  run: expectIdleLeadUnchanged,
};
