import { type ActiveCheck, CheckSkipped, fail, show } from '../check.ts';
import { dataOf, type Exchange } from '../exchange.ts';
import { addWith, updateAfter } from '../kept-texts.ts';
import { type Fields, unchanging } from '../lead-facts.ts';
import type { Session } from '../session.ts';
import { add, update } from './operations.ts';

// Texts that something between two databases takes for a number, a date, a truth, nothing or a part of its own.
const words: readonly Partial<Fields>[] = [
  { name: 'true', source: '007', note: 'null' },
  { name: 'null', source: '1e3', note: 'true' },
  { name: '1e3', source: '-1.50', note: '0042' },
  { name: '0042', source: 'false', note: '2026-03-02' },
  { source: '0', note: 'no' },
  { source: 'yes', note: '0' },
  { source: 'constructor', note: '__proto__' },
];

const expectWords = (exchange: Exchange, sent: Partial<Fields>): void => {
  const data = dataOf(exchange);
  for (const [name, word] of Object.entries(sent)) {
    if (data[name] !== word) fail(`data.${name} ${show(word)}`, show(data[name]), exchange);
  }
};

/** Whether a lead with these words was added, and came back with them. */
const addWords = async (session: Session, row: Partial<Fields>): Promise<void> => {
  const sent = await addWith(session, row);
  expectWords(sent.exchange, sent.fields);
  const later = await updateAfter(sent, session);
  if (later && sent.lead) expectWords(later, unchanging(sent.lead));
};

/** A word that is refused says nothing of the next one. @throws CheckSkipped where all are */
const untilAllRefused = async <Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  let refused: CheckSkipped | undefined;
  let tried = 0;
  for (const item of items) {
    try {
      await work(item);
      tried += 1;
    } catch (error) {
      if (!(error instanceof CheckSkipped)) throw error;
      refused = error;
    }
  }
  if (tried === 0 && refused) throw refused;
};

export const wordChecks: readonly ActiveCheck[] = [
  {
    id: 'leads.add.keeps-words-as-text',
    title: 'texts that look like numbers, dates, booleans, null or names in a program stay texts',
    level: 'documented',
    ...add,
    section: '2.3',
    run: (session) => untilAllRefused(words, (row) => addWords(session, row)),
  },
  {
    id: 'leads.update.keeps-words-as-text',
    title: 'a note that looks like a number, a date, a boolean or null stays a text',
    level: 'documented',
    ...update,
    section: '2.3',
    run: async (session) => {
      const lead = await session.ownLead();
      for (const word of new Set(words.flatMap((row) => Object.values(row)))) {
        const exchange = await session.updateLead(lead, word, 'text');
        if (exchange.outcome === 'success') expectWords(exchange, { note: word });
      }
    },
  },
];
