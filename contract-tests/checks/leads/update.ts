import { dataOf, isSuccess } from '../../client/exchange.ts';
import type { ActiveCheck } from '../../session/check.ts';
import { claimOf } from '../../session/operations.ts';
import { describeValue, fail, show } from '../../session/outcome.ts';
import type { OwnLead } from '../../session/own-lead.ts';
import type { Session } from '../../session/session.ts';
import {
  concurrentRounds,
  expectFields,
  expectNotesKept,
  expectThere,
  leadsSharingOneField,
  nameAndSource,
  readNote,
  requireNotRefused,
  severalLeads,
  withEmptyPairs,
} from '../support/lead-assertions.ts';
import { expectUpdateRetrieved } from './persistence.ts';

const update = claimOf('updateLead');

/** Updates a lead several times, runs another request, and compares the note with that of the last update. */
const expectPersistentNote = async (
  session: Session,
  lead: OwnLead,
  count: number,
  meanwhile: () => Promise<unknown>,
  earlier: readonly string[],
): Promise<void> => {
  const stale = [...earlier, lead.expected.note];
  for (let index = 0; index < count; index += 1) {
    requireNotRefused(await session.updateLead(lead, session.newNote()));
    stale.push(lead.expected.note);
  }
  const latest = stale.pop();
  await meanwhile();
  const { exchange, note } = await readNote(session, lead);
  // Only an earlier note is proof: the effect of an update without a note on the note is not documented.
  if (note !== latest && stale.includes(String(note))) {
    fail(
      `the note of the last update: ${show(latest)}`,
      `the previous note: ${describeValue(note)}`,
      exchange,
    );
  }
};

/** Other requests to a deployment: a list, the deletion of another lead, a request that is refused. */
const otherRequests = (session: Session): readonly (() => Promise<unknown>)[] => [
  () => session.send('listTemplates', { intent: 'probe' }),
  async () => session.deleteLead(await session.ownLead()),
  () => session.send('addLead', { raw: '{"name":', intent: 'probe' }),
];

/**
 * Updates one lead several times concurrently: each success must show one of their notes. The
 * document does not show which update is the last.
 */
const expectNotesOfConcurrentUpdates = async (session: Session, lead: OwnLead): Promise<void> => {
  lead.predictable = false;
  const notes = [session.newNote(), session.newNote(), session.newNote()];
  const replies = await Promise.all(
    notes.map((note) => {
      const body = session.updateBody({ note }, lead);
      return session.send('updateLead', { leadId: lead.id, body, intent: 'probe' });
    }),
  );
  for (const exchange of replies.filter(isSuccess)) {
    const { note } = dataOf(exchange);
    if (typeof note === 'string' && !notes.includes(note))
      fail(`a note of the concurrent updates: ${show(notes)}`, describeValue(note), exchange);
  }
};

/** Updates all leads concurrently, and expects each one to show its own note, in the response and afterwards. */
const expectOwnNotes = async (session: Session, leads: readonly OwnLead[]): Promise<void> => {
  const before = leads.map(({ expected }) => expected.note);
  const notes = leads.map(() => session.newNote());
  const replies = await Promise.all(leads.map((lead, index) => session.updateLead(lead, notes[index] ?? '')));
  for (const [index, exchange] of replies.entries())
    expectFields(requireNotRefused(exchange), { note: notes[index] ?? '' });
  for (const [index, lead] of leads.entries()) {
    const shown = await session.readBack(lead);
    const note = shown && dataOf(shown).note;
    const others = notes.filter((_, at) => at !== index);
    if (shown && typeof note === 'string' && (others.includes(note) || note === before[index]))
      fail(`the note of that lead: ${show(notes[index])}`, `another note: ${describeValue(note)}`, shown);
  }
};

/** Expects a read not to show the note from before the last update. */
const expectNoteReplaced = async (
  session: Session,
  lead: OwnLead,
  before: string,
  expected: string,
): Promise<void> => {
  const shown = await readNote(session, lead);
  if (shown.note === before) fail(expected, `the previous note: ${show(before)}`, shown.exchange);
};

/** Sends an update with all three fields, if the deployment accepts one: its note must persist too. */
const expectPersistentFullUpdate = async (session: Session, lead: OwnLead): Promise<void> => {
  const before = lead.expected.note;
  const note = session.newNote();
  const exchange = await session.send('updateLead', {
    leadId: lead.id,
    body: { ...lead.expected, note },
    intent: 'probe',
  });
  if (exchange.outcome !== 'success') return;
  expectFields(exchange, { note });
  lead.expected = { ...lead.expected, note };
  await expectNoteReplaced(session, lead, before, `the note of the update with all fields: ${show(note)}`);
};

/** Expects an empty note to persist, if the deployment accepts and shows one. */
const expectPersistentEmptyNote = async (session: Session, lead: OwnLead): Promise<void> => {
  requireNotRefused(await session.updateLead(lead, session.newNote()));
  const before = lead.expected.note;
  const exchange = await session.updateLead(lead, '', 'probe');
  if (exchange.outcome !== 'success' || dataOf(exchange).note !== '') return;
  await expectNoteReplaced(session, lead, before, 'the empty note of the last update');
};

/** Expects a note to persist that the lead had before, and one that differs only in letter case. */
const expectPersistentLikeNotes = async (session: Session, lead: OwnLead, earlier: string): Promise<void> => {
  const likeNotes = [
    [earlier, 'which the lead had earlier'],
    [earlier.toUpperCase(), 'the previous one in capitals'],
  ] as const;
  for (const [note, relation] of likeNotes) {
    const before = lead.expected.note;
    requireNotRefused(await session.updateLead(lead, note));
    await expectNoteReplaced(
      session,
      lead,
      before,
      `the note of the last update, ${relation}: ${show(note)}`,
    );
  }
};

export const updateChecks: readonly ActiveCheck[] = [
  {
    id: 'leads.update.lasts',
    leads: 5,
    title: 'an update persists, regardless of other requests',
    level: 'documented',
    ...update,
    run: async (session) => {
      const lead = await session.ownLead();
      const other = await session.ownLead();
      // The note of the addition: a server may fall back to it.
      const first = lead.expected.note;
      const nothing = async (): Promise<void> => undefined;
      const meanwhile = [
        nothing,
        nothing,
        () => session.addLead(),
        nothing,
        () => session.updateLead(other, session.newNote()),
        nothing,
        nothing,
        nothing,
        ...otherRequests(session),
      ];
      // Uneven steps, to find a server that loses every second, third or fourth update.
      for (const [round, count] of [1, 2, 1, 1, 2, 2, 1, 2, 1, 1, 1].entries()) {
        await expectPersistentNote(session, lead, count, meanwhile[round] ?? nothing, [first]);
      }
      await expectPersistentFullUpdate(session, lead);
      await expectPersistentLikeNotes(session, lead, first);
      await expectPersistentEmptyNote(session, lead);
      await expectUpdateRetrieved(session);
    },
  },
  {
    id: 'leads.update.own-reply',
    leads: 6,
    title: 'leads updated concurrently each keep their own note',
    level: 'documented',
    ...update,
    run: async (session) => {
      const leads = await severalLeads(session, 6);
      for (let round = 0; round < concurrentRounds; round += 1) await expectOwnNotes(session, leads);
      const [lead] = leads;
      if (lead) await expectNotesOfConcurrentUpdates(session, lead);
    },
  },
  {
    id: 'leads.update.that-lead-only',
    leads: 5,
    title: 'an update changes no other lead, not even one with the same name, source or note',
    level: 'documented',
    ...update,
    run: async (session) => {
      const [changed, ...others] = await leadsSharingOneField(session);
      // Not the first one, which is older and whose note is still the same.
      for (const other of others.slice(1)) await expectThere(session, other, 'it was added');
      await expectNotesKept(session, others, async () => {
        requireNotRefused(await session.updateLead(changed, session.newNote()));
      });
      // The same request body for each lead: the response must not be that of another lead.
      const note = session.newNote();
      for (const other of others)
        expectFields(
          requireNotRefused(await session.updateLead(other, note)),
          nameAndSource(other),
          'of that lead',
        );
      await withEmptyPairs(session, (first, second) =>
        expectNotesKept(session, [second], async () => {
          requireNotRefused(await session.updateLead(first, session.newNote()));
        }),
      );
    },
  },
  {
    id: 'leads.update.refuses-unknown',
    title: 'an update of a lead that does not exist gets an error response',
    level: 'derived',
    ...update,
    run: async (session) => {
      const exchange = await session.send('updateLead', {
        leadId: session.unknownId,
        body: { note: session.newNote() },
        intent: 'probe',
      });
      if (exchange.outcome === 'success')
        fail('an error response', `success for the unknown lead ${show(session.unknownId)}`, exchange);
    },
  },
];
