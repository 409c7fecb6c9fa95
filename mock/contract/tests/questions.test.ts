import { expect, test } from 'vitest';
import { listOperations } from '../document.ts';
import { applyAnswers, optionalRoutes } from '../in-force.ts';
import {
  type Answers,
  findQuestion,
  listQuestions,
  parseAnswer,
  resolveAnswers,
  suggest,
} from '../questions.ts';

const parse = (id: string, given: unknown) => {
  const question = findQuestion(id);
  if (!question) throw new Error(`no question ${id}`);
  return parseAnswer(question, given);
};

test.each([
  ['send.to', 'required', 'required'],
  ['failure.validation-status', '422', 422],
  ['failure.validation-status', 422, 422],
  ['failure.malformed-json-status', 'accepted', 'accepted'],
  ['lead.name-limit', '64', 64],
  ['failure.success-field', false, 'false'],
])('an answer to %s given as %j is %j', (id, given, answer) => {
  expect(parse(id, given)).toBe(answer);
});

test.each([
  ['send.to', 'Required'],
  ['send.to', null],
  ['failure.validation-status', 'accepted'],
  ['failure.validation-status', 407],
  ['failure.validation-status', 422.5],
  ['failure.validation-status', '4e2'],
  ['failure.validation-status', '400-406'],
  ['lead.name-limit', 63],
  ['lead.name-limit', 10_001],
])('an answer to %s cannot be %j', (id, given) => {
  expect(() => parse(id, given)).toThrow(`${id} cannot be ${JSON.stringify(given)}: the answers are `);
});

test.each([
  ['send.too', 'did you mean send.to? Its answers are '],
  ...['foo', '__proto__', 'constructor', ''].map((id) => [id, 'contract-tests/open-questions.md lists them']),
])('the unknown id %j gets only a similar id as a suggestion', (id = '', hint) => {
  const given = JSON.parse(`{${JSON.stringify(id)}:1}`);
  expect(() => resolveAnswers(given)).toThrow(`there is no open question ${JSON.stringify(id)}; ${hint}`);
});

test.each([
  ['templates', 'templates.order'],
  ['form', 'from'],
  ['template.ordre', 'templates.order'],
  ['addLead', undefined],
  ['', undefined],
])('%j was probably meant to be %j', (word, meant) => {
  const known = ['lead.name', 'new-templates', 'templates.order', 'templates.page-size', 'from', 'format'];
  expect(suggest(word, known)).toBe(meant);
});

const routesWith = (answers: Partial<Answers>): string[] =>
  listOperations(applyAnswers(resolveAnswers(answers))).map(({ route }) => route);

test('the routes that answers add or leave out are those of the table, with an answer that has them', () => {
  const contracts = listQuestions().flatMap(({ id, answers }) =>
    answers.filter((answer) => !/\d-\d/.test(String(answer))).map((answer) => routesWith({ [id]: answer })),
  );
  const all = [...new Set(contracts.flat())];
  const optional = all.filter((route) => contracts.some((routes) => !routes.includes(route)));
  expect(Object.keys(optionalRoutes).sort()).toEqual(optional.sort());
  for (const [route, { question, answers }] of Object.entries(optionalRoutes))
    for (const answer of answers) expect(routesWith({ [question]: answer })).toContain(route);
});
