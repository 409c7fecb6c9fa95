import { type Answer, type Answers, parseAnswers } from './questions.ts';

/** What one workspace answers differently from the server. */
export type OwnAnswers = {
  readonly given: () => Readonly<Partial<Answers>>;
  /** The same text for the same answers; empty where the workspace answers as the server does. */
  readonly id: () => string;
  /** Changes some; `null` puts one back to the server's. @throws Error as `parseOwnAnswers` does, with nothing changed */
  readonly change: (changes: Readonly<Record<string, unknown>>) => void;
  /** These and no others. @throws Error as `parseOwnAnswers` does, with nothing changed */
  readonly replace: (given: Readonly<Record<string, unknown>>) => void;
};

export const createOwnAnswers = (): OwnAnswers => {
  let given: Readonly<Record<string, Answer>> = {};
  let id = '';
  const keep = (next: Record<string, Answer>): void => {
    given = Object.fromEntries(Object.entries(next).sort(([one], [other]) => (one < other ? -1 : 1)));
    id = Object.keys(given).length === 0 ? '' : JSON.stringify(given);
  };
  return {
    given: () => given as Partial<Answers>,
    id: () => id,
    change: (changes) => {
      const put: [string, unknown][] = Object.entries(changes).filter(([, value]) => value !== null);
      const back = Object.keys(changes).filter((name) => changes[name] === null);
      const parsed = parseOwnAnswers(Object.fromEntries(put));
      // Of an id to put back only the id is judged.
      parseOwnAnswers(Object.fromEntries(back.map((name) => [name, undefined])));
      const rest = Object.entries(given).filter(([name]) => !back.includes(name));
      keep({ ...Object.fromEntries(rest), ...parsed });
    },
    replace: (next) => keep(parseOwnAnswers(next) as Record<string, Answer>),
  };
};

const serverWide = /^auth\./;

/**
 * Answers that one workspace may give, in their questions' own types.
 * @throws Error for an unknown id, an answer outside its space, and a question that only the server can answer
 */
export const parseOwnAnswers = (given: Readonly<Record<string, unknown>>): Partial<Answers> => {
  const parsed = parseAnswers(given);
  const refused = Object.keys(given).find((id) => serverWide.test(id));
  if (refused === undefined) return parsed;
  throw new Error(
    `${refused} is the server's: a request without an accepted key belongs to no workspace. Start the mock with --answer ${refused}=STATUS`,
  );
};
