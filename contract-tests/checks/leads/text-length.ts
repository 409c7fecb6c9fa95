import { dataOf, type Exchange } from '../../client/exchange.ts';
import type { ActiveCheck } from '../../session/check.ts';
import { isUnknownLead } from '../../session/lead-requests.ts';
import { claimOf } from '../../session/operations.ts';
import { fail, sharedStart, show } from '../../session/outcome.ts';
import type { OwnLead } from '../../session/own-lead.ts';
import type { Session } from '../../session/session.ts';
import { type Fields, overriddenFields, requireNotRefused } from '../support/lead-assertions.ts';
import {
  type AddedLead,
  expectTextsKept,
  expectTextsStored,
  requireAccepted,
  requireAcceptedUpdate,
  showsNotes,
  updateAfter,
} from '../support/text-assertions.ts';

const add = claimOf('addLead');
const update = claimOf('updateLead');

/** No field is so short that it could not hold this much: a limit is open (§8), and is asked for from 64 on. */
export const usualLength = 60;
const longLength = 300;
/** Asked of new leads first, where a shorter one is the second try. */
const longerLength = 1200;

/** More than one network packet or buffer of a usual size holds, in characters of several bytes. */
const veryLongLength = 30_000;

export const padded = (text: string, length: number): string =>
  text.padEnd(length, ' and so on with it').replace(/ $/, 's');

const usualFields = (session: Session): Fields => {
  const { name, source, note } = session.newFields();
  return {
    name: padded(name, usualLength),
    source: padded(source, usualLength),
    note: padded(note, usualLength),
  };
};

/** A longer text may be cut (§8: limits are not shown), perhaps with a mark where it ends; nothing else may come of it. */
const expectPrefix = (exchange: Exchange, text: string, name: keyof Fields = 'note'): void => {
  const actual = dataOf(exchange)[name];
  if (typeof actual !== 'string') return;
  const beginning = actual.replace(/(…|\.\.\.)$/, '').trimEnd();
  if (beginning !== '' && text.startsWith(beginning)) return;
  fail(
    `a ${name} of ${longLength} characters, or its beginning: ${show(text.slice(0, usualLength))}…`,
    show(actual),
    exchange,
  );
};

/** What a response showed of a long text is what is stored: a limit that cuts shows in both or in none. */
const expectShownStored = (shown: Exchange, exchange: Exchange, name: keyof Fields): void => {
  const [before, after] = [dataOf(exchange)[name], dataOf(shown)[name]];
  if (typeof before !== 'string' || typeof after !== 'string' || !before.startsWith(after)) return;
  if (after.trim() !== '' && after.trimEnd() !== before.trimEnd())
    fail(
      `data.${name} as the response before it: ${before.length} characters`,
      `the first ${after.length} of them`,
      shown,
    );
};

/** The note that an update without one shows; only where `showsNotes` said so before. */
const expectNoteStored = async (session: Session, lead: OwnLead, exchange: Exchange): Promise<void> => {
  const shown = await session.readBack(lead);
  if (shown) expectShownStored(shown, exchange, 'note');
};

/** An update with all fields, where a deployment takes one: a name or a source is taken as sent, or left alone. */
const expectStoredOrIgnored = async (session: Session): Promise<void> => {
  const lead = await session.useSharedLead();
  const sent = usualFields(session);
  const exchange = await session.send('updateLead', { leadId: lead.id, body: sent, intent: 'text' });
  if (exchange.outcome !== 'success') return;
  const before = lead.expected;
  const data = dataOf(exchange);
  for (const name of ['name', 'source'] as const) {
    // What is new stays expected, so that the lead is recognised when it is deleted.
    if (data[name] !== before[name]) {
      expectTextsKept(exchange, { [name]: sent[name] }, `as sent, or ${show(before[name])} as before`);
      lead.expected = { ...lead.expected, [name]: sent[name] };
    }
  }
  lead.expected = { ...lead.expected, note: sent.note };
  expectTextsKept(exchange, { note: sent.note });
};

/** A lead one of whose texts is longer than the others. */
const addLongText = async (session: Session, name: 'name' | 'source'): Promise<AddedLead> => {
  const { [name]: text, ...others } = { ...session.newFields(), ...overriddenFields(session) };
  const fields = { ...others, [name]: padded(text, longLength) } as Fields;
  return { ...(await session.addLead(fields, 'text')), fields };
};

/** As `expectPrefix`, where what is wrong may be anywhere. */
const expectBeginning = (exchange: Exchange, note: string): void => {
  const actual = dataOf(exchange).note;
  if (typeof actual !== 'string') return;
  const at = sharedStart(note, actual);
  const rest = actual.slice(at).replace(/(…|\.\.\.)$/, '');
  if (at > 0 && rest.trim() === '') return;
  fail(
    `a note of ${note.length} characters, or its beginning`,
    `${show(actual.slice(at, at + usualLength))} at character ${at}, in place of ${show(note.slice(at, at + usualLength))}`,
    exchange,
  );
};

export const lengthChecks: readonly ActiveCheck[] = [
  {
    id: 'leads.add.keeps-usual-length',
    title: `a new lead stores texts of ${usualLength} characters in full`,
    level: 'derived',
    ...add,
    run: (session) => expectTextsStored(session, usualFields(session)),
  },
  {
    id: 'leads.update.keeps-usual-length',
    title: `an update stores texts of ${usualLength} characters in full`,
    level: 'derived',
    ...update,
    run: async (session) => {
      const note = padded(session.newNote(), usualLength);
      const exchange = await session.updateLead(await session.useSharedLead(), note, 'text');
      expectTextsKept(await requireAcceptedUpdate(session, exchange), { note });
      await expectStoredOrIgnored(session);
    },
  },
  {
    id: 'leads.add.keeps-long-note',
    title: 'a longer note of a new lead is stored, truncated or rejected, but not replaced',
    level: 'derived',
    ...add,
    run: async (session) => {
      const showsNote = session.can('updateLead') && (await showsNotes(session));
      for (const length of [longerLength, longLength]) {
        const note = padded(session.newNote(), length);
        const fields = { ...session.newFields(), ...overriddenFields(session), note };
        const { exchange, lead } = await session.addLead(fields, 'text');
        if (exchange.outcome === 'refusal') continue;
        expectPrefix(requireAccepted(exchange), note);
        if (lead && showsNote) await expectNoteStored(session, lead, exchange);
        return;
      }
    },
  },
  {
    id: 'leads.add.keeps-long-name',
    title: 'a longer name or source of a new lead is stored, truncated or rejected, but not replaced',
    level: 'derived',
    ...add,
    run: async (session) => {
      for (const name of ['name', 'source'] as const) {
        if (Object.hasOwn(overriddenFields(session), name)) continue;
        const added = await addLongText(session, name);
        if (added.exchange.outcome !== 'success') continue;
        expectPrefix(added.exchange, added.fields[name], name);
        const later = await updateAfter(added, session);
        if (later) expectShownStored(later, added.exchange, name);
      }
    },
  },
  {
    id: 'leads.update.keeps-long-note',
    title: 'a longer note of an update is stored, truncated or rejected, but not replaced',
    level: 'derived',
    ...update,
    run: async (session) => {
      const note = padded(session.newNote(), longLength);
      const showsNote = await showsNotes(session);
      const lead = await session.useSharedLead();
      const exchange = await session.updateLead(lead, note, 'text');
      if (exchange.outcome === 'refusal' && !(await isUnknownLead(session, exchange))) return;
      expectPrefix(await requireAcceptedUpdate(session, exchange), note);
      if (showsNote) await expectNoteStored(session, lead, exchange);
    },
  },
  {
    id: 'leads.update.keeps-very-long-note',
    title: `a note of ${veryLongLength} characters is stored, truncated or rejected, but not damaged`,
    level: 'derived',
    ...update,
    run: async (session) => {
      const showsNote = await showsNotes(session);
      const lead = await session.ownLead();
      requireNotRefused(await session.updateLead(lead, session.newNote()));
      // One byte more the second time: where a buffer ends within a character, and where it does not.
      for (const beginning of ['n', 'no']) {
        const note = `${beginning} ${session.runId} ${'漢'.repeat(veryLongLength)}`;
        const exchange = await session.updateLead(lead, note, 'text');
        if (exchange.outcome !== 'success') continue;
        expectBeginning(exchange, note);
        if (showsNote) await expectNoteStored(session, lead, exchange);
      }
    },
  },
];
