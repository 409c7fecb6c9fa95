import { createHash } from 'node:crypto';
import type { QuestionId } from '../../mock/contract/questions.ts';

/** No value that is only compared is kept longer than this: a history of weeks has many. */
const longestKept = 200;

/** Names a value that is only compared with others: a short one as it is, a long one by its hash. */
export const digest = (value: unknown): string => {
  const text = JSON.stringify(value ?? null);
  return text.length <= longestKept ? text : createHash('sha256').update(text).digest('base64');
};

/** Kinds of requests, kinds of responses, and mails. */
const maxDigests = 10_000;

/** Adds a value that is only compared with others. A full set is emptied: less is known then, and nothing wrong. */
export const addDigest = (set: Set<string>, value: string): void => {
  if (set.size >= maxDigests) set.clear();
  set.add(digest(value));
};

/** A change of a text by common middleware, which §2.3 leaves open. */
type TextChange = {
  readonly question: QuestionId;
  /** The answer for a deployment that makes this change; for others the answer is `kept`. */
  readonly answer: string;
  readonly change: (text: string) => string;
};

/** In the order in which software usually applies several of them. */
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

/** The text as sent, and the results of all combinations of these changes. */
const storedForms = (text: string): readonly string[] =>
  textChanges.reduce((forms, { change }) => forms.concat(forms.map(change)), [text]);

/** Texts of this length are stored whole: the document leaves limits open (§8), and nothing real is shorter. */
const shortText = 60;

/** Whether a text may be stored like this: unchanged, or changed in a way that §2.3 and §8 leave open. */
export const isStored = (sent: string, shown: string): boolean =>
  shown === sent || storedForms(sent).includes(shown) || isCut(sent, shown);

/** Whether a long text is stored without its end (§8: limits are not shown), with or without an ellipsis. */
const isCut = (sent: string, shown: string): boolean => {
  const beginning = shown.replace(/(…|\.\.\.)$/, '').trimEnd();
  return (
    sent.length > shortText &&
    shown.length >= shortText &&
    storedForms(sent).some((form) => form.startsWith(beginning))
  );
};

/**
 * Whether a text was made by a run of the suite, so that nobody else has it: some facts do not hold of ordinary texts. A short one
 * has only the id of the run and a number.
 */
export const isRunText = (text: string): boolean => /contract.?test|\b[0-9a-f]{8}-\w\w\b/i.test(text);
