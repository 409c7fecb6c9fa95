import { Button } from './controls.tsx';

/**
 * A field of a form: a checkbox if it has `isChecked`, a select with choices, a larger text field with lines, a number field
 * with a range, else a text field.
 */
export type Field = {
  readonly name: string;
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly value?: string | number | undefined;
  readonly isChecked?: boolean;
  readonly choices?: readonly (readonly [value: string, title: string])[];
  readonly lines?: number;
  readonly range?: readonly [min: number, max: number];
  readonly placeholder?: string;
  readonly isRequired?: boolean;
  /** Stands behind the field. */
  readonly unit?: string;
  readonly onChange?: (value: string) => void;
};

type InputProps = Field & { readonly isFirst?: boolean };

/** The values are set once and then belong to the user: another rendering does not undo them. */
const Input = (field: InputProps) => {
  const { name, value, isChecked, choices, lines, range, placeholder, isRequired, isFirst, onChange } = field;
  const common = { name, placeholder, required: isRequired, autocomplete: 'off', spellcheck: false } as const;
  if (isChecked !== undefined) return <input name={name} type="checkbox" defaultChecked={isChecked} />;
  if (choices)
    return (
      <select name={name} onChange={({ currentTarget }) => onChange?.(currentTarget.value)}>
        {choices.map(([choice, title]) => (
          <option key={choice} value={choice} selected={choice === value}>
            {title}
          </option>
        ))}
      </select>
    );
  if (lines !== undefined) return <textarea {...common} rows={lines} defaultValue={String(value ?? '')} />;
  if (range === undefined) return <input {...common} defaultValue={value} autofocus={isFirst} />;
  return <input {...common} type="number" min={range[0]} max={range[1]} step={1} defaultValue={value} />;
};

export const LabelledField = ({ isFirst = false, ...field }: InputProps) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: Input is one
  <label class="field">
    <span class={field.isLabelHidden ? 'visually-hidden' : ''}>{field.label}</span>
    <Input key={field.name} {...field} isFirst={isFirst} />
    {field.unit && <span> {field.unit}</span>}
  </label>
);

/** The texts in the fields of a form, by name. A checkbox that is not checked has none. */
export type Values = Readonly<Record<string, string>>;

export const readValues = (form: HTMLFormElement): Values =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));

/** What is asked: to confirm something, or for texts. */
export type Question = {
  readonly title: string;
  readonly text?: string;
  readonly fields?: readonly Field[];
  /** The button that answers it. */
  readonly action: string;
};

type FormProps = {
  readonly question: Question;
  readonly answer: (values: Values) => void;
  readonly cancel?: () => void;
};

export const Form = ({ question: { text, fields = [], action }, answer, cancel }: FormProps) => (
  <form
    onSubmit={(event) => {
      event.preventDefault();
      answer(readValues(event.currentTarget));
    }}
  >
    {text && <p>{text}</p>}
    {fields.map((field, at) => (
      <LabelledField key={field.name} {...field} isFirst={at === 0} />
    ))}
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
