import { closest } from 'fastest-levenshtein';
import { quoted } from './errors.ts';
import type { Answers, QuestionId } from './generated/questions.ts';
import { type Contract, contract } from './spec.ts';

export type { Answers, QuestionId };
export type Answer = string | number;

/** One point the document leaves open, as `x-open-questions` registers it. */
export type Question = {
  readonly id: QuestionId;
  /** Section of the interface document that leaves it open, e.g. `4.1`. */
  readonly section: string;
  readonly question: string;
  /** The closed answer space: literals, and ranges of whole numbers written `400-499`. */
  readonly answers: readonly Answer[];
  /** What the mock does until it is told otherwise. */
  readonly assumed: Answer;
  /** Whether a probe can find the answer from outside. */
  readonly observable: boolean;
};

/** Every open question of a contract, wherever it stands in the file. */
export const listQuestions = (document: Contract = contract): Question[] => collect(document);

const collect = (node: unknown): Question[] => {
  if (Array.isArray(node)) return node.flatMap(collect);
  if (node === null || typeof node !== 'object') return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'x-open-questions' ? (value as Question[]) : collect(value),
  );
};

const questions = new Map<string, Question>();
const registry = (): Map<string, Question> => {
  if (questions.size === 0) for (const question of listQuestions()) questions.set(question.id, question);
  return questions;
};

/** The question of that id, or `undefined`. */
export const findQuestion = (id: string): Question | undefined => registry().get(id);

/** What the mock does where nothing else is known. */
export const assumedAnswers = (): Answers =>
  Object.fromEntries([...registry().values()].map(({ id, assumed }) => [id, assumed])) as Answers;

const range = /^(\d+)-(\d+)$/;

/**
 * The answer a text or number stands for, in the question's own type (`404` for `"404"`).
 * @throws Error whose message names the allowed answers, when it is outside the answer space.
 */
export const parseAnswer = (question: Question, given: unknown): Answer => {
  for (const allowed of question.answers) {
    const bounds = typeof allowed === 'string' ? range.exec(allowed) : null;
    if (bounds === null && String(given) === String(allowed)) return allowed;
    const number = typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given;
    if (bounds && Number.isInteger(number) && inRange(number as number, bounds)) return number as number;
  }
  const allowed = question.answers.join(', ');
  throw new Error(`${question.id} cannot be ${shown(given)}: the answers are ${allowed}`);
};

// A hostile value may be long, or too deep to be written at all.
const shown = (given: unknown): string => {
  if (typeof given === 'string') return quoted(given);
  return typeof given === 'object' && given !== null ? 'an object' : JSON.stringify(given);
};

const inRange = (number: number, bounds: RegExpExecArray): boolean =>
  number >= Number(bounds[1]) && number <= Number(bounds[2]);

/**
 * Answers by id, each in its question's own type; `undefined` counts as not given.
 * @throws Error naming the nearest id for an unknown one, or the allowed answers for a wrong one.
 */
export const parseAnswers = (given: Readonly<Record<string, unknown>>): Partial<Answers> => {
  const answers: [string, Answer][] = [];
  for (const [id, value] of Object.entries(given)) {
    const question = findQuestion(id) ?? unknownQuestion(id);
    if (value !== undefined) answers.push([id, parseAnswer(question, value)]);
  }
  return Object.fromEntries(answers);
};

const unknownQuestion = (id: string): never => {
  const likely = findQuestion(nearest(id.slice(0, 200), [...registry().keys()]));
  throw new Error(
    `there is no open question ${quoted(id)}; did you mean ${likely?.id}? Its answers are ${likely?.answers.join(', ')}`,
  );
};

/**
 * All answers: the assumed ones, overlaid by `given`, which may come from a profile or from the command line.
 * @throws Error as `parseAnswers` does.
 */
export const resolveAnswers = (
  given: Readonly<Record<string, unknown>> = {},
  base = assumedAnswers(),
): Answers => ({ ...base, ...parseAnswers(given) });

/** The candidate nearest in spelling; for "did you mean" messages. */
export const nearest = (word: string, candidates: readonly string[]): string => closest(word, candidates);
