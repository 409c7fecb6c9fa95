import { type Arbitrary, constantFrom, integer, oneof, record } from 'fast-check';
import { type Answer, type Answers, listQuestions } from '../mock/questions.ts';

const rangeOrLiteral = (space: Answer): Arbitrary<Answer> => {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(String(space)) ?? [];
  return from === undefined ? constantFrom(space) : integer({ min: Number(from), max: Number(to) });
};

/** Any answers to all observable questions, each part of an answer space as likely as the others. */
export const anyAnswers: Arbitrary<Partial<Answers>> = record(
  Object.fromEntries(
    listQuestions()
      .filter(({ observable }) => observable)
      .map(({ id, answers }) => [id, oneof(...answers.map(rangeOrLiteral))]),
  ),
) as Arbitrary<Partial<Answers>>;

/**
 * The same answers without those that break a derived fact, of which a deployment is rightly found out: a server error,
 * and a success for a lead or a template that does not exist.
 */
export const calm = (answers: Readonly<Partial<Answers>>): Partial<Answers> =>
  Object.fromEntries(
    Object.entries(answers).map(([id, answer]) => [id, breaksFact(id, answer) ? 422 : answer]),
  );

const breaksFact = (id: string, answer: Answer): boolean =>
  (id.endsWith('-status') && Number(answer) >= 500) ||
  (/unknown-(lead|template)-status$/.test(id) && answer === 'accepted');
