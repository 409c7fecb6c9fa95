import { Icon } from './icons.tsx';
import type { Answer, OpenQuestion } from './questions.tsx';

const range = /^(\d+)-(\d+)$/;

type Props = {
  readonly question: OpenQuestion;
  readonly value: Answer;
  readonly choose: (value: Answer | null) => Promise<void>;
};

/** The answers of a question as buttons, ranges of numbers as a field to type in. */
export const Choices = ({ question, value, choose }: Props) => {
  const { answers, assumed, id } = question;
  const ranges = answers.flatMap((answer) => range.exec(String(answer)) ?? []).filter((_, at) => at % 3 > 0);
  const words = answers.filter((answer) => !range.test(String(answer)));
  const listed = [...new Set([...words, assumed, value])];
  return (
    <fieldset class="choices">
      <legend class="visually-hidden">Answer of {id}</legend>
      {listed.map((answer) => (
        <button
          key={answer}
          type="button"
          class="choice"
          aria-pressed={answer === value}
          title={answer === assumed ? 'Assumed unless told otherwise' : undefined}
          onClick={() => answer !== value && choose(answer)}
        >
          {String(answer)}
          {answer === assumed && <span class="assumed">assumed</span>}
        </button>
      ))}
      {ranges.length > 0 && <NumberChoice id={id} ranges={ranges.map(Number)} choose={choose} />}
      {value !== assumed && (
        <button
          type="button"
          class="icon-button small"
          title="Back to the server's answer"
          aria-label={`Put ${id} back`}
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
