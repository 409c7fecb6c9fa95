import { type Answers, assumedAnswers, listQuestions } from '../mock/questions.ts';
import { inOrder } from './profile.ts';
import { questionTexts } from './question-texts.ts';

type Given = Readonly<Partial<Answers>>;

/** How two sets of answers differ, a sentence each: `validation failures: 400 → 422`. What one does not state is assumed. */
export const differences = (from: Given, to: Given): string[] => {
  const assumed = assumedAnswers();
  return listQuestions()
    .sort(inOrder)
    .flatMap(({ id, section }) => {
      const [before, after] = [from[id] ?? assumed[id], to[id] ?? assumed[id]];
      if (before === after) return [];
      const word = (given: Given): string => (given[id] === undefined ? ' (assumed)' : '');
      const [subject] = questionTexts[id];
      return [`${subject}: ${before}${word(from)} → ${after}${word(to)}  (${id}, §${section})`];
    });
};
