import { useEffect, useMemo, useState } from 'preact/hooks';
import { readContract } from './api.ts';
import { Choices } from './choices.tsx';
import type { Place } from './location.ts';
import { useNotify } from './notice.tsx';
import { Empty, ViewHead } from './parts.tsx';
import { Search } from './search.tsx';
import { useLoaded, useWorkspace } from './workspace.ts';

export type Answer = string | number;

export type OpenQuestion = {
  readonly id: string;
  readonly section: string;
  readonly question: string;
  readonly answers: readonly Answer[];
  readonly assumed: Answer;
  readonly observable: boolean;
};

type Answers = Readonly<Record<string, Answer>>;

const collect = (node: unknown): OpenQuestion[] => {
  if (Array.isArray(node)) return node.flatMap(collect);
  if (node === null || typeof node !== 'object') return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'x-open-questions' ? (value as OpenQuestion[]) : collect(value),
  );
};

const bySection = (a: OpenQuestion, b: OpenQuestion): number =>
  a.section.localeCompare(b.section, 'en', { numeric: true });

/** What the interface document leaves open, and how this workspace answers it. */
export const Questions = ({ place }: { readonly place: Place }) => {
  const { api, live } = useWorkspace();
  const { attempt, say } = useNotify();
  const { data } = useLoaded<Answers>('/answers', ['answers']);
  const questions = useQuestions();
  const { q = '', changed } = place.query;
  const shown = questions.filter(
    (question) =>
      `${question.id} §${question.section} ${question.question}`.toLowerCase().includes(q.toLowerCase()) &&
      (changed === undefined || data?.[question.id] !== question.assumed),
  );
  const answer = async (id: string, value: Answer | null): Promise<void> => {
    if (!(await attempt(() => api.send('PATCH', '/answers', { [id]: value })))) return;
    say(value === null ? `${id} is as the server has it again` : `${id} is now ${value}`);
    live.tell('answers');
  };
  if (!data) return null;
  return (
    <section class="view" aria-label="Open questions">
      <ViewHead title="Open questions" count={questions.length}>
        <Search place={place} label="Search questions" hint="Id, section, words" />
      </ViewHead>
      <p class="hint lead-in">
        What the interface document does not say. Another answer holds for this workspace from the next call
        on.
      </p>
      <ul class="questions">
        {shown.map((question) => (
          <li key={question.id}>
            <One question={question} value={data[question.id] ?? question.assumed} answer={answer} />
          </li>
        ))}
      </ul>
      {shown.length === 0 && <Empty icon="question" title="No question found" />}
    </section>
  );
};

const useQuestions = (): readonly OpenQuestion[] => {
  const [contract, setContract] = useState<unknown>();
  useEffect(() => void readContract().then(setContract, () => undefined), []);
  return useMemo(() => collect(contract).sort(bySection), [contract]);
};

/** What stands in `backticks`, as code. */
const withCode = (text: string) =>
  text.split('`').map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part));

type OneProps = {
  readonly question: OpenQuestion;
  readonly value: Answer;
  readonly answer: (id: string, value: Answer | null) => Promise<void>;
};

const One = ({ question, value, answer }: OneProps) => (
  <div class={value === question.assumed ? 'question' : 'question changed'}>
    <div class="question-text">
      <p>{withCode(question.question)}</p>
      <span class="meta">
        <code>{question.id}</code> · §{question.section}
        {question.observable ? '' : ' · cannot be observed from outside'}
      </span>
    </div>
    <Choices question={question} value={value} choose={(given) => answer(question.id, given)} />
  </div>
);
