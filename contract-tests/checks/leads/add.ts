import { dataOf, describeRefusal, type Exchange } from '../../client/exchange.ts';
import { type ActiveCheck, maxLeads } from '../../session/check.ts';
import { claimOf } from '../../session/operations.ts';
import { CheckInconclusive, fail, show } from '../../session/outcome.ts';
import { carriesEmail, type Fields, type OwnLead } from '../../session/own-lead.ts';
import type { Session } from '../../session/session.ts';
import { gatewayName, isForeignPage } from '../../session/trouble.ts';
import {
  expectFields,
  expectThere,
  nameAndSource,
  overriddenFields,
  requireNotRefused,
  undocumentedFields,
} from '../support/lead-assertions.ts';
import { requireAccepted } from '../support/text-assertions.ts';

const add = claimOf('addLead');

/** Adds a lead with a text that no deployment may refuse (§2.3). @returns the success response */
const addFreeText = async (session: Session, field: keyof Fields, text: string): Promise<Exchange> => {
  const body = session.leadBody({ [field]: text });
  const exchange = await session.send('addLead', { body, intent: 'text' });
  if (exchange.outcome !== 'refusal') return requireNotRefused(exchange);
  const gateway = isForeignPage(exchange) && gatewayName(exchange, session.client.exchanges);
  if (gateway)
    throw new CheckInconclusive(`${gateway} refused it instead of the service: ${exchange.status}`);
  // Skips if no lead is accepted any more: a deployment may limit their number.
  await session.ownLead();
  return fail(`any string to be accepted as ${field}`, `refused: ${describeRefusal(exchange)}`, exchange);
};

export const addChecks: readonly ActiveCheck[] = [
  {
    id: 'leads.add.echoes-fields',
    leads: 7,
    title: 'a new lead has the name, source and note that were sent',
    level: 'documented',
    ...add,
    run: async (session) => {
      // Six times, to find intermittent failures. The last three share one source.
      const { source } = session.newFields();
      for (let round = 0; round < 6; round += 1) {
        const fields = { ...session.newFields(), ...(round < 3 ? {} : { source }) };
        const { exchange } = await session.addLead(fields);
        expectFields(requireNotRefused(exchange), { ...fields, ...overriddenFields(session) });
      }
      await session.discardLeads();
      await expectExtraFieldsHarmless(session);
    },
  },
  {
    id: 'leads.add.free-source',
    leads: 6,
    title: 'source is free text: punctuation and non-ASCII letters are accepted',
    level: 'documented',
    ...add,
    section: '2.3',
    run: async (session) => {
      await session.ownLead();
      // A short plain string, and an unusual one like a tracking parameter.
      for (const source of [session.unique('Source'), `web / ref=7, ü ${session.runId}`]) {
        expectFields(await addFreeText(session, 'source', source), { source });
      }
      // Three different sources, although a database may compare them without regard to case or accents.
      for (const source of ['Instagram: Ä/ö, 50 %', 'INSTAGRAM: Ä/Ö, 50 %', 'Instagram: A/o, 50 %'])
        await expectLeadShown(session, { ...session.newFields(), source: `${source} ${session.runId}` });
    },
  },
  {
    id: 'leads.add.free-note',
    leads: 4,
    title: 'note is free text: digits, punctuation and links are accepted, and the same note twice',
    level: 'derived',
    ...add,
    section: '2.3',
    run: async (session) => {
      await session.ownLead();
      const note = `Call 0170 55, after 5 pm! See example.com/a?b=1 ${session.runId}`;
      await addFreeText(session, 'note', note);
      // Several leads may have the same note.
      await addFreeText(session, 'note', note);
    },
  },
  {
    id: 'leads.add.omitted-fields',
    title: 'empty texts of a new lead stay empty, and omitted texts are not copied from another lead',
    level: 'derived',
    ...add,
    run: async (session) => {
      await expectNoForeignText(session);
      await expectEmptyTextsStored(session);
    },
  },
  {
    id: 'leads.add.own-reply',
    // The maximum number of leads in a run: a deployment that keeps only a few loses the first one.
    leads: maxLeads,
    // No other check holds leads then, so this check need not wait for room.
    alone: true,
    title: 'leads added concurrently all exist, and each response belongs to its request',
    level: 'documented',
    ...add,
    run: async (session) => {
      const sent = Array.from({ length: maxLeads }, () => session.newFields());
      const replies = await Promise.all(sent.map((fields) => session.addLead(fields)));
      for (const [index, { exchange }] of replies.entries())
        expectFields(requireNotRefused(exchange), { ...sent[index], ...overriddenFields(session) });
      const ids = replies.map(({ lead }) => lead?.id);
      for (const [index, { exchange, lead }] of replies.entries())
        if (lead && ids.indexOf(lead.id) !== index)
          fail(
            'a lead_id that no other lead has',
            `${show(lead.id)} for two of the concurrently added leads`,
            exchange,
          );
      if (!session.can('updateLead')) return;
      for (const { lead } of replies)
        if (lead) await expectThere(session, lead, 'several leads were added concurrently');
    },
  },
  {
    id: 'leads.add.no-email',
    title: 'no response contains the email that was sent with a lead',
    level: 'derived',
    ...add,
    section: '2.3',
    run: async (session) => {
      const email = `contract-test-${session.runId}@example.com`;
      const body = session.leadBody({ email });
      const exchange = await session.send('addLead', { body, intent: 'probe' });
      requireAccepted(exchange);
      if (exchange.rawText.includes(email))
        fail('no email in the response', 'the email of the request', exchange);
      if (carriesEmail(exchange))
        fail('no field email in the response', 'the response has a field email', exchange);
      const { lead_id: id } = dataOf(exchange);
      if (typeof id !== 'string' || !session.can('updateLead')) return;
      const changed = await session.send('updateLead', {
        leadId: id,
        body: { ...body, email: undefined, note: session.newNote() },
        intent: 'probe',
      });
      if (carriesEmail(changed))
        fail('no field email in the response', 'the response to an update has a field email', changed);
    },
  },
];

/** An empty text may be refused (not shown in the document), but replacing it by another text changes it. */
const expectEmptyTextsStored = async (session: Session): Promise<void> => {
  for (const empty of [{ source: '', note: '' }, { source: '' }, { note: '' }]) {
    const { fields, exchange } = await addProbe(session, empty);
    if (exchange.outcome !== 'success') continue;
    // A different name means that the deployment merged this lead with an existing one.
    if (dataOf(exchange).name === fields.name) expectFields(exchange, empty);
    break;
  }
  const { fields, exchange } = await addProbe(session, { name: '' });
  if (exchange.outcome === 'success' && dataOf(exchange).note === fields.note)
    expectFields(exchange, { name: '' });
};

const addProbe = async (
  session: Session,
  texts: { readonly [Name in keyof OwnLead['expected']]?: string | undefined },
): Promise<{ fields: OwnLead['expected']; exchange: Exchange }> => {
  const fields = session.leadBody();
  const body = { ...fields, ...texts };
  return { fields, exchange: await session.send('addLead', { body, intent: 'probe' }) };
};

/** Undocumented fields may be refused or ignored, but must not change documented fields. */
const expectExtraFieldsHarmless = async (session: Session): Promise<void> => {
  for (const extra of undocumentedFields(session)) {
    const fields = session.leadBody();
    const body = { ...fields, ...extra };
    const exchange = await session.send('addLead', { body, intent: 'probe' });
    if (exchange.outcome !== 'success') continue;
    const { name, source, note } = fields;
    expectFields(exchange, { name, source, note });
    return;
  }
};

/** Omitted fields may be empty or missing, but must not contain a text of another request. */
const expectNoForeignText = async (session: Session): Promise<void> => {
  await session.ownLead();
  for (const missing of [['source', 'note'], ['note'], ['source']] as const) {
    const { exchange } = await addProbe(
      session,
      Object.fromEntries(missing.map((name) => [name, undefined])),
    );
    if (exchange.outcome !== 'success') continue;
    const texts = Object.entries(dataOf(exchange)).filter(([name]) =>
      missing.some((field) => field === name),
    );
    const foreign = texts.find(([, text]) => typeof text === 'string' && text.includes(session.runId));
    if (foreign)
      fail(
        `no ${foreign[0]} that another request sent`,
        `data.${foreign[0]} is ${show(foreign[1])}`,
        exchange,
      );
    return;
  }
};

/** Adds a lead and expects the next update to show its name and source. */
const expectLeadShown = async (session: Session, fields: OwnLead['expected']): Promise<void> => {
  const { exchange, lead } = await session.addLead({
    ...fields,
    ...overriddenFields(session),
    source: fields.source,
  });
  if (exchange.outcome !== 'success' || !lead || !session.can('updateLead')) return;
  expectFields(exchange, nameAndSource(lead));
  expectFields(
    requireNotRefused(await session.updateLead(lead, session.newNote())),
    nameAndSource(lead),
    'as added',
  );
};
