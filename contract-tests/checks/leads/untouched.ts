import { NotPermitted } from '../../client/client.ts';
import type { Exchange, JsonObject } from '../../client/exchange.ts';
import type { ActiveCheck } from '../../session/check.ts';
import { claimOf, operationOf } from '../../session/operations.ts';
import { sharedStart } from '../../session/outcome.ts';
import type { OwnLead } from '../../session/own-lead.ts';
import { idsOf, type Session } from '../../session/session.ts';
import { type Action, expectUnchanged, knownLead, watchLead } from '../support/lead-state.ts';

const update = claimOf('updateLead');

/** An update of the note under any id: of another lead, or of nobody. */
const updateOf = (session: Session, leadId: string): Promise<Exchange> => {
  const body = session.updateBody({ note: session.newNote() });
  return session.send('updateLead', { leadId, body, intent: 'probe' });
};

/** A lead beside the one that is looked at, for as long as something happens to it. */
const withOther = async (
  session: Session,
  shared: Partial<OwnLead['expected']>,
  work: (other: OwnLead) => Promise<unknown> = async () => undefined,
): Promise<void> => {
  const { lead: other } = await session.addLead({ ...session.newFields(), ...shared }, 'text');
  // A deployment may answer with the lead that it has instead: see leads.add.distinct-ids.
  if (!other || session.leads.get(other.id) !== other) return;
  await work(other);
  await session.deleteLead(other);
};

/** An update of all fields of another lead, as far as the deployment takes them. */
const updateOther = (
  session: Session,
  shared: Partial<OwnLead['expected']>,
  body: JsonObject = {},
): Promise<void> =>
  withOther(session, shared, async ({ id }) => {
    const request = { leadId: id, body: { ...session.newFields(), ...body }, intent: 'probe' } as const;
    const { outcome } = await session.send('updateLead', request);
    // A deployment may take nothing but the note.
    if (outcome === 'refusal') await updateOf(session, id);
  });

/** How many characters of an id no other one shares, so that its beginning can be nobody else's. */
const minUniqueLength = 9;

/**
 * Whether an id without its last character is the beginning of this id alone: all ids are of one length, and those of the
 * run differ long before their ends. Of ids that count up it is not.
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

/** A mail of each kind, where it is permitted. */
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

/** What else happens on a deployment, refused requests among it. What adds leads comes last: an effect may reach the newest. */
const actions = (session: Session): readonly Action[] => [
  { label: 'listing templates', run: () => session.send('listTemplates', { intent: 'probe' }) },
  ...mailActions(session),
  {
    label: 'an update of a lead that does not exist',
    run: () => updateOf(session, session.unknownId),
  },
  {
    label: 'an update of an id that is only the beginning of its own',
    run: async ({ id }) => {
      if (isUniquePrefix(session, id)) await updateOf(session, id.slice(0, -1));
    },
  },
  {
    label: 'an update of its id with a wildcard of SQL for the last character',
    run: async ({ id }) => {
      if (isUniquePrefix(session, id)) await updateOf(session, `${id.slice(0, -1)}_`);
    },
  },
  {
    label: 'the deletion of an id that is only the beginning of its own',
    run: async ({ id }) => {
      const request = { leadId: id.slice(0, -1), intent: 'probe' } as const;
      if (isUniquePrefix(session, id)) await session.send('deleteLead', request);
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

/** Some frameworks read the number at the beginning of an id and no more; what they find then is not the lead of that id. */
const longerIdActions = (session: Session): readonly Action[] => [
  {
    label: 'an update of an id that only begins with its own',
    run: ({ id }) => updateOf(session, `${id}-contract-test-${session.runId}`),
  },
  {
    label: 'the deletion of an id that only begins with its own',
    run: async (lead) => {
      const leadId = `${lead.id}-contract-test-${session.runId}`;
      const { outcome } = await session.send('deleteLead', { leadId, intent: 'probe' });
      // Then it may be this lead that is deleted, and nothing else did that.
      if (outcome === 'success') lead.deleted = true;
    },
  },
];

/** One thing after the other, and the lead is as it was after each. */
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
    title: 'a lead is neither changed nor deleted under an id that only begins with its own',
    level: 'derived',
    ...update,
    run: (session) => expectUntouchedBy(session, longerIdActions(session)),
  },
];
