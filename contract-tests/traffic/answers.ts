// Answers to open questions that the traffic of a session shows; a profile is compared with them.
import { type Answer, findQuestion, type QuestionId } from '../../mock/contract/questions.ts';
import {
  dataOf,
  type Exchange,
  isObject,
  isSuccess,
  type JsonObject,
  sentFields,
} from '../exchange/exchange.ts';
import { leadFields } from '../exchange/leads.ts';
import { concernsOneLead, operationOf } from '../exchange/operations.ts';
import type { Model } from '../model/model.ts';
import { leadIdOf } from '../model/requests.ts';
import { textChanges } from '../model/text.ts';
import type { QuestionResult } from '../questions/observe.ts';
import { errorReadings, readErrorOfSuccess, readText } from '../questions/probes/probe.ts';
import type { Deviation } from './exchanges/requests.ts';
import { notSeen } from './judge.ts';
import { createTally } from './tally.ts';

/** An answer, and what showed it first. */
type Seen = { readonly question: QuestionId; readonly answer: Answer; readonly by: string };

export const createAnswers = () => {
  const tally = createTally<Seen>(({ question, answer }) => `${question} ${answer}`);
  return {
    /**
     * Adds the answers that this exchange shows.
     * @param model what may be true before it
     * @param deviations of its request
     */
    add: (exchange: Exchange, model: Model, deviations: readonly Deviation[]): void => {
      for (const [question, answer] of readers.flatMap((read) => read(exchange, model, deviations)))
        if (answer !== undefined && isPossible(question, answer))
          tally.add({ question, answer, by: shapeOf(exchange) });
    },
    /** A result for each question: answered, unstable if the traffic shows several answers, otherwise skipped. */
    results: (questions: readonly QuestionId[]): QuestionResult[] =>
      questions.flatMap((id) => {
        const seen = tally.list().filter(({ question }) => question === id);
        return resultFor(id, seen);
      }),
  };
};

/** Whether the question has it among its answers. */
const isPossible = (id: QuestionId, answer: Answer): boolean =>
  findQuestion(id)?.answers.includes(answer) === true;

/** `PUT /api/v1/leads/{id}: 404` */
const shapeOf = ({ operation, method, path, status }: Exchange): string =>
  `${method} ${concernsOneLead(operation) ? operationOf(operation).paths[0] : path}: ${status}`;

const resultFor = (
  id: QuestionId,
  [first, second]: readonly (Seen & { readonly count: number })[],
): QuestionResult[] => {
  const question = findQuestion(id);
  if (!question) return [];
  if (!first) {
    const reason = question.observable ? notSeen : 'it cannot be observed from outside';
    return [{ question, status: 'skipped', reason }];
  }
  const { answer, count, by } = first;
  if (!second) return [{ question, status: 'answered', answer, evidence: `traffic, ${count}×: ${by}` }];
  const reason = `the traffic shows ${answer} (${count}×) and ${second.answer} (${second.count}×)`;
  return [{ question, status: 'unstable', reason }];
};

/** What one exchange shows; no answer where it decides nothing. */
type Shown = readonly [question: QuestionId, answer: Answer | undefined];

type Reader = (exchange: Exchange, model: Model, deviations: readonly Deviation[]) => readonly Shown[];

/** §7: the form of error responses. What a response refuses, and why, shows only where a request is made for that. */
const readError: Reader = ({ outcome, json }) => {
  if (outcome !== 'refusal' || !isObject(json) || typeof json.error !== 'string') return [];
  const questions = Object.keys(errorReadings) as (keyof typeof errorReadings)[];
  return questions.map((question) => [question, errorReadings[question](json)]);
};

/** How a text is stored, where it is one that common middleware changes. */
const readChange = (sent: unknown, shown: unknown): Shown[] =>
  typeof sent !== 'string' || typeof shown !== 'string'
    ? []
    : textChanges
        .filter(({ change }) => change(sent) !== sent)
        .map(({ question }) => [question, readText(question, sent, shown)]);

/** §2.3, §4.1, §4.3 and §4.5: what a request has, or lacks, that a question leaves open. An update may have any of its fields. */
const readDeviations: Reader = (exchange, _model, deviations) => {
  const { operation } = exchange;
  if (!isSuccess(exchange) || operation === 'updateLead') return [];
  const sent = sentFields(exchange);
  const isText = (name: string): boolean => /^(string|number|undefined)$/.test(typeof sent[name]);
  // No question is about a text that is a boolean, `null`, a list or an object.
  if (operation === 'addLead' && !leadFields.every(isText)) return [];
  const shown = deviations.flatMap(({ kind, question }): Shown[] =>
    question === undefined ? [] : [[question, kind === 'missing field' ? 'optional' : 'accepted']],
  );
  return operation === 'addLead' && sent.name === '' ? [...shown, ['lead.empty-name', 'accepted']] : shown;
};

/** §4.5: the response to an addition. */
const readAddition: Reader = (exchange) => {
  if (exchange.operation !== 'addLead' || !isSuccess(exchange)) return [];
  const [sent, shown] = [sentFields(exchange), dataOf(exchange)];
  return [
    ['success.error-field', readErrorOfSuccess(exchange.json as JsonObject)],
    ...leadFields.flatMap((name) => readChange(sent[name], shown[name])),
  ];
};

/** §4.6: permitted fields of an update. */
const readUpdate: Reader = (exchange, { leads }) => {
  const lead = leads.get(leadIdOf(exchange));
  if (exchange.operation !== 'updateLead' || !isSuccess(exchange) || !lead) return [];
  const [request, shown] = [sentFields(exchange), dataOf(exchange)];
  const named = (['name', 'source'] as const).flatMap((field): Shown[] => {
    const sent = request[field];
    const last = lead.texts[field].at(-1)?.value;
    const before = last === undefined || last === 'anything' ? undefined : last.shown;
    if (typeof sent !== 'string' || before === undefined || sent === before) return [];
    if (shown[field] === sent) return [[`lead.update-${field}`, 'accepted']];
    return shown[field] === before ? [[`lead.update-${field}`, 'ignored']] : [];
  });
  return [...named, ...readChange(request.note, shown.note)];
};

const readers: readonly Reader[] = [readError, readDeviations, readAddition, readUpdate];
