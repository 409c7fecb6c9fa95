import { AdminApiError } from '../data/api.ts';
import { Button } from './controls.tsx';

/** A field of a form: a select with choices, a larger text field with lines, else an input for a text or of its kind. */
export type Field = {
  readonly name: string;
  readonly label: string;
  readonly kind?: 'number' | 'checkbox' | 'json';
  /** What may be chosen instead of nothing, which has the placeholder. */
  readonly choices?: readonly string[];
  readonly lines?: number;
  readonly placeholder?: string;
  readonly isRequired?: boolean;
};

type FieldProps = { readonly field: Field; readonly value: string; readonly isFirst: boolean };

/** The value is set once and then belongs to the user: another rendering does not undo it. */
const Input = ({ field, value, isFirst }: FieldProps) => {
  const { name, kind, choices, lines, placeholder, isRequired } = field;
  const common = { name, placeholder, required: isRequired, autocomplete: 'off', spellcheck: false } as const;
  if (choices)
    return (
      <select name={name}>
        <option value="">{placeholder}</option>
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    );
  if (lines !== undefined) return <textarea {...common} rows={lines} defaultValue={value} />;
  if (kind === 'checkbox') return <input name={name} type="checkbox" />;
  const written = { ...common, defaultValue: value, autofocus: isFirst };
  return kind === 'number' ? <input type="number" {...written} /> : <input {...written} />;
};

/** The texts in the fields of a form, by name. A checkbox that is not checked has none. */
export type Values = Readonly<Record<string, string>>;

const readValues = (form: HTMLFormElement): Values =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));

/** What is asked: to confirm something, or for texts. */
export type Question = {
  readonly title: string;
  readonly text?: string;
  readonly fields?: readonly Field[];
  /** What the fields contain at first. */
  readonly values?: Values;
  /** The button that answers it. */
  readonly action: string;
};

/** Does what was asked for; returns the error if it could not be done. */
export type Answer = (values: Values) => unknown;

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Marks the field that an error names, as `body/rules/0/path is not a path of the service` does. */
const markField = (form: HTMLFormElement, { message }: AdminApiError): void => {
  const [pointer = ''] = message.split(' ', 1);
  const [, ...names] = pointer.split('/');
  const field = names.map((name) => form.elements.namedItem(name) as Control | null).find(Boolean);
  field?.setCustomValidity(message);
  field?.focus();
};

const unmarkFields = (form: HTMLFormElement): void => {
  for (const field of form.elements) (field as Control).setCustomValidity('');
};

type FormProps = {
  readonly question: Question;
  readonly answer: Answer;
  readonly cancel?: () => void;
};

export const Form = ({ question, answer, cancel }: FormProps) => {
  const { text, fields = [], values = {}, action } = question;
  return (
    <form
      onInput={({ currentTarget }) => unmarkFields(currentTarget)}
      onSubmit={async (event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const error = await answer(readValues(form));
        if (error instanceof AdminApiError) markField(form, error);
      }}
    >
      {text && <p>{text}</p>}
      {fields.length > 0 && (
        <div class="fields">
          {fields.map((field, at) => (
            // biome-ignore lint/a11y/noLabelWithoutControl: Input is one
            <label key={field.name} class="field">
              <span>{field.label}</span>
              <Input field={field} value={values[field.name] ?? ''} isFirst={at === 0} />
            </label>
          ))}
        </div>
      )}
      <div class="dialog-actions line">
        {cancel && <Button text="Cancel" onClick={cancel} />}
        <Button
          type="submit"
          text={action}
          kind={fields.length > 0 ? 'primary' : 'danger-solid'}
          autofocus={fields.length === 0}
        />
      </div>
    </form>
  );
};
