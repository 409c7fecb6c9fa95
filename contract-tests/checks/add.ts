import { type ActiveCheck, CheckInconclusive, CheckSkipped, fail, show } from '../check.ts';
import { dataOf, type Exchange, isObject, wordsOf } from '../exchange.ts';
import { besides, expectFields, expectThere, overridden, succeeded, unchanging } from '../lead-facts.ts';
import type { OwnLead, Session } from '../session.ts';

const add = { operation: 'addLead', needs: 'writes', section: '4.5' } as const;

export const addChecks: readonly ActiveCheck[] = [
  {
    id: 'leads.add.echoes-fields',
    title: 'a new lead carries the name, source and note sent',
    level: 'documented',
    ...add,
    run: async (session) => {
      // Six: a fault that shows only now and then shows here.
      for (let round = 0; round < 6; round += 1) {
        const fields = session.newFields();
        const { exchange } = await session.addLead(fields);
        expectFields(succeeded(exchange), { ...fields, ...overridden(session) });
      }
      await expectEmptyKept(session);
      await expectUndisturbed(session);
    },
  },
  {
    id: 'leads.add.free-source',
    title: 'source is free text: punctuation and letters beyond ASCII are taken',
    level: 'documented',
    ...add,
    section: '2.3',
    run: async (session) => {
      await session.ownLead();
      // As short and plain as a free string gets, and as long and odd as a tracking parameter.
      for (const source of [session.unique('Source'), `web / ref=7, ü ${session.runId}`]) {
        const body = { ...session.newFields(), ...session.demands.leadExtra, source };
        const exchange = await session.send('addLead', { body });
        if (exchange.outcome === 'refusal') {
          // Unless no lead at all is taken any more: a deployment may hold a number of them.
          await session.ownLead();
          fail('a free string to be taken as source', `refused: ${wordsOf(exchange)}`, exchange);
        }
        expectFields(succeeded(exchange), { source });
      }
      await expectStored(session, {
        ...session.newFields(),
        source: `Instagram: Ä/ö, 50 % ${session.runId}`,
      });
    },
  },
  {
    id: 'leads.add.distinct-ids',
    title: 'every lead gets an id of its own, also when several are added at once',
    level: 'derived',
    ...add,
    run: async (session) => {
      const together = await Promise.all(Array.from({ length: 8 }, () => session.addLead()));
      const after = [await session.addLead(), await session.addLead()];
      const seen = new Map<string, Exchange>();
      for (const { exchange, lead } of [...together, ...after]) {
        if (!lead) continue;
        if (seen.has(lead.id)) fail('a lead_id nobody else has', `${show(lead.id)} for two leads`, exchange);
        seen.set(lead.id, exchange);
      }
      if (seen.size < 2) throw new CheckInconclusive('fewer than two leads could be added');
      await expectNewIdAfterDelete(
        session,
        together.map(({ lead }) => lead),
      );
    },
  },
  {
    id: 'leads.add.own-reply',
    title: 'leads added at once are all there, each with the reply to its own request',
    level: 'documented',
    ...add,
    run: async (session) => {
      const sent = Array.from({ length: 8 }, () => session.newFields());
      const replies = await Promise.all(sent.map((fields) => session.addLead(fields)));
      for (const [index, { exchange }] of replies.entries())
        expectFields(succeeded(exchange), { ...sent[index], ...overridden(session) });
      if (session.abilities.get('updateLead')?.usable !== true) return;
      for (const { lead } of replies)
        if (lead) await expectThere(session, lead, 'several were added at once');
    },
  },
  {
    id: 'leads.add.no-email',
    title: 'no reply carries the email that some requests send with a lead',
    level: 'derived',
    ...add,
    section: '2.3',
    run: async (session) => {
      const email = `contract-test-${session.runId}@example.com`;
      const body = { ...session.newFields(), ...session.demands.leadExtra, email };
      const exchange = await session.send('addLead', { body, intent: 'probe' });
      if (exchange.outcome !== 'success')
        throw new CheckSkipped(`the deployment does not take an email: ${wordsOf(exchange)}`);
      if (carriesEmail(exchange)) fail('no field email in the reply', 'the reply carries email', exchange);
      const { lead_id: id } = dataOf(exchange);
      if (typeof id !== 'string' || session.abilities.get('updateLead')?.usable !== true) return;
      const changed = await session.send('updateLead', {
        leadId: id,
        body: { ...body, email: undefined, note: session.newNote() },
        intent: 'probe',
      });
      if (carriesEmail(changed))
        fail('no field email in the reply', 'the reply to an update carries email', changed);
    },
  },
];

/** An empty source and an empty note may be refused; they are not another text. */
const expectEmptyKept = async (session: Session): Promise<void> => {
  for (const empty of [{ source: '', note: '' }, { source: '' }, { note: '' }]) {
    const fields = { ...session.newFields(), ...session.demands.leadExtra, ...empty };
    const exchange = await session.send('addLead', { body: fields, intent: 'probe' });
    if (exchange.outcome !== 'success') continue;
    // Another name: a lead the deployment held, that was as empty and that it merged this one with.
    if (dataOf(exchange).name === fields.name) expectFields(exchange, empty);
    return;
  }
};

/** What the document does not list may be refused or ignored; it leaves what is listed as sent. */
const expectUndisturbed = async (session: Session): Promise<void> => {
  for (const beside of besides(session)) {
    const fields = { ...session.newFields(), ...overridden(session) };
    const body = { ...fields, ...session.demands.leadExtra, ...beside };
    const exchange = await session.send('addLead', { body, intent: 'probe' });
    if (exchange.outcome !== 'success') continue;
    const { name, source, note } = fields;
    expectFields(exchange, { name, source, note });
    return;
  }
};

const carriesEmail = (exchange: Exchange): boolean =>
  Object.hasOwn(dataOf(exchange), 'email') ||
  (isObject(exchange.json) && Object.hasOwn(exchange.json, 'email'));

/** An id that counts the leads there are comes round again once one is deleted. */
const expectNewIdAfterDelete = async (
  session: Session,
  leads: readonly (OwnLead | undefined)[],
): Promise<void> => {
  const [first, ...others] = leads.filter((lead) => lead !== undefined);
  if (!first || session.abilities.get('deleteLead')?.usable !== true) return;
  await session.deleteLead(first);
  const { exchange, lead } = await session.addLead();
  if (lead && others.some(({ id }) => id === lead.id))
    fail('a lead_id nobody else has', `${show(lead.id)}, which another lead has`, exchange);
};

/** What was added is also what is kept: the next update shows it. */
const expectStored = async (session: Session, fields: OwnLead['expected']): Promise<void> => {
  const { exchange, lead } = await session.addLead({
    ...fields,
    ...overridden(session),
    source: fields.source,
  });
  if (exchange.outcome !== 'success' || !lead || session.abilities.get('updateLead')?.usable !== true) return;
  expectFields(succeeded(await session.updateLead(lead, session.newNote())), unchanging(lead), 'as added');
};
