import { dataOf } from '../../client/exchange.ts';
import { describeDifference } from '../../session/outcome.ts';
import { leadFields } from '../../session/own-lead.ts';
import { isCut, isStoredForm } from '../exchanges/history.ts';
import { type HistoryClaim, hasSucceeded, sentFields } from './claim.ts';

/** What is special about a text, as the ids of checks name it. A plain text has nothing special. */
const kindsOfText: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['keeps-long-note', /^.{61,}$/s],
  ['keeps-markup', /[<>&]|\{\{/],
  ['keeps-carriage-returns', /\r/],
  ['keeps-newlines', /[\n\t]/],
  ['keeps-outer-blanks', /^\s|\s$/],
  ['keeps-blanks', / {2}/],
  ['keeps-control-characters', /\p{Cc}/u],
  ['keeps-invisible-characters', /[\u00a0\u00ad\u202f\u2028\u2029]|\p{Cf}/u],
  ['keeps-astral', /[\u{10000}-\u{10ffff}]/u],
  ['keeps-accents', /[^\0-\x7f]/],
  ['keeps-quotes', /["'`\\]/],
  ['keeps-links', /@|:\/\//],
  ['keeps-escapes', /[$%=]/],
  ['keeps-signs', /[^\w\s.,:;()/-]/],
];

const kindOf = (text: string): string =>
  kindsOfText.find(([, pattern]) => pattern.test(text))?.[0] ?? 'echoes-fields';

type SentText = { readonly name: string; readonly text: string; readonly kind: string };

const sentTexts = new WeakMap<object, readonly SentText[]>();

/** The texts of a request with their kinds, looked at once for all claims about them. */
const textsOf = (sent: Readonly<Record<string, unknown>>): readonly SentText[] => {
  const known = sentTexts.get(sent);
  if (known) return known;
  const texts = Object.entries(sent).flatMap(([name, text]) =>
    typeof text === 'string' ? [{ name, text, kind: kindOf(text) }] : [],
  );
  sentTexts.set(sent, texts);
  return texts;
};

/** §4.5: a new lead has the texts of the request. Fields that are not documented may make it another lead. */
const additionEcho = (check: string): HistoryClaim => ({
  check: `leads.add.${check}`,
  operation: 'addLead',
  inspect: (context) => {
    if (!hasSucceeded(context)) return 'not applicable';
    const sent = sentFields(context);
    if (Object.keys(sent).some((name) => !(leadFields as readonly string[]).includes(name)))
      return 'not applicable';
    const shown = dataOf(context.exchange);
    const texts = textsOf(sent).filter(({ kind }) => kind === check);
    for (const { name, text } of texts) {
      // A field of another type or none is another check's finding.
      if (typeof shown[name] !== 'string' || isStoredForm(text, shown[name]) || isCut(text, shown[name]))
        continue;
      const [expected, actual] = describeDifference(text, shown[name]);
      return {
        expected: `data.${name} as sent: ${expected}`,
        actual,
        exchange: context.exchange,
        pointer: `/data/${name}`,
      };
    }
    return texts.length > 0 ? 'fine' : 'not applicable';
  },
});

/** §4.5: every text of a new lead, by what is special about it. */
export const additionEchoes: readonly HistoryClaim[] = [
  'echoes-fields',
  ...kindsOfText.map(([kind]) => kind),
].map(additionEcho);
