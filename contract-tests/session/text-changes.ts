import type { QuestionId } from '../../mock/contract/questions.ts';

/** What common middleware makes of a text, which §2.3 leaves open. */
export type TextChange = {
  readonly question: QuestionId;
  /** The answer of a deployment that does so; one that does not answers `kept`. */
  readonly answer: string;
  readonly change: (text: string) => string;
};

/** In the order in which software makes more than one of them. */
export const textChanges: readonly TextChange[] = [
  {
    question: 'lead.control-characters',
    answer: 'removed',
    change: (text) => text.replaceAll(/(?![\t\r\n])\p{Cc}/gu, ''),
  },
  {
    question: 'lead.line-breaks',
    answer: 'normalised',
    change: (text) => text.replaceAll('\r\n', '\n'),
  },
  { question: 'lead.unicode-form', answer: 'composed', change: (text) => text.normalize('NFC') },
  { question: 'lead.outer-blanks', answer: 'trimmed', change: (text) => text.trim() },
];

/** The text as sent, and as any combination of these changes leaves it. */
export const storedForms = (text: string): readonly string[] =>
  textChanges.reduce((forms, { change }) => forms.concat(forms.map(change)), [text]);
