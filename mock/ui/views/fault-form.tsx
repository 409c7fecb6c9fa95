import { useEffect, useRef, useState } from 'preact/hooks';
import { operationIds } from '../../generated/operations.ts';
import type { FaultRule } from '../../workspace/faults.ts';
import { Icon } from '../components/controls.tsx';
import { type FaultFields, fieldProblems, ruleFromFields } from '../data/fault-rule.ts';
import {
  Conditions,
  DelayFields,
  NumberField,
  type Outcome,
  OutcomeField,
  outcomes,
  ResponseFields,
} from './fault-fields.tsx';

const titles: Readonly<Record<Outcome, string>> = {
  status: 'return the status',
  delay: 'delay the response',
  fault: 'break the connection',
};

type FormProps = {
  /** The rule that is changed; an empty one for a new rule. */
  readonly rule: FaultRule;
  readonly isNew: boolean;
  readonly save: (rule: FaultRule) => Promise<void>;
  readonly cancel: () => void;
};

/** A form that begins as a sentence: "The next N calls to … return the status …". */
export const FaultForm = ({ rule, isNew, save, cancel }: FormProps) => {
  const [outcome, setOutcome] = useState<Outcome>(outcomeOf(rule));
  const element = useRef<HTMLFormElement>(null);
  // A rule that is changed may be far below the form.
  useEffect(() => {
    if (!isNew) element.current?.querySelector('input')?.focus();
  }, [isNew]);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const fields = readFields(event.currentTarget as HTMLFormElement);
    void save({ ...fieldsWithoutInput(rule), ...ruleFromFields(fields) });
  };
  return (
    <form
      class="fault-form"
      ref={element}
      onSubmit={submit}
      onInput={({ currentTarget }) => markProblems(currentTarget)}
      aria-label={isNew ? 'Add a fault rule' : 'Change the fault rule'}
    >
      <div class="form-line">
        <NumberField name="times" label="The next" min={1} placeholder="all" value={isNew ? 1 : rule.times} />
        <label>
          <span>calls to</span>
          <select name="operation" value={rule.operation ?? ''}>
            <option value="">any operation</option>
            {operationIds.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          <span class="visually-hidden">Effect of the rule</span>
          <select
            name="outcome"
            value={outcome}
            onChange={({ currentTarget }) => setOutcome(currentTarget.value as Outcome)}
          >
            {outcomes.map((name) => (
              <option key={name} value={name}>
                {titles[name]}
              </option>
            ))}
          </select>
        </label>
        <OutcomeField outcome={outcome} rule={rule} />
        <DelayFields rule={rule} isRequired={outcome === 'delay'} />
        {outcome !== 'delay' && (
          <label>
            <input name="take_effect" type="checkbox" checked={rule.take_effect === true} />
            <span>after taking effect</span>
          </label>
        )}
      </div>
      <Conditions rule={rule} />
      {outcome === 'status' && <ResponseFields rule={rule} />}
      <div class="form-line">
        <button type="submit" class="button primary">
          <Icon name="bolt" />
          <span>{isNew ? 'Add rule' : 'Save rule'}</span>
        </button>
        {!isNew && (
          <button type="button" class="button" onClick={cancel}>
            Cancel
          </button>
        )}
      </div>
    </form>
  );
};

const readFields = (form: HTMLFormElement): FaultFields =>
  Object.fromEntries(new FormData(form)) as FaultFields;

/** The browser shows a problem beside its field, and does not submit the form. */
const markProblems = (form: HTMLFormElement): void => {
  for (const [name, problem] of Object.entries(fieldProblems(readFields(form))))
    (form.elements.namedItem(name) as HTMLInputElement | null)?.setCustomValidity(problem);
};

const outcomeOf = ({ status, fault, delay_ms }: FaultRule): Outcome => {
  if (fault !== undefined) return 'fault';
  return status === undefined && delay_ms !== undefined ? 'delay' : 'status';
};

/** What a rule says that the form has no field for. */
const fieldsWithoutInput = ({ method, path }: FaultRule): FaultRule => ({
  ...(method === undefined ? {} : { method }),
  ...(path === undefined ? {} : { path }),
});
