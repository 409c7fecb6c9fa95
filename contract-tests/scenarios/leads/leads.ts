import type { Scenario } from '../scenario.ts';
import type { Lead, Tools } from '../tools.ts';
import { sameTextScenarios } from './same-texts.ts';

/** Leads from their addition to their end, one after another: faults of every n-th request show in them. */
const lifecycle = async (tools: Tools): Promise<void> => {
  const { add, update, read, remove, session, isThorough } = tools;
  const { source } = session.newFields();
  for (const rounds of isThorough ? [0, 1, 3, 1, 0, 2] : [2]) {
    const lead = await add(rounds < 2 ? {} : { source });
    const { note } = lead.expected;
    await read(lead);
    // Uneven steps between two reads.
    for (let round = 1; round <= rounds; round += 1) {
      for (let step = 0; step < round; step += 1) await update(lead);
      await read(lead);
    }
    if (rounds > 1) await updateAlike(tools, lead, note);
    await remove(lead);
    // Twice, because the first request for a deleted lead may bring it back.
    await read(lead, lead);
    await session.send('deleteLead', { leadId: lead.id, intent: 'probe' });
    await read(lead);
  }
};

/** Updates with a note that the lead had before, that differs in letter case only, or is empty; then with every field. */
const updateAlike = async (
  { read, session, tryToUpdate, isThorough }: Tools,
  lead: Lead,
  note: string,
): Promise<void> => {
  const capitals = note.toUpperCase();
  for (const text of isThorough ? [note, capitals, capitals, '', session.newNote()] : [note, capitals, '']) {
    await tryToUpdate(lead, { note: text });
    await read(lead);
  }
  await tryToUpdate(lead, { ...lead.expected, note: session.newNote() });
  await read(lead);
};

/** Leads added at the same time; in a thorough run as many as it may hold, because some servers keep only a few. */
const addMany = async ({ add, read, remove, isThorough }: Tools): Promise<readonly Lead[]> => {
  const leads = await Promise.all(Array.from({ length: isThorough ? 10 : 5 }, () => add()));
  const last = await add();
  await read(leads[0], isThorough ? last : undefined);
  await remove(last);
  return leads;
};

/** Requests at the same time, for several leads and for one. */
const concurrency = async (tools: Tools): Promise<void> => {
  const { update, read, remove, session, tryToUpdate, settle, isThorough } = tools;
  const many = await addMany(tools);
  // The oldest ones are deleted first: a table of rows may count from the beginning.
  const leads = many.slice(isThorough ? -6 : -3);
  await remove(...many.slice(0, -leads.length));
  for (let round = 0; round < (isThorough ? 3 : 1); round += 1) {
    await settle();
    await Promise.all(leads.map((lead) => update(lead)));
    await read(...leads);
  }
  const [first, second, ...others] = leads as [Lead, Lead, ...Lead[]];
  await Promise.all([1, 2, 3].map(() => tryToUpdate(first, { note: session.newNote() })));
  await read(first);
  const { name, source, note } = session.newFields();
  await Promise.all([{ name }, { source }, { note }].map((body) => tryToUpdate(second, body)));
  await read(second);
  await Promise.all([update(first), remove(first)]);
  await Promise.all([remove(second), ...others.map((lead) => remove(lead))]);
  await read(...leads);
};

/** Leads that get no request for some seconds; `added` and `unread` have had none but their addition. */
const idle = async (tools: Tools): Promise<void> => {
  const { add, addAlike, update, read, remove, session, tryToUpdate, isThorough } = tools;
  const deleted = await add();
  // A change that is written late must not bring it back.
  await update(deleted);
  await remove(deleted);
  const updated = await add();
  const added = await addAlike(updated);
  const unread = await add();
  await tryToUpdate(updated, session.newFields());
  for (const body of [[], { ...session.newFields(), note: 7 }])
    await session.send('updateLead', { leadId: updated.id, body, intent: 'probe' });
  await session.client.clock.wait(isThorough ? 10_000 : 3200);
  await read(added, updated, deleted);
  // Its first update, seconds after its addition, has another time.
  await update(unread);
  await update(updated);
  await remove(updated, unread);
  await remove(await add());
};

/** Names and sources in updates, alone and together, and undocumented fields. */
const fields = async ({
  add,
  tryToAdd,
  update,
  read,
  remove,
  session,
  tryToUpdate,
  tryAddition,
  isThorough,
}: Tools): Promise<void> => {
  // Where this is refused with another status, a status of 500 for what follows is a failure (§7).
  await tryAddition({ body: session.leadBody({ name: { text: 'x' } }) });
  const lead = await add();
  const { name, source } = session.newFields();
  await tryToUpdate(lead, { name });
  await tryToUpdate(lead, { source });
  await update(lead);
  await tryToUpdate(lead, session.newFields());
  await read(lead);
  await tryToUpdate(lead, { note: session.newNote(), contract_test: 'x' });
  await read(lead);
  // The `email` of some examples, and an undocumented field.
  const email = session.newAddress();
  await tryToUpdate(lead, { note: session.newNote(), email });
  const both = await tryToAdd({ email, contract_test: 'x' });
  await read(both);
  await remove(...(both ? [both] : [await tryToAdd({ email }), await tryToAdd({ contract_test: 'x' })]));
  // An update with the current value succeeds too.
  for (const isSame of isThorough ? [true, true, false] : [true])
    await update(lead, isSame ? lead.expected.note : undefined);
  await remove(lead);
};

export const leadScenarios: readonly Scenario[] = [
  {
    id: 'leads.lifecycle',
    needs: 'writes',
    leads: 1,
    decides: [
      'leads.add.echoes-fields',
      'leads.add.distinct-ids',
      'leads.add.new-ids',
      'leads.add.every-time',
      'leads.add.utc-now',
      'leads.update.utc-now',
      'leads.update.echoes-note',
      'leads.update.same-id',
      'leads.update.keeps-other-fields',
      'leads.update.time-order',
      'leads.update.every-time',
      'leads.update.lasts',
      'leads.update.field-by-field',
      'leads.update.repeatable',
      'leads.delete.every-time',
      'leads.delete.nothing-else',
      'leads.delete.removes',
      'leads.update.refuses-unknown',
    ],
    run: lifecycle,
  },
  {
    id: 'leads.fields',
    needs: 'writes',
    leads: 3,
    decides: [
      'leads.update.every-time',
      'leads.update.field-by-field',
      'leads.update.repeatable',
      'leads.update.fields-together',
      'leads.add.no-email',
      'leads.update.no-email',
    ],
    run: fields,
  },
  ...sameTextScenarios,
  {
    id: 'leads.idle',
    needs: 'writes',
    leads: 4,
    decides: [
      'leads.update.lasts',
      'leads.delete.nothing-else',
      'leads.delete.removes',
      'leads.add.created-at-advances',
      'leads.update.updated-at-advances',
    ],
    run: idle,
  },
];

export const concurrencyScenario: Scenario = {
  id: 'leads.concurrency',
  needs: 'writes',
  leads: 11,
  decides: [
    'leads.add.echoes-fields',
    'leads.add.distinct-ids',
    'leads.delete.nothing-else',
    'leads.update.lasts',
    'leads.delete.removes',
  ],
  run: concurrency,
};
