import { type ActiveCheck, fail, show } from '../check.ts';
import { dataOf, type Exchange } from '../exchange.ts';
import { addWith, expectKept, expectStored, page, takenInUpdate } from '../kept-texts.ts';
import type { Fields } from '../lead-facts.ts';
import type { Session } from '../session.ts';
import { add, update } from './operations.ts';

/** No field is so short that it could not hold this much: a limit is open (§8), and is asked for from 64 on. */
const usual = 60;
const long = 300;

const padded = (text: string, length: number): string =>
  text.padEnd(length, ' and so on with it').replace(/ $/, 's');

const usualFields = (session: Session): Fields => {
  const { name, source, note } = session.newFields();
  return { name: padded(name, usual), source: padded(source, usual), note: padded(note, usual) };
};

/** A longer text may be cut (§8: limits are not shown), perhaps with a mark where it ends; nothing else may come of it. */
const expectBeginning = (exchange: Exchange, note: string): void => {
  const came = dataOf(exchange).note;
  if (typeof came !== 'string') return;
  const beginning = came.replace(/\s*(…|\.\.\.)?$/, '');
  if (beginning !== '' && note.startsWith(beginning)) return;
  fail(
    `a note of ${long} characters, or its beginning: ${show(note.slice(0, usual))}…`,
    show(came),
    exchange,
  );
};

/** An update with all fields, where a deployment takes one: a name or a source is taken as sent, or left alone. */
const expectWholeOrLeftAlone = async (session: Session): Promise<void> => {
  const lead = await page(session);
  const sent = usualFields(session);
  const exchange = await session.send('updateLead', { leadId: lead.id, body: sent, intent: 'text' });
  if (exchange.outcome !== 'success') return;
  const before = lead.expected;
  const data = dataOf(exchange);
  for (const name of ['name', 'source'] as const) {
    // What is new stays expected, so that the lead is recognised when it is deleted.
    if (data[name] !== before[name]) {
      expectKept(exchange, { [name]: sent[name] }, `as sent, or ${show(before[name])} as before`);
      lead.expected = { ...lead.expected, [name]: sent[name] };
    }
  }
  lead.expected = { ...lead.expected, note: sent.note };
  expectKept(exchange, { note: sent.note });
};

export const lengthChecks: readonly ActiveCheck[] = [
  {
    id: 'leads.add.keeps-usual-length',
    title: `a new lead keeps texts of ${usual} characters whole`,
    level: 'derived',
    ...add,
    run: (session) => expectStored(session, usualFields(session)),
  },
  {
    id: 'leads.update.keeps-usual-length',
    title: `an update keeps texts of ${usual} characters whole`,
    level: 'derived',
    ...update,
    run: async (session) => {
      const note = padded(session.newNote(), usual);
      const exchange = await session.updateLead(await page(session), note, 'text');
      expectKept(await takenInUpdate(session, exchange), { note });
      await expectWholeOrLeftAlone(session);
    },
  },
  {
    id: 'leads.add.keeps-long-note',
    title: 'a longer note of a new lead is kept, cut or refused, and not replaced',
    level: 'derived',
    ...add,
    run: async (session) => {
      const note = padded(session.newNote(), long);
      const { exchange, fields } = await addWith(session, { note });
      expectBeginning(exchange, fields.note);
    },
  },
  {
    id: 'leads.update.keeps-long-note',
    title: 'a longer note of an update is kept, cut or refused, and not replaced',
    level: 'derived',
    ...update,
    run: async (session) => {
      const note = padded(session.newNote(), long);
      const lead = await page(session);
      const exchange = await takenInUpdate(session, await session.updateLead(lead, note, 'text'));
      expectBeginning(exchange, note);
    },
  },
];
