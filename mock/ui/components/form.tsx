import { AdminApiError } from '../data/api.ts';
import { Button } from './controls.tsx';

/** A field of a form: an input, or a larger one with lines. */
export type Field = {
  readonly name: string;
  readonly label: string;
  readonly lines?: number;
  readonly placeholder?: string;
  readonly isRequired?: boolean;
};

type FieldProps = { readonly field: Field; readonly value: string; readonly isFirst: boolean };

/** The value is set once and then belongs to the user: another rendering does not undo it. */
const Input = ({ field, value, isFirst }: FieldProps) => {
  const { lines, name, placeholder, isRequired: required } = field;
  const given = { name, placeholder, required, defaultValue: value, autofocus: isFirst };
  const common = { ...given, autocomplete: 'off', spellcheck: false } as const;
  return lines === undefined ? <input {...common} /> : <textarea {...common} rows={lines} />;
};

/** The texts in the fields of a form, by name. */
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

type Control = HTMLInputElement | HTMLTextAreaElement;

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
