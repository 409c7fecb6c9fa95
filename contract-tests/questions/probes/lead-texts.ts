import type { Answer, QuestionId } from '../../../mock/contract/questions.ts';
import { dataOf, describeRefusal } from '../../client/exchange.ts';
import { textChanges } from '../../session/text-changes.ts';
import { add, leadBody } from './leads.ts';
import { inconclusive, needUsable, type Probe, verdictOf } from './probe.ts';

type TextQuestion = {
  readonly description: string;
  /** The note to send, made from a text that is unique to the run. */
  readonly note: (unique: string) => string;
  /** The answer where such a note is refused, if that is an answer. */
  readonly refused?: Answer;
};

const textProbe = (id: QuestionId, { description, note, refused }: TextQuestion): Probe => ({
  question: id,
  needs: 'writes',
  description: `POST a lead whose \`note\` ${description}, and looks at the note in the response`,
  probe: async (session, known) => {
    needUsable(session, known, 'addLead');
    const sent = note(session.unique('note'));
    const exchange = await add(session, leadBody(session, { note: sent }));
    if (verdictOf(exchange) === 'refused')
      return refused === undefined
        ? inconclusive(`such a note is refused: ${describeRefusal(exchange)}`)
        : { answer: refused, exchange };
    const shown = dataOf(exchange).note;
    const changed = textChanges.find(({ question, change }) => question === id && change(sent) === shown);
    const answer = shown === sent ? 'kept' : changed?.answer;
    return answer === undefined
      ? inconclusive('the note came back changed in another way')
      : { answer, exchange, detail: `the note came back ${answer}` };
  },
});

/** §2.3: what becomes of characters that common middleware changes. */
export const leadTextProbes: readonly Probe[] = [
  textProbe('lead.outer-blanks', {
    description: 'has blanks at both ends',
    note: (unique) => `  ${unique}  `,
  }),
  textProbe('lead.line-breaks', {
    description: 'has lines that end in CR LF',
    note: (unique) => `${unique}\r\nsecond line`,
  }),
  textProbe('lead.unicode-form', {
    description: 'has letters that Unicode can compose',
    note: (unique) => `${unique} Zoe\u0301`,
  }),
  textProbe('lead.control-characters', {
    description: 'has the characters U+0001 and U+001B',
    note: (unique) => `${unique} one\u0001two\u001bthree`,
    refused: 'rejected',
  }),
];
