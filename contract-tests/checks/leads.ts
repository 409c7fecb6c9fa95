import { type ActiveCheck, CheckInconclusive, CheckSkipped, fail, show, showOwn } from '../check.ts';
import { dataOf, type Exchange, isObject, wordsOf } from '../exchange.ts';
import type { OwnLead, Session } from '../session.ts';
import { isTimestamp, timeOf } from '../timestamp.ts';

const add = { operation: 'addLead', needs: 'writes', section: '4.5' } as const;
const update = { operation: 'updateLead', needs: 'writes', section: '4.6' } as const;
const remove = { operation: 'deleteLead', needs: 'writes', section: '4.7' } as const;

type Fields = OwnLead['expected'];

const expectEcho = (exchange: Exchange, sent: Partial<Fields>): void => {
  const data = dataOf(exchange);
  for (const [name, value] of Object.entries(sent)) {
    // A field of another type or none is another check's finding.
    if (typeof data[name] === 'string' && data[name] !== value) {
      fail(
        `data.${name} as sent: ${show(value)}`,
        exchange.intent === 'text' ? show(data[name]) : showOwn(data[name]),
        exchange,
      );
    }
  }
};

/** The fields in which this deployment wants something else than we would send. */
const overridden = ({ demands }: Session): Partial<Fields> => demands.leadExtra as Partial<Fields>;

const succeeded = (exchange: Exchange): Exchange => {
  if (exchange.outcome === 'refusal' || exchange.outcome === 'gateway') {
    throw new CheckInconclusive(`the deployment refused: ${wordsOf(exchange)}`);
  }
  return exchange;
};

/** Text that is easily changed on the way. To refuse it is a deployment's choice; to change it is not. */
const delicate: Readonly<Record<string, string>> = {
  quotes: `"double" 'single' \`back\` \\ backslash`,
  markup: '<b>bold</b> & <i>co.</i> &amp; {{name}}',
  newlines: 'first line\nsecond\tline\n\nfourth',
  astral: 'Zoë 🎨 𝒜 漢字 é',
  blanks: 'two  blanks   three',
  signs: 'a+b=c 100% %41 #7; ~^|',
};

/** Sends a delicate text in every field of a new lead, or in the note alone where a name or source may not be so. */
const addDelicate = async (session: Session, text: string): Promise<void> => {
  for (const only of [{ name: text, source: text, note: text }, { note: text }]) {
    const fields = { ...session.newFields(), ...session.demands.leadExtra, ...only };
    const { exchange } = await session.addLead(fields, 'text');
    if (exchange.outcome !== 'success') continue;
    const { name, source, note } = { ...fields, ...session.demands.leadExtra };
    return expectEcho(exchange, { name, source, note });
  }
  throw new CheckSkipped('the deployment refuses such text');
};

const fidelity = (kind: string, text: string): ActiveCheck[] => [
  {
    id: `leads.add.keeps-${kind}`,
    title: `a new lead keeps ${kind} as sent`,
    level: 'derived',
    ...add,
    run: (session) => addDelicate(session, text),
  },
  {
    id: `leads.update.keeps-${kind}`,
    title: `an update keeps ${kind} as sent`,
    level: 'derived',
    ...update,
    run: async (session) => {
      const exchange = await session.updateLead(await session.ownLead(), text, 'text');
      if (exchange.outcome !== 'success')
        throw new CheckSkipped(`the deployment refuses such text: ${wordsOf(exchange)}`);
      expectEcho(exchange, { note: text });
    },
  },
];

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
        expectEcho(succeeded(exchange), { ...fields, ...overridden(session) });
      }
    },
  },
  {
    id: 'leads.add.keeps-words-as-text',
    title: 'texts that look like numbers, booleans or null stay texts',
    level: 'documented',
    ...add,
    section: '2.3',
    run: async (session) => {
      for (const word of ['0042', 'true', 'null', '1e3']) {
        const fields = { ...session.newFields(), note: word };
        const { exchange } = await session.addLead(fields, 'text');
        if (exchange.outcome !== 'success') continue;
        const { note } = dataOf(exchange);
        if (note !== word) fail(`data.note ${show(word)}`, show(note), exchange);
      }
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
        if (exchange.outcome === 'refusal')
          fail('a free string to be taken as source', `refused: ${wordsOf(exchange)}`, exchange);
        expectEcho(succeeded(exchange), { source });
      }
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
    },
  },
  {
    id: 'leads.add.own-reply',
    title: 'leads added at once each get the reply to their own request',
    level: 'documented',
    ...add,
    run: async (session) => {
      const sent = Array.from({ length: 8 }, () => session.newFields());
      const replies = await Promise.all(sent.map((fields) => session.addLead(fields)));
      for (const [index, { exchange }] of replies.entries())
        expectEcho(succeeded(exchange), { ...sent[index], ...overridden(session) });
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
      if (typeof id !== 'string' || session.abilities.get('updateLead')?.usable === false) return;
      const lead: OwnLead = {
        id,
        createdAt: undefined,
        expected: { name: body.name, source: body.source, note: body.note },
        bornAt: Date.now(),
      };
      const changed = await session.updateLead(lead, session.unique('note'));
      if (carriesEmail(changed))
        fail('no field email in the reply', 'the reply to an update carries email', changed);
    },
  },
  ...Object.entries(delicate).flatMap(([kind, text]) => fidelity(kind, text)),
];

const carriesEmail = (exchange: Exchange): boolean =>
  Object.hasOwn(dataOf(exchange), 'email') ||
  (isObject(exchange.json) && Object.hasOwn(exchange.json, 'email'));

/** Leads of the run, after an update each, so that every one has been touched before another is. */
const severalLeads = async (session: Session, count: number): Promise<OwnLead[]> => {
  const leads: OwnLead[] = [];
  for (let index = 0; index < count; index += 1) leads.push(await session.ownLead());
  return leads;
};

const expectLead = (lead: OwnLead, exchange: Exchange, what: string): void => {
  const { name, source } = lead.expected;
  const data = dataOf(exchange);
  for (const [field, value] of Object.entries({ name, source })) {
    if (typeof data[field] === 'string' && data[field] !== value)
      fail(`data.${field} ${what}: ${show(value)}`, showOwn(data[field]), exchange);
  }
};

const expectLasting = async (session: Session, lead: OwnLead, updates: number): Promise<void> => {
  const stale: string[] = [lead.expected.note];
  for (let count = 0; count < updates; count += 1) {
    succeeded(await session.updateLead(lead, session.unique('Lasting note')));
    stale.push(lead.expected.note);
  }
  const latest = stale.pop();
  const shown = await session.readBack(lead);
  if (!shown) throw new CheckSkipped('this deployment shows no lead without changing its note');
  // Only an earlier note is proof: what an update without a note makes of the note is not shown.
  const { note } = dataOf(shown);
  if (note !== latest && stale.includes(String(note)))
    fail(`the note of the last update: ${show(latest)}`, `the note from before it: ${showOwn(note)}`, shown);
};

export const updateChecks: readonly ActiveCheck[] = [
  {
    id: 'leads.update.echoes-note',
    title: 'an update is answered with the note sent, for the lead it names',
    level: 'documented',
    ...update,
    run: async (session) => {
      const lead = await session.ownLead();
      for (let round = 0; round < 5; round += 1) {
        const note = session.unique('note');
        const exchange = succeeded(await session.updateLead(lead, note));
        expectEcho(exchange, { note });
        const { lead_id: id } = dataOf(exchange);
        if (typeof id === 'string' && id !== lead.id)
          fail(`data.lead_id ${show(lead.id)}`, show(id), exchange);
      }
    },
  },
  {
    id: 'leads.update.keeps-other-fields',
    title: 'an update leaves alone what it does not send',
    level: 'documented',
    ...update,
    run: async (session) => {
      const leads = await severalLeads(session, 3);
      for (const lead of [...leads, ...leads]) {
        expectLead(lead, succeeded(await session.updateLead(lead, session.unique('note'))), 'unchanged');
      }
    },
  },
  {
    id: 'leads.update.lasts',
    title: 'an update lasts',
    level: 'documented',
    ...update,
    run: async (session) => {
      const lead = await session.ownLead();
      // Uneven steps, so that a server that forgets every second, third or fourth update is met on the wrong foot.
      for (const updates of [1, 2, 1, 1, 2, 2, 1, 2]) await expectLasting(session, lead, updates);
    },
  },
  {
    id: 'leads.update.own-reply',
    title: 'leads updated at once each get their own note and the reply to their own request',
    level: 'documented',
    ...update,
    run: async (session) => {
      const leads = await severalLeads(session, 6);
      const notes = leads.map(() => session.unique('Note'));
      const replies = await Promise.all(
        leads.map((lead, index) => session.updateLead(lead, notes[index] ?? '')),
      );
      for (const [index, exchange] of replies.entries())
        expectEcho(succeeded(exchange), { note: notes[index] ?? '' });
      for (const [index, lead] of leads.entries()) {
        const shown = await session.readBack(lead);
        const other = notes.find((note, at) => at !== index && shown && dataOf(shown).note === note);
        if (shown && other)
          fail(`the note of that lead: ${show(notes[index])}`, `the note of another: ${show(other)}`, shown);
      }
    },
  },
  {
    id: 'leads.update.that-lead-only',
    title: 'an update changes no other lead',
    level: 'documented',
    ...update,
    run: async (session) => {
      const [first, second, third] = await severalLeads(session, 3);
      if (!first || !second || !third) return;
      const note = session.unique('second note');
      succeeded(await session.updateLead(second, note));
      for (const other of [first, third]) {
        const shown = await session.readBack(other);
        if (!shown) throw new CheckSkipped('this deployment shows no lead without changing its note');
        if (dataOf(shown).note === note)
          fail(
            `the note of that lead: ${show(other.expected.note)}`,
            `the note sent to another lead: ${show(note)}`,
            shown,
          );
        expectLead(other, shown, 'of that lead');
      }
    },
  },
  {
    id: 'leads.update.time-order',
    title: 'updated_at is not before created_at',
    level: 'derived',
    ...update,
    section: '2.3',
    run: async (session) => {
      const lead = await session.ownLead();
      const exchange = succeeded(await session.updateLead(lead, session.unique('note')));
      const { updated_at: updated } = dataOf(exchange);
      const { createdAt } = lead;
      if (
        typeof createdAt !== 'string' ||
        typeof updated !== 'string' ||
        !isTimestamp(createdAt) ||
        !isTimestamp(updated)
      ) {
        throw new CheckInconclusive('a time is missing or unreadable');
      }
      // Two seconds of tolerance: the clocks of two machines behind one address may differ.
      if (timeOf(updated) < timeOf(createdAt) - 2000)
        fail(`updated_at not before ${createdAt}`, updated, exchange);
    },
  },
  {
    id: 'leads.update.refuses-unknown',
    title: 'an update of a lead that does not exist is refused',
    level: 'derived',
    ...update,
    run: async (session) => {
      // Cannot be anybody's lead: an id made up in the deployment's own style might be.
      const unknown = `contract-test-${session.runId}-unknown`;
      const exchange = await session.send('updateLead', {
        leadId: unknown,
        body: { note: session.unique('note') },
        intent: 'probe',
      });
      if (exchange.outcome === 'success')
        fail('a refusal', `success for the unknown lead ${show(unknown)}`, exchange);
    },
  },
];

export const deleteChecks: readonly ActiveCheck[] = [
  {
    id: 'leads.delete.removes',
    title: 'a deleted lead is gone',
    level: 'documented',
    ...remove,
    run: async (session) => {
      // Four: some servers forget to delete now and then.
      for (let round = 0; round < 4; round += 1) {
        const lead = await session.ownLead();
        succeeded(await session.deleteLead(lead));
        const after = await updateAfterDelete(session, lead);
        const { name, source } = dataOf(after);
        if (after.outcome !== 'success' || name !== lead.expected.name || source !== lead.expected.source)
          continue;
        session.ledger.note(lead.id);
        fail('the lead to be gone', 'an update still finds it, with its name and source', after);
      }
    },
  },
  {
    id: 'leads.delete.refuses-update',
    title: 'an update of a deleted lead is refused',
    level: 'derived',
    ...remove,
    run: async (session) => {
      const lead = await session.ownLead();
      succeeded(await session.deleteLead(lead));
      const after = await updateAfterDelete(session, lead);
      if (after.outcome === 'success') fail('a refusal', 'success', after);
    },
  },
  {
    id: 'leads.delete.that-lead-only',
    title: 'deleting a lead leaves every other lead',
    level: 'documented',
    ...remove,
    run: async (session) => {
      const leads = await severalLeads(session, 4);
      // From the middle: neighbours, the first and the last one must all survive.
      const [first, gone, next, last] = leads;
      if (!first || !gone || !next || !last) return;
      succeeded(await session.deleteLead(gone));
      for (const other of [first, next, last]) {
        const exchange = await session.updateLead(other, session.unique('note'));
        if (exchange.outcome === 'refusal')
          fail('the other lead to be there still', `refused: ${wordsOf(exchange)}`, exchange);
        expectLead(other, exchange, 'of that lead');
      }
    },
  },
];

const updateAfterDelete = (session: Session, lead: OwnLead): Promise<Exchange> =>
  session.patiently(
    () =>
      session.send('updateLead', {
        leadId: lead.id,
        body: session.demands.updateInFull ? { ...lead.expected } : { note: session.unique('note') },
        intent: 'probe',
      }),
    ({ outcome }) => outcome !== 'success',
    `lead ${lead.id} was gone`,
  );
