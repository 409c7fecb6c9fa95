import { dataOf, type Exchange } from '../../client/exchange.ts';
import type { ActiveCheck } from '../../session/check.ts';
import { claimOf } from '../../session/operations.ts';
import { describeValue, fail, RefusalAllowed, show } from '../../session/outcome.ts';
import type { OwnLead } from '../../session/own-lead.ts';
import type { Session } from '../../session/session.ts';
import {
  concurrentRounds,
  expectFields,
  type Fields,
  nameAndSource,
  requireNotRefused,
} from '../support/lead-assertions.ts';
import { knownLead } from '../support/lead-state.ts';
import { mixedTexts } from '../support/text-assertions.ts';

const update = claimOf('updateLead');

// The document does not show whether an update may contain a name and a source: each may be applied, ignored or refused.
const optionalFields = ['name', 'source'] as const;

const updateFields = (session: Session, { id }: OwnLead, body: Partial<Fields>): Promise<Exchange> =>
  session.send('updateLead', { leadId: id, body, intent: 'probe' });

/** The sent name and source, as far as the response shows them. */
const appliedFields = (exchange: Exchange, sent: Partial<Fields>): Partial<Fields> =>
  Object.fromEntries(
    optionalFields
      .filter((name) => name in sent && dataOf(exchange)[name] === sent[name])
      .map((name) => [name, sent[name]]),
  );

/** Updates a lead and inspects the response: each sent field is applied or ignored, all others are unchanged. */
const expectAppliedOrIgnored = async (
  session: Session,
  lead: OwnLead,
  sent: Partial<Fields>,
): Promise<boolean> => {
  const exchange = await updateFields(session, lead, sent);
  if (exchange.outcome !== 'success') return false;
  const applied = appliedFields(exchange, sent);
  const { note, ...rest } = {
    ...lead.expected,
    ...applied,
    ...(sent.note === undefined ? {} : { note: sent.note }),
  };
  lead.expected = { ...rest, note };
  // If an update without a note applies no field, its effect on the note is not documented.
  const known = 'note' in sent || Object.keys(applied).length > 0;
  expectFields(exchange, known ? lead.expected : rest, 'as sent or as before');
  return true;
};

/** Expects the next update to show the same name and source as the last one. */
const expectUnchangedLater = async (session: Session, lead: OwnLead): Promise<void> => {
  const later = await session.updateLead(lead, session.newNote(), 'text');
  expectFields(requireNotRefused(later), nameAndSource(lead), 'as in the response to the previous update');
};

type LostUpdate = { readonly field: keyof Fields; readonly sent: string; readonly exchange: Exchange };

type ConcurrentUpdates = { readonly applied: Partial<Fields>; readonly lost: LostUpdate | undefined };

/** Sends three concurrent updates of one lead, and compares their responses with the state afterwards. */
const updateConcurrently = async (session: Session, lead: OwnLead): Promise<ConcurrentUpdates> => {
  const before = lead.expected;
  const sent = session.newFields();
  const parts = [{ name: sent.name }, { source: sent.source }, { note: sent.note }];
  const replies = await Promise.all(parts.map((part) => updateFields(session, lead, part)));
  // The response to a repeated request may show the effect of the first attempt, before the connection broke.
  const successes = replies.map(({ outcome, repeated }, index) =>
    outcome === 'success' && !repeated ? (parts[index] ?? {}) : {},
  );
  const applied: Partial<Fields> = Object.assign(
    {},
    ...replies.map((reply, index) => appliedFields(reply, successes[index] ?? {})),
  );
  if (Object.keys(applied).length === 0)
    throw new RefusalAllowed('the deployment accepts neither a name nor a source alone');
  const changes: Partial<Fields> = { ...applied, ...successes[2] };
  // Before the read, because it may send the name and the source again.
  lead.expected = { ...before, ...changes };
  const exchange =
    (await session.readBack(lead)) ?? (await session.updateLead(lead, session.newNote(), 'text'));
  const shown = dataOf(exchange);
  // Only the previous value proves a lost update: concurrent updates may be applied in any order.
  const lost = (Object.keys(changes) as (keyof Fields)[]).filter((name) => shown[name] === before[name]);
  for (const name of lost) lead.expected = { ...lead.expected, [name]: before[name] };
  const [field] = lost;
  return { applied, lost: field && { field, sent: changes[field] ?? '', exchange } };
};

const expectNoLostUpdate = async (session: Session, lead: OwnLead): Promise<Partial<Fields>> => {
  for (let round = 1; ; round += 1) {
    const { applied, lost } = await updateConcurrently(session, lead);
    if (!lost) return applied;
    if (round === concurrentRounds)
      fail(
        `the ${lost.field} of a concurrent update to persist: ${show(lost.sent)}`,
        `a lost update, in ${concurrentRounds} of ${concurrentRounds} tries: the ${lost.field} has its previous value`,
        lost.exchange,
      );
  }
};

export const updateFieldChecks: readonly ActiveCheck[] = [
  {
    id: 'leads.update.field-by-field',
    title: 'an update applies or ignores a name or a source, and changes nothing else',
    level: 'documented',
    ...update,
    run: async (session) => {
      const lead = await knownLead(session, 'text');
      const { name, source } = session.newFields();
      const alone = [
        await expectAppliedOrIgnored(session, lead, { name }),
        await expectAppliedOrIgnored(session, lead, { source }),
      ];
      if (alone.includes(true)) await expectUnchangedLater(session, lead);
      if (await expectAppliedOrIgnored(session, lead, session.newFields()))
        await expectUnchangedLater(session, lead);
      else if (!alone.includes(true))
        throw new RefusalAllowed('the deployment refuses a name and a source in an update');
    },
  },
  {
    id: 'leads.update.fields-together',
    title: 'fields that an update accepts alone are also accepted together, in one request or concurrently',
    level: 'derived',
    ...update,
    run: async (session) => {
      const lead = await knownLead(session, 'text');
      const applied = await expectNoLostUpdate(session, lead);
      const sent = session.newFields();
      const exchange = await updateFields(session, lead, sent);
      if (exchange.outcome !== 'success') return;
      for (const [field, value] of Object.entries(applied)) {
        const actual = dataOf(exchange)[field];
        if (actual === value)
          fail(
            `the ${field} to be accepted, as it is when sent alone: ${show(sent[field as keyof Fields])}`,
            `unchanged: ${describeValue(actual)}`,
            exchange,
          );
      }
    },
  },
];

/** Returns the first update with such texts, in name and source or in one of them, that the deployment accepts. */
const updateText = async (
  session: Session,
  lead: OwnLead,
): Promise<{ exchange: Exchange; sent: Partial<Fields> }> => {
  for (const fields of [['name', 'source'], ['source'], ['name']]) {
    for (const text of mixedTexts) {
      const sent: Partial<Fields> = Object.fromEntries(fields.map((field) => [field, text]));
      const body = session.updateBody({ note: session.newNote(), ...sent }, lead);
      const exchange = await session.send('updateLead', { leadId: lead.id, body, intent: 'text' });
      if (exchange.outcome === 'success') return { exchange, sent };
    }
  }
  throw new RefusalAllowed('the deployment accepts no such text as a name or a source in an update');
};

/**
 * The document does not show whether an update may contain a name and a source. If an update
 * changes them, it must store what was sent.
 */
export const updateTextChecks: readonly ActiveCheck[] = [
  {
    id: 'leads.update.keeps-name-and-source',
    title: 'an update that accepts a name or a source stores its markup, quotes and letters unchanged',
    section: '4.6',
    level: 'derived',
    operation: 'updateLead',
    needs: 'writes',
    run: async (session) => {
      const lead = await knownLead(session, 'text');
      const { exchange, sent } = await updateText(session, lead);
      for (const field of ['name', 'source'] as const) {
        const ignored = dataOf(exchange)[field] === lead.expected[field];
        if (!ignored) lead.expected = { ...lead.expected, [field]: sent[field] ?? lead.expected[field] };
      }
      expectFields(exchange, nameAndSource(lead));
      const later = await session.updateLead(lead, session.newNote(), 'text');
      expectFields(
        requireNotRefused(later),
        nameAndSource(lead),
        'as in the response to the previous update',
      );
    },
  },
];
