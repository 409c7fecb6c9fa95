import { type ActiveCheck, CheckSkipped, fail, show } from '../check.ts';
import { dataOf, type Exchange, wordsOf } from '../exchange.ts';
import { expectFields, type Fields, overridden, unchanging } from '../lead-facts.ts';
import type { OwnLead, Session } from '../session.ts';

const add = { operation: 'addLead', needs: 'writes', section: '4.5' } as const;
const update = { operation: 'updateLead', needs: 'writes', section: '4.6' } as const;

/** Text that is easily changed on the way. To refuse it is a deployment's choice; to change it is not. */
const delicate: Readonly<Record<string, string>> = {
  quotes: `"double" 'single' \`back\` \\ backslash “curly”`,
  markup: '<b>bold</b> & <i>co.</i> &amp; {{name}}',
  newlines: 'first line\nsecond\tline\n\nfourth',
  astral: 'Zoë 🎨 𝒜 漢字 é 👩‍🎨',
  blanks: 'two  blanks   three',
  signs: '=1+1 a+b=c 100% %41 #7; $& $1 ~^|',
};

type Sent = { readonly exchange: Exchange; readonly lead: OwnLead | undefined; readonly fields: Fields };

/** Adds a lead with the text in every field, or in the note alone where a name or a source may not be so. */
const addWith = async (session: Session, everywhere: Fields): Promise<Sent> => {
  for (const only of [everywhere, { note: everywhere.note }]) {
    const fields = { ...session.newFields(), ...overridden(session), ...only };
    const { exchange, lead } = await session.addLead(fields, 'text');
    if (exchange.outcome === 'success')
      return { exchange, lead, fields: { ...fields, ...overridden(session) } };
    if (exchange.outcome !== 'refusal')
      throw new CheckSkipped(`such text got an answer that is no success: ${exchange.status}`);
  }
  throw new CheckSkipped('the deployment refuses such text');
};

/** The update after it, which shows what was kept of the name and the source. */
const updateAfter = async (session: Session, lead: OwnLead | undefined): Promise<Exchange | undefined> => {
  if (!lead || session.abilities.get('updateLead')?.usable !== true) return undefined;
  const exchange = await session.updateLead(lead, session.newNote(), 'text');
  return exchange.outcome === 'success' ? exchange : undefined;
};

const fidelity = (kind: string, text: string): ActiveCheck[] => [
  {
    id: `leads.add.keeps-${kind}`,
    title: `a new lead keeps ${kind} as sent`,
    level: 'derived',
    ...add,
    run: async (session) => {
      const { exchange, lead, fields } = await addWith(session, { name: text, source: text, note: text });
      const { name, source, note } = fields;
      expectFields(exchange, { name, source, note });
      const later = await updateAfter(session, lead);
      if (later && lead) expectFields(later, unchanging(lead), 'as added');
    },
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
      expectFields(exchange, { note: text });
    },
  },
];

// Texts that something between two databases takes for a number, a date, a truth or nothing.
const words: readonly (readonly [string, string, string])[] = [
  ['true', '007', 'null'],
  ['null', '1e3', 'true'],
  ['1e3', '-1.50', '0042'],
  ['0042', 'false', '2026-03-02'],
];

const expectWords = (exchange: Exchange, sent: Partial<Fields>): void => {
  const data = dataOf(exchange);
  for (const [name, word] of Object.entries(sent)) {
    if (data[name] !== word) fail(`data.${name} ${show(word)}`, show(data[name]), exchange);
  }
};

export const fidelityChecks: readonly ActiveCheck[] = [
  ...Object.entries(delicate).flatMap(([kind, text]) => fidelity(kind, text)),
  {
    id: 'leads.add.keeps-words-as-text',
    title: 'texts that look like numbers, dates, booleans or null stay texts',
    level: 'documented',
    ...add,
    section: '2.3',
    run: async (session) => {
      for (const [name, source, note] of words) {
        const { exchange, lead, fields } = await addWith(session, { name, source, note });
        expectWords(exchange, { name: fields.name, source: fields.source, note: fields.note });
        const later = await updateAfter(session, lead);
        if (later && lead) expectWords(later, unchanging(lead));
      }
    },
  },
  {
    id: 'leads.update.keeps-words-as-text',
    title: 'a note that looks like a number, a date, a boolean or null stays a text',
    level: 'documented',
    ...update,
    section: '2.3',
    run: async (session) => {
      const lead = await session.ownLead();
      for (const word of words.flat()) {
        const exchange = await session.updateLead(lead, word, 'text');
        if (exchange.outcome === 'success') expectWords(exchange, { note: word });
      }
    },
  },
];
