import { Dialog, useNotify } from './dialogs.tsx';

type Field = {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  /** Lines of a field for longer texts. */
  readonly rows?: number;
  readonly isRequired?: boolean;
};

const TextField = ({
  name,
  label,
  value,
  rows,
  isRequired,
  isFirst,
}: Field & { readonly isFirst: boolean }) =>
  rows === undefined ? (
    <label class="field">
      <span>{label}</span>
      <input name={name} defaultValue={value} autocomplete="off" required={isRequired} autofocus={isFirst} />
    </label>
  ) : (
    <label class="field">
      <span>{label}</span>
      <textarea name={name} rows={rows} defaultValue={value} required={isRequired} />
    </label>
  );

type Props = {
  readonly title: string;
  readonly action: string;
  readonly fields: readonly Field[];
  readonly save: (values: Readonly<Record<string, string>>) => Promise<unknown>;
  readonly onSaved: () => void;
  readonly onClose: () => void;
};

/** A dialog with text fields. It stays open, with its texts, while they cannot be saved. */
export const FormDialog = ({ title, action, fields, save, onSaved, onClose }: Props) => {
  const { attempt } = useNotify();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const values = Object.fromEntries(fields.map(({ name }) => [name, String(form.get(name) ?? '')]));
    if (!(await attempt(() => save(values)))) return;
    onSaved();
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="key-form" onSubmit={submit}>
        {fields.map((field, at) => (
          <TextField key={field.name} {...field} isFirst={at === 0} />
        ))}
        <div class="dialog-actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button primary">
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
};
