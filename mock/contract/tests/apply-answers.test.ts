import { expect, test } from 'vitest';
import { applyToRequests, optionalRoutes } from '../apply-answers.ts';
import { listOperations } from '../document.ts';
import { type Answers, listQuestions, resolveAnswers } from '../questions.ts';

const routesWith = (answers: Partial<Answers>): string[] =>
  listOperations(applyToRequests(resolveAnswers(answers))).map(({ route }) => route);

test('the routes that answers add or leave out are those of the table, with an answer that has them', () => {
  const contracts = listQuestions().flatMap(({ id, answers }) =>
    answers.filter((answer) => !/\d-\d/.test(String(answer))).map((answer) => routesWith({ [id]: answer })),
  );
  const all = [...new Set(contracts.flat())];
  const optional = all.filter((route) => contracts.some((routes) => !routes.includes(route)));
  expect([...optionalRoutes.keys()].sort()).toEqual(optional.sort());
  for (const [route, [id, answer]] of optionalRoutes) expect(routesWith({ [id]: answer })).toContain(route);
});
