import { closest, distance } from 'fastest-levenshtein';
import contractJson from '../generated/contract.json' with { type: 'json' };
import type { components } from '../generated/profile.ts';
import type { Answers, QuestionId } from '../generated/questions.ts';

/**
 * The candidate that was probably meant: one with a single wrong letter, else one that begins with the word, else one that
 * contains it, else one with a similar spelling. `undefined` if none is similar, because a wrong suggestion misleads.
 */
export const suggest = (word: string, candidates: readonly string[]): string | undefined => {
  const compared = word.slice(0, maxComparedLength);
  const plain = plainName(compared);
  const likenesses: readonly ((name: string) => boolean)[] = [
    (name) => sorted(plain) === sorted(name) || distance(plain, name) <= 1,
    (name) => plain.length > 1 && name.startsWith(plain),
    (name) => plain.length > 1 && name.includes(plain),
    (name) => distance(plain, name) <= Math.max(plain.length, name.length) / 3,
  ];
  for (const isAlike of likenesses) {
    const found = candidates.filter((candidate) => isAlike(plainName(candidate)));
    if (found.length > 0) return closest(compared, found);
  }
  return undefined;
};

/** As `suggest`, else the candidate nearest in spelling: always returns one. */
export const nearest = (word: string, candidates: readonly string[]): string =>
  suggest(word, candidates) ?? closest(word.slice(0, maxComparedLength), candidates);

/**
 * `there is no question "send.too"; did you mean send.to?`
 * @param otherwise the end of the sentence if no candidate is similar
 */
export const describeUnknown = (
  kind: string,
  word: string,
  candidates: readonly string[],
  otherwise: string,
): string => {
  const candidate = suggest(word, candidates);
  return `there is no ${kind} ${quoted(word)}; ${candidate === undefined ? otherwise : `did you mean ${candidate}?`}`;
};

/** "Did you mean to instead of recipient? " for all names that are similar to a candidate, then the other names. */
export const suggestInstead = (
  names: readonly string[],
  candidates: readonly string[],
): { readonly suggestion: string; readonly others: readonly string[] } => {
  const misspelled = names.map((name) => [quoted(name).slice(1, -1), suggest(name, candidates)] as const);
  const suggestions = misspelled.flatMap(([name, suggestion]) =>
    suggestion === undefined ? [] : [`${suggestion} instead of ${name}`],
  );
  return {
    suggestion: suggestions.length === 0 ? '' : `Did you mean ${suggestions.join(' and ')}? `,
    others: misspelled.flatMap(([name, suggestion]) => (suggestion === undefined ? [name] : [])),
  };
};

/**
 * The nearest of some routes like `PUT /api/v1/leads/{id}`. Names of path parameters are ignored, because people do not type
 * them: `/api/v1/leads/` is nearest to `/api/v1/leads/{id}`.
 */
export const nearestRoute = (method: string, path: string, routes: readonly string[]): string => {
  const routesByText = new Map(routes.map((route) => [route.replaceAll(/\{[^}]+\}/g, ''), route]));
  const text = closest(`${method} ${path}`.slice(0, maxComparedLength), [...routesByText.keys()]);
  return routesByText.get(text) ?? text;
};

const maxComparedLength = 200;

const sorted = (text: string): string => [...text].sort().join('');

const plainName = (name: string): string => name.toLowerCase().replaceAll(/[_\s-]/g, '');

/** A problem and the first suggestion of its hint, on one line for a log. */
export const withSuggestion = (problem: string, hint: string): string => {
  const [answer] = /--answer \S{1,80}=\w{1,20}/.exec(hint) ?? [];
  if (answer !== undefined) return `${problem}; ${answer} adds it`;
  // For a missing or wrong key the whole hint is the suggestion.
  const pattern = /Did you mean [^?]{1,300}\??|^(?:Write|Send|Any key|Only the keys) .{1,200}?(?=\.$|\. )/;
  const [sentence] = pattern.exec(hint) ?? [];
  return sentence === undefined
    ? problem
    : `${problem}; ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
};

/** A text for an error message: quoted and cut, so that hostile input cannot flood a log. */
export const quoted = (value: string): string =>
  JSON.stringify(value.length > 80 ? `${value.slice(0, 77)}...` : value);

/** A wrong value for an error message: cut if it is long, described if it is nested too deeply to be serialized. */
export const describeValue = (value: unknown): string => {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'a list';
  return Object.prototype.toString.call(value) === '[object Object]' ? 'an object' : String(value);
};

export type { Answers, QuestionId };
export type Answer = string | number;

/** One point that the document leaves open, as registered in `x-open-questions`. */
export type Question = {
  readonly id: QuestionId;
  /** Section of the interface document that leaves it open, e.g. `4.1`. */
  readonly section: string;
  readonly question: string;
  /** The subject in a few words, for lines like `subject: 400 → 422`. */
  readonly subject: string;
  /** Why the answer matters to client developers. */
  readonly impact: string;
  /** What the document says or leaves out, in our words, with its section first: `§4.1: …`. */
  readonly document: string;
  /** The closed answer space: literals, and ranges of whole numbers written `400-499`. */
  readonly answers: readonly Answer[];
  /** What the mock does by default. */
  readonly assumed: Answer;
  /** Whether a probe can find the answer from outside. */
  readonly observable: boolean;
  /** False if the mock cannot be set to another answer: a client would be tested against nothing. */
  readonly imitated?: false;
};

/** All open questions. */
export const listQuestions = (): Question[] => [...registry().values()];

/** The questions in a part of a contract, from every place in it. */
export const collectQuestions = (node: unknown): Question[] => {
  if (Array.isArray(node)) return node.flatMap(collectQuestions);
  if (node === null || typeof node !== 'object') return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'x-open-questions' ? (value as Question[]) : collectQuestions(value),
  );
};

const questions = new Map<string, Question>();
const registry = (): Map<string, Question> => {
  if (questions.size === 0)
    for (const question of collectQuestions(contractJson)) questions.set(question.id, question);
  return questions;
};

/** The question of that id, or `undefined`. */
export const findQuestion = (id: string): Question | undefined => registry().get(id);

/** The answers of a profile that the mock can be set to: it may describe more of a deployment than the mock imitates. */
export const imitatedAmong = <Values extends object>(answers: Values): Partial<Values> =>
  Object.fromEntries(
    Object.entries(answers).filter(([id]) => findQuestion(id)?.imitated !== false),
  ) as Partial<Values>;

/** The answers that the mock gives by default. */
export const assumedAnswers = (): Answers =>
  Object.fromEntries([...registry().values()].map(({ id, assumed }) => [id, assumed])) as Answers;

/** The bounds of a range among the answers; `undefined` for a literal. */
export const rangeOf = (answer: Answer): readonly [min: number, max: number] | undefined => {
  const [, min, max] = /^(\d+)-(\d+)$/.exec(String(answer)) ?? [];
  return min === undefined ? undefined : [Number(min), Number(max)];
};

/**
 * Converts a text or number to an answer in the question's own type (`404` for `"404"`).
 * @throws Error whose message names the allowed answers, when it is outside the answer space.
 */
export const parseAnswer = (question: Question, value: unknown): Answer => {
  for (const allowed of question.answers) {
    const bounds = rangeOf(allowed);
    if (!bounds && String(value) === String(allowed)) return allowed;
    const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
    if (bounds && Number.isInteger(number) && bounds[0] <= Number(number) && Number(number) <= bounds[1])
      return number as number;
  }
  const allowed = question.answers.join(', ');
  throw new Error(`${question.id} cannot be ${describeValue(value)}: the answers are ${allowed}`);
};

/**
 * Answers by id, each in its question's own type; `undefined` counts as absent.
 * @throws Error naming the nearest id for an unknown one, or the allowed answers for a wrong one.
 */
export const parseAnswers = (values: Readonly<Record<string, unknown>>): Partial<Answers> => {
  const answers: [string, Answer][] = [];
  for (const [id, value] of Object.entries(values)) {
    const question = findQuestion(id) ?? unknownQuestion(id);
    if (value !== undefined) answers.push([id, parseAnswer(question, value)]);
  }
  return Object.fromEntries(answers);
};

const unknownQuestion = (id: string): never => {
  const suggested = findQuestion(suggest(id, [...registry().keys()]) ?? '');
  const hint = suggested
    ? `did you mean ${suggested.id}? Its answers are ${suggested.answers.join(', ')}`
    : 'contract-tests/open-questions.md lists them';
  throw new Error(`there is no open question ${quoted(id)}; ${hint}`);
};

/**
 * All answers: the assumed ones, overlaid by `overrides`, which may come from a profile or from the command line.
 * @throws Error as `parseAnswers` does.
 */
export const resolveAnswers = (
  overrides: Readonly<Record<string, unknown>> = {},
  base = assumedAnswers(),
): Answers => ({ ...base, ...parseAnswers(overrides) });

/** The answer to one question. `observed`: found by a probe. `pinned`: a person decided that it must not change. */
export type ProfileEntry = components['schemas']['entry'];

/** The answers of one deployment: a file to be committed and reviewed. */
export type Profile = Omit<components['schemas']['Profile'], 'answers'> & {
  readonly answers: Readonly<Partial<Record<QuestionId, ProfileEntry>>>;
};

/** The answers by id, for `resolveAnswers`. */
export const answersFrom = ({ answers }: Profile): Record<string, Answer> =>
  Object.fromEntries(Object.entries(answers).map(([id, { answer }]) => [id, answer]));
