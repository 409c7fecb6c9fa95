import type { ActiveCheck } from '../check.ts';
import { expectKept, expectStored, page, takenInUpdate } from '../kept-texts.ts';
import { add, update } from './operations.ts';

type Kind = {
  /** What is kept, as ids name it. */
  readonly kind: string;
  readonly what: string;
  readonly text: string;
};

/** Text that is easily changed on the way. To refuse it is a deployment's choice; to change it is not. */
const delicate: readonly Kind[] = [
  { kind: 'quotes', what: 'quotes', text: `"double" 'single' \`back\` \\ backslash “curly”` },
  { kind: 'markup', what: 'markup', text: '<b>bold</b> & <i>co.</i> &amp; {{name}}' },
  { kind: 'newlines', what: 'line breaks and tabs', text: 'first line\nsecond\tline\n\nfourth' },
  { kind: 'carriage-returns', what: 'CR LF', text: 'first line\r\nsecond line\r\n\r\nfourth' },
  { kind: 'astral', what: 'characters beyond the basic plane', text: 'Zoë 🎨 𝒜 漢字 é 👩‍🎨' },
  // Composed, decomposed and compatible letters: no two of the forms of Unicode leave this as it is.
  { kind: 'accents', what: 'composed and decomposed letters', text: 'Zoe\u0301 Zo\u00e9 \u212bngström ½' },
  { kind: 'blanks', what: 'several blanks', text: 'two  blanks   three' },
  { kind: 'outer-blanks', what: 'blanks at its ends', text: '  two before, a line break behind\n' },
  {
    kind: 'invisible-characters',
    what: 'blanks that do not break, separators and joiners',
    text: '10\u00a0000\u202f€ line\u2028para\u2029graph no\u200bspace soft\u00adhyphen',
  },
  { kind: 'control-characters', what: 'control characters', text: 'one\u0001two\u001bthree\u001ffour' },
  { kind: 'signs', what: 'signs', text: '=1+1 a+b=c 100% #7; $& $1 %% %s %d ~^| … – — •' },
  { kind: 'escapes', what: 'escapes', text: 'a%20b+c%41 \\n \\u0041 &#65; ${name} =C3=A9' },
  { kind: 'links', what: 'addresses', text: 'desk@example.com, https://example.com/a?b=1' },
  {
    kind: 'commands',
    what: 'words with a meaning to databases',
    text: 'Select, drop or insert; delete union',
  },
];

const fidelity = ({ kind, what, text }: Kind): ActiveCheck[] => [
  {
    id: `leads.add.keeps-${kind}`,
    title: `a new lead keeps ${what} as sent`,
    level: 'derived',
    ...add,
    run: (session) => expectStored(session, { name: text, source: text, note: text }),
  },
  {
    id: `leads.update.keeps-${kind}`,
    title: `an update keeps ${what} as sent`,
    level: 'derived',
    ...update,
    run: async (session) => {
      const exchange = await session.updateLead(await page(session), text, 'text');
      expectKept(await takenInUpdate(session, exchange), { note: text });
    },
  },
];

export const fidelityChecks: readonly ActiveCheck[] = delicate.flatMap(fidelity);
