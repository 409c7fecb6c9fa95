import { type Answer, findQuestion, parseAnswer, type QuestionId } from '../../mock/contract/questions.ts';
import { dataOf, type Exchange } from '../exchange/exchange.ts';
import { concernsOneLead, routes } from '../exchange/operations.ts';
import type { Model } from '../model/model.ts';
import type { QuestionResult } from '../questions/observe.ts';
import { readFormat } from '../questions/probes/readings.ts';
import { notSeen } from './judge.ts';
import { shownAnswers } from './shown-answers.ts';

type Seen = { readonly count: number; readonly exchange: Exchange };

/** An answer that one exchange shows. */
export type ShownAnswer = readonly [question: QuestionId, answer: Answer];

/** Answers to open questions that the traffic of a session shows; a profile is compared with them. */
export const createAnswers = () => {
  const answersById = new Map<QuestionId, Map<Answer, Seen>>();
  const forms = new Set<string>();
  const ids: string[] = [];

  const note = (question: QuestionId, answer: Answer | undefined, exchange: Exchange): ShownAnswer[] => {
    if (answer === undefined || !isPossible(question, answer)) return [];
    const answers = answersById.get(question) ?? new Map<Answer, Seen>();
    answersById.set(question, answers);
    const before = answers.get(answer);
    answers.set(answer, {
      count: (before?.count ?? 0) + 1,
      exchange: before?.exchange ?? withoutBodies(exchange),
    });
    return [[question, answer]];
  };

  /** §4.4: both path forms have succeeded. */
  const noteForms = (exchange: Exchange): ShownAnswer[] => {
    const { operation, path, outcome } = exchange;
    const { paths } = routes[operation];
    if (outcome !== 'success' || concernsOneLead(operation) || paths.length < 2) return [];
    forms.add(path);
    if (!paths.every((form) => forms.has(form))) return [];
    return note(
      operation === 'listTemplates' ? 'templates.list-path' : 'templates.send-path',
      'both',
      exchange,
    );
  };

  const noteId = (exchange: Exchange): ShownAnswer[] => {
    const { lead_id: id } = dataOf(exchange);
    if (exchange.operation !== 'addLead' || exchange.outcome !== 'success' || typeof id !== 'string')
      return [];
    // The same number of ids as in `observe`.
    if (ids.push(id) === 3) return note('lead.id-format', readFormat(ids), exchange);
    ids.length = Math.min(ids.length, 3);
    return [];
  };

  return {
    /** Adds the answers that this exchange shows, given what may be true before it, and returns them. */
    add: (exchange: Exchange, model: Model): readonly ShownAnswer[] => [
      ...shownAnswers(exchange, model).flatMap(([question, answer]) => note(question, answer, exchange)),
      ...noteForms(exchange),
      ...noteId(exchange),
    ],
    /** A result for each question: answered, unstable if the traffic shows several answers, otherwise skipped. */
    results: (questions: readonly QuestionId[]): QuestionResult[] =>
      questions.flatMap((id) => resultFor(id, answersById.get(id)) ?? []),
  };
};

const isPossible = (id: QuestionId, answer: Answer): boolean => {
  const question = findQuestion(id);
  try {
    return question !== undefined && parseAnswer(question, answer) === answer;
  } catch {
    return false; // not one of the answers, such as a status that the question does not have
  }
};

const withoutBodies = (exchange: Exchange): Exchange => ({
  ...exchange,
  text: '',
  rawText: '',
  json: undefined,
  body: undefined,
});

const resultFor = (
  id: QuestionId,
  answers: ReadonlyMap<Answer, Seen> | undefined,
): QuestionResult | undefined => {
  const question = findQuestion(id);
  if (!question) return undefined;
  const [first, second] = [...(answers ?? [])];
  if (!first)
    return {
      question,
      status: 'skipped',
      reason: question.observable ? notSeen : 'it cannot be observed from outside',
    };
  const [answer, { count, exchange }] = first;
  if (second)
    return {
      question,
      status: 'unstable',
      reason: `the traffic shows ${answer} (${count}×) and ${second[0]} (${second[1].count}×)`,
    };
  const path = concernsOneLead(exchange.operation) ? routes[exchange.operation].paths[0] : exchange.path;
  const evidence = `traffic, ${count}×: ${exchange.method} ${path}: ${exchange.status}`;
  return { question, status: 'answered', answer, evidence, exchange };
};
