import { dataOf, type Exchange } from '../../client/exchange.ts';
import type { ActiveCheck } from '../../session/check.ts';
import { claimOf } from '../../session/operations.ts';
import { CheckSkipped, fail, RefusalAllowed, show } from '../../session/outcome.ts';
import { leadFields } from '../../session/own-lead.ts';
import type { Session } from '../../session/session.ts';
import { type Fields, nameAndSource } from '../support/lead-assertions.ts';
import {
  addLeadWith,
  expectTextsKept,
  expectTextsStored,
  requireAcceptedUpdate,
  showsNotes,
  updateAfter,
} from '../support/text-assertions.ts';

const add = claimOf('addLead');
const update = claimOf('updateLead');

type Kind = {
  /** The kind of text in check ids. */
  readonly kind: string;
  readonly description: string;
  readonly text: string;
  /** Another permitted change of the text, which is an open question (§2.3). */
  readonly alternative?: string;
};

/**
 * Texts that are easily changed in transport or storage. A deployment may refuse them, but must not change them,
 * except where the document leaves that open. With the id of the run they have at most `usualLength` characters: a longer
 * text may be cut (§8).
 */
const kinds: readonly Kind[] = [
  { kind: 'quotes', description: 'quotes', text: `"double" 'single' \`back\` \\ backslash “curly”` },
  {
    kind: 'markup',
    description: 'markup',
    text: '<b>b</b> & &amp; {{name}} *big* _new_ <li@a.test>',
  },
  { kind: 'newlines', description: 'line breaks and tabs', text: 'first line \nsecond\tline\n\nfourth' },
  {
    kind: 'carriage-returns',
    description: 'CRLF line breaks',
    text: 'first line\r\nsecond line\r\n\r\nfourth',
    alternative: 'or as LF',
  },
  {
    kind: 'astral',
    description: 'emoji, right-to-left text and other alphabets',
    text: 'Zoë 🎨 𝒜 漢字 é 👩‍🎨 👍🏽 ❤️ שלום Оксана',
  },
  // Composed, decomposed and compatibility characters: every Unicode normalisation form changes this text.
  {
    kind: 'accents',
    description: 'composed and decomposed letters',
    text: 'Zoe\u0301 Zo\u00e9 \u212bngström ½',
    alternative: 'or composed',
  },
  { kind: 'blanks', description: 'consecutive spaces', text: 'two  blanks   three' },
  {
    kind: 'outer-blanks',
    description: 'leading and trailing white space',
    text: '  two before, a line break behind\n',
    alternative: 'or trims them',
  },
  {
    kind: 'invisible-characters',
    description: 'non-breaking spaces, separators, joiners and direction marks',
    text: '10\u00a0000\u202f€ line\u2028para\u2029graph no\u200bspace soft\u00adhyphen a\u200eb',
  },
  {
    kind: 'control-characters',
    description: 'control characters',
    text: 'one\u0001two\u001bthree\u001ffour',
    alternative: 'or removes them',
  },
  {
    kind: 'signs',
    description: 'symbols',
    text: '=1+1 100% #7; $& $1 %% %s ~^| … – — • ... -- :) 1/2',
  },
  { kind: 'escapes', description: 'escape sequences', text: 'a%20b+c%41 \\n \\u0041 &#65; ${name} =C3' },
  {
    kind: 'links',
    description: 'email addresses and URLs',
    text: 'me@a.example https://a.example/b?c=1 http://a.test',
  },
  {
    kind: 'commands',
    description: 'SQL keywords',
    text: 'Select, drop or insert; delete union',
  },
  { kind: 'capitals', description: 'letter case and commas', text: 'ANNA BERG, mcDonald' },
];

/** Inserts the id of the run after the first word, so that a deployment does not refuse the text as a duplicate. */
const textOf = ({ runId }: Session, text: string): string =>
  text.replace(/\S+/, (word) => `${word} ${runId}`);

const fidelity = ({ kind, description, text, alternative }: Kind): ActiveCheck[] => [
  {
    id: `leads.add.keeps-${kind}`,
    title: `a new lead stores ${description} unchanged${alternative ? `, ${alternative}` : ''}`,
    level: 'derived',
    ...add,
    run: (session) => {
      const own = textOf(session, text);
      return expectTextsStored(session, { name: own, source: own, note: own });
    },
  },
  {
    id: `leads.update.keeps-${kind}`,
    title: `an update stores ${description} unchanged${alternative ? `, ${alternative}` : ''}`,
    level: 'derived',
    ...update,
    run: async (session) => {
      const note = textOf(session, text);
      const showsNote = await showsNotes(session);
      const lead = await session.useSharedLead();
      const exchange = await session.updateLead(lead, note, 'text');
      expectTextsKept(await requireAcceptedUpdate(session, exchange), { note });
      const shown = showsNote ? await session.readBack(lead) : undefined;
      if (shown) expectTextsKept(shown, { note }, 'as in the next response');
    },
  },
];

export const fidelityChecks: readonly ActiveCheck[] = kinds.flatMap(fidelity);

// Texts that software may misread as a number, a date, a boolean, null or a reserved name.
const wordLikeTexts: readonly Partial<Fields>[] = [
  { name: 'true', note: 'null' },
  { source: '007', note: 'true' },
  { name: 'null', source: '1e3' },
  { name: '1e3', note: '0042' },
  { source: '1.50', note: '2026-03-02' },
  { source: '12345678901234567890', note: '-1.50' },
  { name: '0042', source: 'false' },
  { source: '0', note: 'no' },
  { source: 'yes', note: '0' },
  { source: 'constructor', note: '__proto__' },
  { name: '1205', note: '{}' },
  { name: 'None', note: 'undefined' },
  { source: 'NA', note: 'NaN' },
  { source: 'undefined', note: 'NA' },
  { note: 'None' },
];

const expectTextsUnchanged = (exchange: Exchange, sent: Partial<Fields>): void => {
  const data = dataOf(exchange);
  for (const [name, word] of Object.entries(sent)) {
    if (data[name] !== word) fail(`data.${name} ${show(word)}`, show(data[name]), exchange);
  }
};

/** Adds a lead with these words and expects them in the response. @throws CheckSkipped, RefusalAllowed if some are refused */
const addLeadWithTexts = async (session: Session, row: Partial<Fields>): Promise<void> => {
  const sent = await addLeadWith(session, row);
  expectTextsUnchanged(sent.exchange, sent.fields);
  const later = await updateAfter(sent, session);
  if (later && sent.lead) expectTextsUnchanged(later, nameAndSource(sent.lead));
  const refused = leadFields.filter((name) => row[name] !== undefined && row[name] !== sent.fields[name]);
  if (refused.length > 0) throw new RefusalAllowed(describeWords(refused.map((name) => row[name] ?? '')));
};

const describeWords = (words: readonly string[]): string =>
  `not tested, because the deployment refuses such words: ${words.map(show).join(', ')}`;

/** Tests each word alone, because a deployment may refuse some. @throws CheckSkipped if all are refused, RefusalAllowed if some */
const tryEach = async (session: Session): Promise<void> => {
  const refused: Partial<Fields>[] = [];
  let skipped: CheckSkipped[] = [];
  for (const row of wordLikeTexts) {
    try {
      await addLeadWithTexts(session, row);
    } catch (error) {
      if (error instanceof CheckSkipped) skipped = [...skipped, error];
      else if (!(error instanceof RefusalAllowed)) throw error;
      refused.push(row);
    }
    await session.discardLeads();
  }
  if (skipped.length === wordLikeTexts.length) throw skipped[0];
  if (refused.length > 0)
    throw new RefusalAllowed(describeWords(refused.flatMap((row) => Object.values(row))));
};

export const wordChecks: readonly ActiveCheck[] = [
  {
    id: 'leads.add.keeps-words-as-text',
    title: 'texts that look like numbers, dates, booleans, null or reserved names stay strings',
    level: 'documented',
    ...add,
    section: '2.3',
    run: tryEach,
  },
  {
    id: 'leads.update.keeps-words-as-text',
    title: 'a note that looks like a number, a date, a boolean or null stays a string',
    level: 'documented',
    ...update,
    section: '2.3',
    run: async (session) => {
      const lead = await session.ownLead();
      const refused: string[] = [];
      for (const word of new Set(wordLikeTexts.flatMap((row) => Object.values(row)))) {
        const exchange = await session.updateLead(lead, word, 'text');
        if (exchange.outcome === 'success') expectTextsUnchanged(exchange, { note: word });
        else refused.push(word);
      }
      if (refused.length > 0) throw new RefusalAllowed(describeWords(refused));
    },
  },
];
