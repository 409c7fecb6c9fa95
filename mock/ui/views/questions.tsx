import { useMemo } from 'preact/hooks';
import { type Answer, collectQuestions, type Question, rangeOf } from '../../contract/questions.ts';
import { Button } from '../components/controls.tsx';
import { change } from '../components/dialogs.tsx';
import { Empty, Unavailable } from '../components/empty.tsx';
import { Search } from '../components/filters.tsx';
import { Pane } from '../components/pane.tsx';
import { serverContract } from '../data/api.ts';
import { useLoaded } from '../data/live.ts';
import { usePlace } from '../data/router.ts';

/** A question in the contract in force. */
type AnsweredQuestion = Question & {
  /** The answer of the server. */
  readonly answer: Answer;
};

type Answers = Readonly<Record<string, Answer>>;

const bySection = (a: Question, b: Question): number =>
  a.section.localeCompare(b.section, 'en', { numeric: true });

const choose = (id: string, value: Answer | null): void => {
  const done = value === null ? `${id} is back to the server default` : `${id} is now ${value}`;
  change({ method: 'PATCH', view: 'questions', body: { [id]: value }, done });
};

/** The open questions of the interface document, and the answers of this workspace. */
export const Questions = () => {
  const { data, error } = useLoaded<Answers>('/answers', ['answers']);
  const contract = useLoaded(serverContract, ['reset']);
  const questions = useMemo(
    () => collectQuestions(contract.data).sort(bySection) as AnsweredQuestion[],
    [contract.data],
  );
  const { q = '' } = usePlace().query;
  const shown = questions.filter(({ id, section, question }) =>
    `${id} §${section} ${question}`.toLowerCase().includes(q.toLowerCase()),
  );
  const isLoaded = data !== undefined && contract.data !== undefined;
  return (
    <Pane
      view="questions"
      count={isLoaded ? questions.length : undefined}
      tools={<Search label="Search questions" hint="Id, section, words" />}
    >
      <p class="hint">
        Points that the interface document leaves open. A changed answer applies to this workspace from the
        next request on.
      </p>
      {!isLoaded && <Unavailable error={error ?? contract.error} />}
      {isLoaded && (
        <ul>
          {shown.map((question) => (
            <QuestionItem
              key={question.id}
              question={question}
              value={data[question.id] ?? question.answer}
            />
          ))}
        </ul>
      )}
      {isLoaded && shown.length === 0 && <Empty icon="question" title="No matching questions" />}
    </Pane>
  );
};

/** Shows text in `backticks` as code. */
const withCode = (text: string) =>
  text.split('`').map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part));

type ItemProps = {
  readonly question: AnsweredQuestion;
  readonly value: Answer;
};

/** A question with its answers as buttons, and a number field for ranges. */
const QuestionItem = ({ question, value }: ItemProps) => {
  const { answers, assumed, answer: serverAnswer, id, imitated } = question;
  const limits = answers.flatMap((answer) => rangeOf(answer) ?? []);
  const words = answers.filter((answer) => !rangeOf(answer));
  const listed = [...new Set([...words, assumed, serverAnswer, value])];
  return (
    <li class={value === serverAnswer ? 'question' : 'question changed'}>
      <div>
        <p>{withCode(question.question)}</p>
        <span class="meta">
          <code>{id}</code> · §{question.section}
          {question.observable ? '' : ' · cannot be observed from outside'}
          {imitated === false ? ' · other answers are not imitated' : ''}
        </span>
      </div>
      <fieldset class="line">
        <legend class="visually-hidden">Answer of {id}</legend>
        {listed.map((answer) => (
          <button
            key={answer}
            type="button"
            class="answer button"
            aria-pressed={answer === value}
            disabled={imitated === false && answer !== value}
            title={answer === serverAnswer ? 'The default answer' : undefined}
            onClick={() => answer !== value && choose(id, answer)}
          >
            {String(answer)}
            {answer === assumed && <span class="meta">assumed</span>}
          </button>
        ))}
        {limits.length > 0 && <NumberAnswer id={id} min={Math.min(...limits)} max={Math.max(...limits)} />}
        {value !== serverAnswer && (
          <Button
            icon="reset"
            title="Restore the server default"
            aria-label={`Restore the default of ${id}`}
            kind="small"
            onClick={() => choose(id, null)}
          />
        )}
      </fieldset>
    </li>
  );
};

type NumberProps = { readonly id: string; readonly min: number; readonly max: number };

const NumberAnswer = ({ id, min, max }: NumberProps) => (
  <input
    class="answer"
    type="number"
    aria-label={`Another number for ${id}`}
    placeholder={`${min}–${max}`}
    min={min}
    max={max}
    onChange={({ currentTarget }) => {
      if (currentTarget.value === '' || !currentTarget.reportValidity()) return;
      choose(id, Number(currentTarget.value));
      currentTarget.value = '';
    }}
  />
);
