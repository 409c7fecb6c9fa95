import { type ActiveCheck, fail, show, showOwn } from '../check.ts';
import { dataOf } from '../exchange.ts';
import {
  expectFields,
  expectNotesKept,
  expectThere,
  relatives,
  severalLeads,
  shownNote,
  succeeded,
  unchanging,
} from '../lead-facts.ts';
import type { OwnLead, Session } from '../session.ts';

const update = { operation: 'updateLead', needs: 'writes', section: '4.6' } as const;

/** Updates a lead a few times, lets something else happen, and looks at what is left of the last note. */
const expectLasting = async (
  session: Session,
  lead: OwnLead,
  count: number,
  meanwhile: () => Promise<unknown>,
  earlier: readonly string[],
): Promise<void> => {
  const stale = [...earlier, lead.expected.note];
  for (let index = 0; index < count; index += 1) {
    succeeded(await session.updateLead(lead, session.newNote()));
    stale.push(lead.expected.note);
  }
  const latest = stale.pop();
  await meanwhile();
  const { exchange, note } = await shownNote(session, lead);
  // Only an earlier note is proof: what an update without a note makes of the note is not shown.
  if (note !== latest && stale.includes(String(note))) {
    fail(
      `the note of the last update: ${show(latest)}`,
      `the note from before it: ${showOwn(note)}`,
      exchange,
    );
  }
};

/** An update with all three fields, where a deployment takes one: the note in it lasts as well. */
const expectFullUpdateLasting = async (session: Session, lead: OwnLead): Promise<void> => {
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
  const shown = await shownNote(session, lead);
  if (shown.note === before)
    fail(
      `the note of the update with all fields: ${show(note)}`,
      `the note from before it: ${showOwn(before)}`,
      shown.exchange,
    );
};

export const updateChecks: readonly ActiveCheck[] = [
  {
    id: 'leads.update.lasts',
    title: 'an update lasts, whatever becomes of other leads',
    level: 'documented',
    ...update,
    run: async (session) => {
      const lead = await session.ownLead();
      const other = await session.ownLead();
      // What it was added with: a server may fall back to that.
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
      ];
      // Uneven steps, so that a server that forgets every second, third or fourth update is met on the wrong foot.
      for (const [round, count] of [1, 2, 1, 1, 2, 2, 1, 2].entries()) {
        await expectLasting(session, lead, count, meanwhile[round] ?? nothing, [first]);
      }
      await expectFullUpdateLasting(session, lead);
    },
  },
  {
    id: 'leads.update.own-reply',
    title: 'leads updated at once each keep their own note',
    level: 'documented',
    ...update,
    run: async (session) => {
      const leads = await severalLeads(session, 6);
      const before = leads.map(({ expected }) => expected.note);
      const notes = leads.map(() => session.newNote());
      const replies = await Promise.all(
        leads.map((lead, index) => session.updateLead(lead, notes[index] ?? '')),
      );
      for (const [index, exchange] of replies.entries())
        expectFields(succeeded(exchange), { note: notes[index] ?? '' });
      for (const [index, lead] of leads.entries()) {
        const shown = await session.readBack(lead);
        const note = shown && dataOf(shown).note;
        const others = notes.filter((_, at) => at !== index);
        if (shown && typeof note === 'string' && (others.includes(note) || note === before[index])) {
          fail(`the note of that lead: ${show(notes[index])}`, `another note: ${showOwn(note)}`, shown);
        }
      }
    },
  },
  {
    id: 'leads.update.that-lead-only',
    title: 'an update changes no other lead, not even one of the same name, source or note',
    level: 'documented',
    ...update,
    run: async (session) => {
      const [changed, ...others] = await relatives(session);
      // Not the first of them, which is older and whose note is still the same.
      for (const other of others.slice(1)) await expectThere(session, other, 'it was added');
      await expectNotesKept(session, others, async () => {
        succeeded(await session.updateLead(changed, session.newNote()));
      });
      for (const other of others)
        expectFields(
          succeeded(await session.updateLead(other, session.newNote())),
          unchanging(other),
          'of that lead',
        );
    },
  },
  {
    id: 'leads.update.refuses-unknown',
    title: 'an update of a lead that does not exist is refused',
    level: 'derived',
    ...update,
    run: async (session) => {
      // Cannot be anybody's lead: an id made up in the deployment's own style might be.
      const leadId = `contract-test-${session.runId}-unknown`;
      const exchange = await session.send('updateLead', {
        leadId,
        body: { note: session.newNote() },
        intent: 'probe',
      });
      if (exchange.outcome === 'success')
        fail('a refusal', `success for the unknown lead ${show(leadId)}`, exchange);
    },
  },
];
