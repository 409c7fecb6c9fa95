import { dataOf, type Exchange } from '../../client/exchange.ts';
import type { ActiveCheck } from '../../session/check.ts';
import { claimOf } from '../../session/operations.ts';
import { CheckInconclusive, fail, RefusalAllowed, show } from '../../session/outcome.ts';
import { leadFields, type OwnLead } from '../../session/own-lead.ts';
import type { Session } from '../../session/session.ts';
import type { Fields } from '../support/lead-assertions.ts';
import { expectTextsKept, requireAccepted } from '../support/text-assertions.ts';
import { padded, usualLength } from './text-length.ts';

/** Finds ids that are derived from the number of leads: such an id repeats after a deletion. */
const expectNewIdAfterDelete = async (
  session: Session,
  leads: readonly (OwnLead | undefined)[],
): Promise<void> => {
  const [first, ...others] = leads.filter((lead) => lead !== undefined);
  if (!first || !session.can('deleteLead')) return;
  await session.deleteLead(first);
  const { exchange, lead } = await session.addLead();
  if (lead && others.some(({ id }) => id === lead.id))
    fail('a unique lead_id', `${show(lead.id)}, which another lead has`, exchange);
  await expectLivingLead(session, first);
};

/**
 * Adds the same lead again after its deletion. The deployment may refuse it, but must not return a lead that does not exist.
 */
const expectLivingLead = async (session: Session, deleted: OwnLead): Promise<void> => {
  const { exchange, lead } = await session.addLead(deleted.expected, 'text');
  if (lead?.id !== deleted.id || !session.can('updateLead')) return;
  const update = await session.updateLead(
    { ...deleted, createdAtMs: Date.now() },
    session.newNote(),
    'probe',
  );
  if (update.outcome === 'refusal')
    fail('a unique lead_id', `${show(lead.id)}, the id of a deleted lead`, exchange);
};

/** Several people may have the same name or the same note: leads that differ in the other field are different leads. */
const expectNewIdForName = async (session: Session): Promise<void> => {
  await session.discardLeads();
  const { lead: first } = await session.addLead();
  if (!first) return;
  const { name, source, note } = first.expected;
  const shared: readonly (readonly [string, Partial<Fields>])[] = [
    ['the same name', { name }],
    ['the same name', { name: name.toUpperCase() }],
    ['the same name and source, and another note,', { name, source }],
    ['the same note', { note }],
  ];
  for (const [label, fields] of shared) {
    const { exchange, lead } = await session.addLead({ ...session.newFields(), ...fields }, 'text');
    if (lead?.id === first.id)
      fail('a unique lead_id', `${show(lead.id)}, which an earlier lead with ${label} has`, exchange);
  }
};

/**
 * An id in the request is not documented: it may be refused or ignored, but the new lead must not get the id of another lead.
 */
const expectNewIdForId = async (session: Session): Promise<void> => {
  await session.discardLeads();
  const { lead: first } = await session.addLead();
  if (!first) return;
  const fields = session.leadBody();
  const body = { ...fields, lead_id: first.id, id: first.id };
  const exchange = await session.send('addLead', { body, intent: 'probe' });
  const { lead_id: id, name } = dataOf(exchange);
  if (exchange.outcome === 'success' && name === fields.name && String(id) === first.id)
    fail('a unique lead_id', `${show(id)}, which the request contained and an earlier lead has`, exchange);
};

export const idCheck: ActiveCheck = {
  id: 'leads.add.distinct-ids',
  leads: 7,
  title: 'every lead gets a unique id, also when several are added concurrently',
  level: 'derived',
  ...claimOf('addLead'),
  run: async (session) => {
    const together = await Promise.all(Array.from({ length: 6 }, () => session.addLead()));
    const exchangeById = new Map<string, Exchange>();
    for (const { exchange, lead } of [...together, await session.addLead()]) {
      if (!lead) continue;
      if (exchangeById.has(lead.id)) fail('a unique lead_id', `${show(lead.id)} for two leads`, exchange);
      exchangeById.set(lead.id, exchange);
    }
    if (exchangeById.size < 2) throw new CheckInconclusive('fewer than two leads could be added');
    await expectNewIdAfterDelete(
      session,
      together.map(({ lead }) => lead),
    );
    await expectNewIdForName(session);
    await expectNewIdForId(session);
  },
};

const inAll = ({ name, source, note }: Fields, change: (text: string) => string): Fields => ({
  name: change(name),
  source: change(source),
  note: change(note),
});

const withoutAccents = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '');

/** Texts that a database considers equal if it compares them without case, without accents, or by prefix. */
const nearDuplicatesOf = (fields: Fields): readonly Fields[] => [
  inAll(fields, (text) => text.toUpperCase()),
  inAll(fields, withoutAccents),
  { ...fields, note: `${fields.note.slice(0, -1)}x` },
];

/** Adds a lead with accents in its texts, or without them if they are refused. */
const addAccented = async (session: Session): Promise<OwnLead> => {
  const fields = inAll(session.newFields(), (text) => text.replace(/e$/, 'é'));
  // A length that every deployment accepts, so that no limit truncates the note.
  const note = padded(fields.note, usualLength);
  const { exchange, lead } = await session.addLead({ ...fields, note }, 'text');
  return exchange.outcome === 'success' && lead ? lead : session.ownLead();
};

const isSame = (left: Fields, right: Fields): boolean =>
  leadFields.every((field) => left[field] === right[field]);

/** Expects a response with the texts of this lead, and not those of a similar lead. @returns whether the lead was accepted */
const expectOwnTexts = async (session: Session, fields: Fields): Promise<boolean> => {
  const { exchange, lead } = await session.addLead(fields, 'text');
  if (exchange.outcome === 'refusal') return false;
  expectTextsKept(requireAccepted(exchange), lead?.expected ?? fields);
  return true;
};

/** A deployment may refuse such a lead, or merge equal leads; but a success must describe the new lead. */
export const nearDuplicateCheck: ActiveCheck = {
  id: 'leads.add.near-duplicates',
  leads: 5,
  title: 'a new lead keeps its own texts when another or a deleted lead has almost the same',
  level: 'documented',
  ...claimOf('addLead'),
  run: async (session) => {
    const first = await addAccented(session);
    const accepted: boolean[] = [];
    for (const fields of nearDuplicatesOf(first.expected))
      if (!isSame(fields, first.expected)) accepted.push(await expectOwnTexts(session, fields));
    if (session.can('deleteLead')) {
      await session.deleteLead(first);
      accepted.push(await expectOwnTexts(session, { ...first.expected, note: session.newNote() }));
    }
    if (!accepted.includes(true))
      throw new RefusalAllowed('the deployment refuses leads that are so similar');
  },
};
