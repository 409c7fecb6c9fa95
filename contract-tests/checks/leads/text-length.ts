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

/**
 * Every field can hold this number of characters: the document leaves limits open (§8), and
 * the probes search for a limit from 64 on.
 */
export const usualLength = 60;
const longLength = 300;
/** Tried first for new leads; `longLength` is the second attempt. */
const longerLength = 1200;

/** Number of characters of several bytes each, more than a network packet or a buffer of a common size holds. */
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

/** A longer text may be truncated (§8: limits are not shown), with or without an ellipsis, but not changed in another way. */
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

/** The part of a long text that a response showed must be stored: a truncation is visible in both responses or in none. */
const expectShownStored = (shown: Exchange, exchange: Exchange, name: keyof Fields): void => {
  const [before, after] = [dataOf(exchange)[name], dataOf(shown)[name]];
  if (typeof before !== 'string' || typeof after !== 'string' || !before.startsWith(after)) return;
  if (after.trim() !== '' && after.trimEnd() !== before.trimEnd())
    fail(
      `data.${name} as in the response before it: ${before.length} characters`,
      `the first ${after.length} of them`,
      shown,
    );
};

/** Compares the note that an update without a note shows. Only used if `showsNotes` returned true. */
const expectNoteStored = async (session: Session, lead: OwnLead, exchange: Exchange): Promise<void> => {
  const shown = await session.readBack(lead);
  if (shown) expectShownStored(shown, exchange, 'note');
};

/** Sends an update with all fields, if the deployment accepts one: a name or a source is stored as sent, or left unchanged. */
const expectStoredOrIgnored = async (session: Session): Promise<void> => {
  const lead = await session.useSharedLead();
  const sent = usualFields(session);
  const exchange = await session.send('updateLead', { leadId: lead.id, body: sent, intent: 'text' });
  if (exchange.outcome !== 'success') return;
  const before = lead.expected;
  const data = dataOf(exchange);
  for (const name of ['name', 'source'] as const) {
    // The new value becomes the expected one, so that the lead is recognised when it is deleted.
    if (data[name] !== before[name]) {
      expectTextsKept(exchange, { [name]: sent[name] }, `as sent, or ${show(before[name])} as before`);
      lead.expected = { ...lead.expected, [name]: sent[name] };
    }
  }
  lead.expected = { ...lead.expected, note: sent.note };
  expectTextsKept(exchange, { note: sent.note });
};

/** Adds a lead with one text that is longer than the others. */
const addLongText = async (session: Session, name: 'name' | 'source'): Promise<AddedLead> => {
  const { [name]: text, ...others } = { ...session.newFields(), ...overriddenFields(session) };
  const fields = { ...others, [name]: padded(text, longLength) } as Fields;
  return { ...(await session.addLead(fields, 'text')), fields };
};

/** Like `expectPrefix`, with the position of the difference, which may be anywhere. */
const expectBeginning = (exchange: Exchange, note: string): void => {
  const actual = dataOf(exchange).note;
  if (typeof actual !== 'string') return;
  const at = sharedStart(note, actual);
  const rest = actual.slice(at).replace(/(…|\.\.\.)$/, '');
  if (at > 0 && rest.trim() === '') return;
  fail(
    `a note of ${note.length} characters, or its beginning`,
    `${show(actual.slice(at, at + usualLength))} at character ${at}, instead of ${show(note.slice(at, at + usualLength))}`,
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
      // One additional byte the second time: a buffer then ends within a character in one case, and between two in the other.
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
