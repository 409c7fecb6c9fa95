import { useEffect, useRef, useState } from 'preact/hooks';
import { operationIds } from '../../generated/operations.ts';
import type { ConnectionFault, FaultRule } from '../../nouns/fault-rules.ts';
import { Button } from '../components/controls.tsx';
import { type Field, LabelledField, readValues } from '../components/form.tsx';
import { bodyText, delayRange, fieldProblems, jsonText, ruleFromFields } from '../data/fault-rule.ts';

type Outcome = 'status' | 'delay' | 'fault';

const outcomes: readonly (readonly [Outcome, string])[] = [
  ['status', 'return the status'],
  ['delay', 'delay the response'],
  ['fault', 'break the connection'],
];

const outcomeOf = ({ status, fault, delay_ms }: FaultRule): Outcome => {
  if (fault !== undefined) return 'fault';
  return status === undefined && delay_ms !== undefined ? 'delay' : 'status';
};

const connectionFaults: Readonly<Record<ConnectionFault, true>> = {
  CONNECTION_RESET_BY_PEER: true,
  EMPTY_RESPONSE: true,
  MALFORMED_RESPONSE_CHUNK: true,
  RANDOM_DATA_THEN_CLOSE: true,
};

// The methods of the operations; GET implies HEAD.
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];

const choicesOf = (names: readonly string[], none?: string): (readonly [string, string])[] => [
  ...(none === undefined ? [] : [['', none] as const]),
  ...names.map((name) => [name, name] as const),
];

/** The operations of the document, and the one of the rule, which only some answers may have. */
const operationsFor = ({ operation }: FaultRule): readonly string[] => [
  ...new Set([...operationIds, ...(operation === undefined ? [] : [operation])]),
];

const counts = [1, 1_000_000] as const;
const delaysMs = [0, 60_000] as const;

const outcomeFields = (rule: FaultRule, outcome: Outcome): readonly Field[] => {
  const [least, most] = delayRange(rule);
  const isDelay = outcome === 'delay';
  const delays: readonly Field[] = [
    {
      name: 'delay_ms',
      label: isDelay ? 'from' : 'delay from',
      value: least ?? (isDelay ? 2000 : undefined),
      range: delaysMs,
      placeholder: '0',
      isRequired: isDelay,
    },
    { name: 'delay_max', label: 'to', value: most, range: delaysMs, placeholder: 'same', unit: 'ms' },
  ];
  if (isDelay) return delays;
  const { status = 503, fault } = rule;
  const what: Field =
    outcome === 'status'
      ? { name: 'status', label: 'Status', value: status, range: [200, 599], isRequired: true }
      : {
          name: 'fault',
          label: 'Connection fault',
          value: fault,
          choices: choicesOf(Object.keys(connectionFaults)),
        };
  return [
    { ...what, isLabelHidden: true },
    ...delays,
    { name: 'take_effect', label: 'execute, then lose the response', isChecked: rule.take_effect === true },
  ];
};

type Line = { readonly legend: string; readonly fields: readonly Field[] };

const conditions = (rule: FaultRule): Line => ({
  legend: 'Only',
  fields: [
    {
      name: 'method',
      label: 'method',
      value: rule.method?.toUpperCase() ?? '',
      choices: choicesOf(methods, 'any'),
    },
    { name: 'path', label: 'path', value: rule.path, placeholder: '/api/v1/leads/{id}' },
    { name: 'to', label: 'mail to', value: rule.to, placeholder: '*@example.com' },
    {
      name: 'when',
      label: 'with the fields',
      value: jsonText(rule.when),
      placeholder: '{"name":"Slow Joe"}',
    },
    { name: 'nth', label: 'the nth call, n =', value: rule.nth, range: counts, placeholder: 'any' },
  ],
});

const response = (rule: FaultRule): Line => ({
  legend: 'Response',
  fields: [
    {
      name: 'retry_after',
      label: 'Retry-After',
      value: rule.retry_after,
      placeholder: 'none; seconds or a date',
    },
    {
      name: 'body',
      label: 'body',
      value: bodyText(rule.body),
      lines: 1,
      placeholder: 'an error response of the service; or JSON, or text',
    },
  ],
});

const FieldLine = ({ legend, fields }: Line) => (
  <fieldset class="line fields">
    <legend>{legend}</legend>
    <Fields fields={fields} />
  </fieldset>
);

const Fields = ({ fields }: { readonly fields: readonly Field[] }) => (
  <>
    {fields.map((field) => (
      <LabelledField key={`${field.name} ${field.isRequired}`} {...field} />
    ))}
  </>
);

type FormProps = {
  /** The rule to change; empty for a new rule. */
  readonly rule: FaultRule;
  readonly isNew: boolean;
  readonly save: (rule: FaultRule) => void;
  readonly cancel: () => void;
};

/** A form that begins as a sentence: "The next N calls to … return the status …". */
export const FaultForm = ({ rule, isNew, save, cancel }: FormProps) => {
  const [outcome, setOutcome] = useState<Outcome>(outcomeOf(rule));
  const element = useRef<HTMLFormElement>(null);
  // The rule may be far below the form.
  useEffect(() => {
    if (!isNew) element.current?.querySelector('input')?.focus();
  }, [isNew]);
  const sentence: readonly Field[] = [
    { name: 'times', label: 'The next', value: isNew ? 1 : rule.times, range: counts, placeholder: 'all' },
    {
      name: 'operation',
      label: 'calls to',
      value: rule.operation ?? '',
      choices: choicesOf(operationsFor(rule), 'any operation'),
    },
    {
      name: 'outcome',
      label: 'Effect of the rule',
      isLabelHidden: true,
      value: outcome,
      choices: outcomes,
      onChange: (name) => setOutcome(name as Outcome),
    },
    ...outcomeFields(rule, outcome),
  ];
  return (
    <form
      class="fault-form"
      ref={element}
      onSubmit={(event) => {
        event.preventDefault();
        save(ruleFromFields(readValues(event.currentTarget)));
      }}
      onInput={({ currentTarget }) => markProblems(currentTarget)}
      aria-label={isNew ? 'Add a fault rule' : 'Change the fault rule'}
    >
      <div class="line fields">
        <Fields fields={sentence} />
      </div>
      <FieldLine {...conditions(rule)} />
      {outcome === 'status' && <FieldLine {...response(rule)} />}
      <div class="line">
        <Button type="submit" icon="bolt" text={isNew ? 'Add rule' : 'Save rule'} kind="primary" />
        {!isNew && <Button text="Cancel" onClick={cancel} />}
      </div>
    </form>
  );
};

/** Marks invalid fields, so that the browser shows the problems and does not submit the form. */
const markProblems = (form: HTMLFormElement): void => {
  for (const [name, problem] of Object.entries(fieldProblems(readValues(form))))
    (form.elements.namedItem(name) as HTMLInputElement | null)?.setCustomValidity(problem);
};
