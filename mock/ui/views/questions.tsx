import { useMemo } from 'preact/hooks';
import type { Answer, Question } from '../../contract/questions.ts';
import { Icon, Search } from '../components/controls.tsx';
import { useNotify } from '../components/dialogs.tsx';
import { Empty, Unavailable, ViewHead } from '../components/list-view.tsx';
import { type Api, readContract } from '../data/api.ts';
import type { Place } from '../data/router.ts';
import { useLoaded, useWorkspace } from '../data/workspace.ts';

const range = /^(\d+)-(\d+)$/;

/** A question in the contract in force. */
type AnsweredQuestion = Question & {
  /** The answer of the server. */
  readonly answer: Answer;
};

type Props = {
  readonly question: AnsweredQuestion;
  readonly value: Answer;
  readonly choose: (value: Answer | null) => Promise<void>;
};

/** The answers of a question as buttons, and a number field for ranges. */
const Choices = ({ question, value, choose }: Props) => {
  const { answers, assumed, answer: serverAnswer, id, imitated } = question;
  const ranges = answers.flatMap((answer) => range.exec(String(answer)) ?? []).filter((_, at) => at % 3 > 0);
  const words = answers.filter((answer) => !range.test(String(answer)));
  const listed = [...new Set([...words, assumed, serverAnswer, value])];
  return (
    <fieldset class="choices">
      <legend class="visually-hidden">Answer of {id}</legend>
      {listed.map((answer) => (
        <button
          key={answer}
          type="button"
          class="choice"
          aria-pressed={answer === value}
          disabled={imitated === false && answer !== value}
          title={answer === serverAnswer ? 'The default answer' : undefined}
          onClick={() => answer !== value && choose(answer)}
        >
          {String(answer)}
          {answer === assumed && <span class="assumed">assumed</span>}
        </button>
      ))}
      {ranges.length > 0 && <NumberChoice id={id} ranges={ranges.map(Number)} choose={choose} />}
      {value !== serverAnswer && (
        <button
          type="button"
          class="icon-button small"
          title="Restore the server default"
          aria-label={`Restore the default of ${id}`}
          onClick={() => choose(null)}
        >
          <Icon name="reset" />
        </button>
      )}
    </fieldset>
  );
};

type NumberProps = {
  readonly id: string;
  readonly ranges: readonly number[];
  readonly choose: Props['choose'];
};

const NumberChoice = ({ id, ranges, choose }: NumberProps) => (
  <input
    class="number-choice"
    type="number"
    aria-label={`Another number for ${id}`}
    placeholder={`${Math.min(...ranges)}–${Math.max(...ranges)}`}
    min={Math.min(...ranges)}
    max={Math.max(...ranges)}
    onChange={(event) => {
      const { currentTarget } = event;
      if (currentTarget.value === '' || !currentTarget.reportValidity()) return;
      void choose(Number(currentTarget.value));
      currentTarget.value = '';
    }}
  />
);

type Answers = Readonly<Record<string, Answer>>;

const collect = (node: unknown): AnsweredQuestion[] => {
  if (Array.isArray(node)) return node.flatMap(collect);
  if (node === null || typeof node !== 'object') return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'x-open-questions' ? (value as AnsweredQuestion[]) : collect(value),
  );
};

const bySection = (a: Question, b: Question): number =>
  a.section.localeCompare(b.section, 'en', { numeric: true });

/** The open questions of the interface document, and the answers of this workspace. */
export const Questions = ({ place }: { readonly place: Place }) => {
  const { api, live } = useWorkspace();
  const { attempt, showNotice } = useNotify();
  const { data, error } = useLoaded<Answers>('/answers', ['answers']);
  const contract = useLoaded('/openapi.json', ['reset'], readServerContract);
  const questions = useMemo(() => collect(contract.data).sort(bySection), [contract.data]);
  const { q = '', changed } = place.query;
  const shown = questions.filter(
    (question) =>
      `${question.id} §${question.section} ${question.question}`.toLowerCase().includes(q.toLowerCase()) &&
      (changed === undefined || data?.[question.id] !== question.answer),
  );
  const answer = async (id: string, value: Answer | null): Promise<void> => {
    if (!(await attempt(() => api.send('PATCH', '/answers', { [id]: value })))) return;
    showNotice(value === null ? `${id} is back to the server default` : `${id} is now ${value}`);
    live.notify('answers');
  };
  if (!data)
    return (
      <section class="view" aria-label="Open questions">
        <ViewHead title="Open questions" />
        <Unavailable error={error} />
      </section>
    );
  return (
    <section class="view" aria-label="Open questions">
      <ViewHead title="Open questions" count={questions.length}>
        <Search place={place} label="Search questions" hint="Id, section, words" />
      </ViewHead>
      <p class="hint lead-in">
        Points that the interface document leaves open. A changed answer applies to this workspace from the
        next request on.
      </p>
      <ul class="questions">
        {shown.map((question) => (
          <li key={question.id}>
            <QuestionItem question={question} value={data[question.id] ?? question.answer} answer={answer} />
          </li>
        ))}
      </ul>
      {contract.error && (
        <Empty icon="warn" title="The questions cannot be read">
          <p>{`${contract.error.message}. ${contract.error.hint}`}</p>
        </Empty>
      )}
      {contract.data !== undefined && shown.length === 0 && (
        <Empty icon="question" title="No matching questions" />
      )}
    </section>
  );
};

// Without the key of the workspace, which would return its own answers.
const readServerContract = (_api: Api, _path: string, signal: AbortSignal): Promise<unknown> =>
  readContract(signal);

/** Shows text in `backticks` as code. */
const withCode = (text: string) =>
  text.split('`').map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part));

type QuestionItemProps = {
  readonly question: AnsweredQuestion;
  readonly value: Answer;
  readonly answer: (id: string, value: Answer | null) => Promise<void>;
};

const QuestionItem = ({ question, value, answer }: QuestionItemProps) => (
  <div class={value === question.answer ? 'question' : 'question changed'}>
    <div class="question-text">
      <p>{withCode(question.question)}</p>
      <span class="meta">
        <code>{question.id}</code> · §{question.section}
        {question.observable ? '' : ' · cannot be observed from outside'}
        {question.imitated === false ? ' · other answers are not imitated' : ''}
      </span>
    </div>
    <Choices question={question} value={value} choose={(chosen) => answer(question.id, chosen)} />
  </div>
);
