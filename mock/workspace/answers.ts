import { type Answer, type Answers, parseAnswers } from '../contract/questions.ts';

/** The answers of one workspace that override the server's. */
export type AnswerOverrides = {
  readonly values: () => Readonly<Partial<Answers>>;
  /** A text that is equal for equal overrides; empty without overrides. */
  readonly id: () => string;
  /** Overrides answers; `null` restores the server default. @throws Error as `parseAnswerOverrides` does, with nothing changed */
  readonly change: (changes: Readonly<Record<string, unknown>>) => void;
  /** Replaces all overrides. @throws Error as `parseAnswerOverrides` does, with nothing changed */
  readonly replace: (values: Readonly<Record<string, unknown>>) => void;
};

export const createAnswerOverrides = (): AnswerOverrides => {
  let values: Readonly<Record<string, Answer>> = {};
  let id = '';
  const store = (newValues: Record<string, Answer>): void => {
    values = Object.fromEntries(Object.entries(newValues).sort(([a], [b]) => (a < b ? -1 : 1)));
    id = Object.keys(values).length === 0 ? '' : JSON.stringify(values);
  };
  return {
    values: () => values as Partial<Answers>,
    id: () => id,
    change: (changes) => {
      const changed: [string, unknown][] = Object.entries(changes).filter(([, value]) => value !== null);
      const restored = Object.keys(changes).filter((name) => changes[name] === null);
      const parsed = parseAnswerOverrides(Object.fromEntries(changed));
      // For a restored answer only the id is validated.
      parseAnswerOverrides(Object.fromEntries(restored.map((name) => [name, undefined])));
      const rest = Object.entries(values).filter(([name]) => !restored.includes(name));
      store({ ...Object.fromEntries(rest), ...parsed });
    },
    replace: (next) => store(parseAnswerOverrides(next) as Record<string, Answer>),
  };
};

const serverWide = /^auth\./;

/**
 * Parses answers that a workspace may override, in the types of their questions.
 * @throws Error for an unknown id, an answer outside its space, and a question that only the server answers
 */
export const parseAnswerOverrides = (answers: Readonly<Record<string, unknown>>): Partial<Answers> => {
  const parsed = parseAnswers(answers);
  const serverOnly = Object.keys(answers).find((id) => serverWide.test(id));
  if (serverOnly === undefined) return parsed;
  throw new Error(
    `${serverOnly} is the server's: a request without an accepted key belongs to no workspace. Start the mock with --answer ${serverOnly}=STATUS`,
  );
};
