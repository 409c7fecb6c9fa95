import { type Exchange, isSuccess } from '../../exchange/exchange.ts';
import type { Fields } from '../../exchange/leads.ts';
import type { Scenario } from '../scenario.ts';
import type { Lead, Tools } from '../tools.ts';

/**
 * Texts that are easily changed in transport or storage. With the id of the run they have at most 60 characters. Of three, a usual
 * run adds the first as a note, the second as a name and the third as a source.
 */
const easilyChanged = [
  '<b>b</b> & &amp; {{name}} *big* _new_ <li@a.test>',
  `"double" 'single' \`back\` \\ 5" it's “curly”`,
  'first line \nsecond\tline\n\nfourth',
  // Composed, decomposed and compatibility characters: every Unicode normalisation form changes this text.
  'Zoe\u0301 Zo\u00e9 \u212bngström ½',
  'Zoë ßłΩ한 🎨 𠮷 漢字 é 👩‍🎨 👍🏽 ❤️ שלום Оксана',
  'first line\r\nsecond line\r\n\r\nfourth',
  'two  blanks   three',
  '  two before, a line break behind\n',
  '10\u00a0000\u202f€ line\u2028para\u2029graph no\u200bspace soft\u00adhyphen a\u200eb',
  'one\u0001two\u001bthree\u001ffour',
  '=1+1 100% #7; $& $1 %% %s ~^| … – — • ... -- :) 1/2',
  'a%20b+c%41 \\n \\u0041 &#65; ${name} =C3',
  'me@a.example https://a.example/b?c=1 http://a.test',
  'Select, drop or insert; delete union',
  'ANNA BERG, mcDonald',
];

/** Texts that software may misread as a number, a date, a boolean, null or a reserved name; in threes as well. */
const words = [
  ...['true', '1205', '007'],
  ...['null', '1e3', '12345678901234567890'],
  ...['0', '{}', '2026-03-02'],
  ...['None', 'undefined', 'constructor'],
];

/** Words that are misread where one of the others is, as a rule. */
const otherWords = ['1.50', 'yes', 'NA', '-1.50', '0042', 'false', '__proto__', 'no', 'NaN'];

/** Tries to store a text alone; shows and deletes the lead. */
const store = async ({ tryToAdd, read, remove }: Tools, text: Partial<Fields>): Promise<void> => {
  const lead = await tryToAdd(text);
  await read(lead);
  await remove(lead);
};

/** Adds a lead with these texts; where a deployment refuses some of them, stores each alone, and adds a lead without them. */
const addWith = async (tools: Tools, { name, source, note }: Fields): Promise<Lead> => {
  const lead = await tools.tryToAdd({ name, source, note });
  if (lead) return lead;
  for (const alone of [{ name }, { source }, { note }]) await store(tools, alone);
  return tools.add();
};

/** The texts in groups of three, each time with another one first: every field gets every text. */
const inThrees = (all: readonly string[], turns: number): readonly Fields[] =>
  Array.from({ length: turns }, (_, turn) => turn + 1).flatMap((turn) =>
    all.flatMap((_text, at): Fields[] => {
      if (at % 3 !== 0) return [];
      const three = [0, 1, 2].map((place) => all[at + ((place + turn) % 3)] ?? all[0] ?? '');
      const [name = '', source = '', note = ''] = three;
      return [{ name, source, note }];
    }),
  );

/**
 * Adds a lead with three texts, and updates it with them: each of them is a note once. A response may repeat what was sent: what was
 * stored is shown by the response to the update of another field.
 */
const tryThree = async (tools: Tools, { name, source, note }: Fields): Promise<void> => {
  const { tryToUpdate, remove } = tools;
  const lead = await addWith(tools, { name, source, note });
  await tryToUpdate(lead, { note: source });
  const { outcome } = await tryToUpdate(lead, { name: note, source: name, note });
  if (outcome === 'refusal')
    for (const alone of [{ name: note }, { source: name }, { note }]) await tryToUpdate(lead, alone);
  await tryToUpdate(lead, { note: name });
  await remove(lead);
};

const tryTexts = async (tools: Tools, all: readonly string[]): Promise<void> => {
  for (const three of inThrees(all, tools.isThorough ? 3 : 1)) await tryThree(tools, three);
};

/** Inserts the id of the run after the first word, so that a deployment does not refuse the text as a duplicate. */
const texts = (tools: Tools): Promise<void> =>
  tryTexts(
    tools,
    easilyChanged.map((text) => text.replace(/\S+/, (word) => `${word} ${tools.session.runId}`)),
  );

const readAsWords = (tools: Tools): Promise<void> =>
  tryTexts(tools, tools.isThorough ? [...words, ...otherWords] : words);

const padded = (text: string, length: number): string =>
  text.padEnd(length, ' and so on with it').replace(/ $/, 's');

const lengths = async (tools: Tools): Promise<void> => {
  const { session, tryToUpdate, read, remove, isThorough } = tools;
  const { name, source, note } = session.newFields();
  const long = { name: padded(name, 300), source: padded(source, 300), note: padded(note, 1200) };
  const lead = await addWith(tools, long);
  await read(lead);
  const updateLong = (length: number): Promise<Exchange> =>
    tryToUpdate(lead, { note: padded(session.newNote(), length) });
  for (const length of isThorough ? [60, 300] : []) {
    await updateLong(length);
    await read(lead);
  }
  // Characters of several bytes, more than a buffer of a common size holds, ending within a character in one of two cases.
  for (const beginning of isThorough ? ['n', 'no'] : ['no']) {
    const note = `${beginning} ${session.runId} ${'漢'.repeat(30_000)}`;
    if (!isSuccess(await tryToUpdate(lead, { note }))) await updateLong(300);
    await read(lead);
  }
  await remove(lead);
};

export const textScenarios: readonly Scenario[] = [
  {
    id: 'texts.kinds',
    needs: 'writes',
    leads: 2,
    decides: [
      'leads.add.keeps-letters',
      'leads.add.keeps-texts',
      'leads.update.keeps-letters',
      'leads.update.keeps-texts',
    ],
    run: texts,
  },
  {
    id: 'texts.words',
    needs: 'writes',
    leads: 2,
    decides: ['leads.add.keeps-words-as-text', 'leads.update.keeps-words-as-text'],
    run: readAsWords,
  },
  {
    id: 'texts.lengths',
    needs: 'writes',
    leads: 2,
    decides: ['leads.add.keeps-long-texts', 'leads.update.keeps-long-texts'],
    run: lengths,
  },
];
