import type { ConnectionFault, FaultRule } from '../../nouns/faults.ts';
import { bodyText, delayRange, jsonText } from '../data/fault-rule.ts';

export const outcomes = ['status', 'delay', 'fault'] as const;
export type Outcome = (typeof outcomes)[number];

const connectionFaults: Readonly<Record<ConnectionFault, true>> = {
  CONNECTION_RESET_BY_PEER: true,
  EMPTY_RESPONSE: true,
  MALFORMED_RESPONSE_CHUNK: true,
  RANDOM_DATA_THEN_CLOSE: true,
};

type NumberProps = {
  readonly name: string;
  readonly label: string;
  readonly min: number;
  readonly max?: number;
  readonly value: number | undefined;
  readonly placeholder?: string;
  readonly unit?: string;
  readonly isRequired?: boolean;
  readonly isLabelHidden?: boolean;
};

const maxCount = 1_000_000;

export const NumberField = ({ name, label, min, max = maxCount, value, ...more }: NumberProps) => (
  <label>
    <span class={more.isLabelHidden ? 'visually-hidden' : ''}>{label}</span>
    <input
      key={name}
      name={name}
      type="number"
      inputMode="numeric"
      min={min}
      max={max}
      step={1}
      defaultValue={value}
      placeholder={more.placeholder ?? ''}
      required={more.isRequired ?? false}
    />
    {more.unit && <span> {more.unit}</span>}
  </label>
);

type TextProps = {
  readonly name: string;
  readonly label: string;
  readonly value: string | number;
  readonly placeholder: string;
};

const TextField = ({ name, label, value, placeholder }: TextProps) => (
  <label>
    <span>{label}</span>
    <input
      name={name}
      class="wide"
      placeholder={placeholder}
      defaultValue={value}
      autocomplete="off"
      spellcheck={false}
    />
  </label>
);

type OutcomeProps = { readonly outcome: Outcome; readonly rule: FaultRule };

export const OutcomeField = ({ outcome, rule }: OutcomeProps) => {
  if (outcome === 'delay') return null;
  if (outcome === 'status')
    return (
      <NumberField
        name="status"
        label="Status"
        isLabelHidden
        isRequired
        min={200}
        max={599}
        value={rule.status ?? 503}
      />
    );
  return (
    <label>
      <span class="visually-hidden">Connection fault</span>
      <select name="fault" value={rule.fault}>
        {Object.keys(connectionFaults).map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
};

const maxDelayMs = 60_000;

export const DelayFields = ({
  rule,
  isRequired,
}: {
  readonly rule: FaultRule;
  readonly isRequired: boolean;
}) => {
  const [least, most] = delayRange(rule);
  return (
    <>
      <NumberField
        key={`delay ${isRequired}`}
        name="delay_ms"
        label={isRequired ? 'from' : 'delay from'}
        placeholder="0"
        isRequired={isRequired}
        min={0}
        max={maxDelayMs}
        value={least ?? (isRequired ? 2000 : undefined)}
      />
      <NumberField
        name="delay_max"
        label="to"
        placeholder="same"
        unit="ms"
        min={0}
        max={maxDelayMs}
        value={most}
      />
    </>
  );
};

// The methods of the operations; GET implies HEAD.
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] as const;

export const Conditions = ({ rule }: { readonly rule: FaultRule }) => (
  <fieldset class="form-line">
    <legend>Only</legend>
    <label>
      <span>method</span>
      <select name="method" value={rule.method?.toUpperCase() ?? ''}>
        <option value="">any</option>
        {methods.map((method) => (
          <option key={method}>{method}</option>
        ))}
      </select>
    </label>
    <TextField name="path" label="path" placeholder="/api/v1/leads/{id}" value={rule.path ?? ''} />
    <TextField name="to" label="mail to" placeholder="*@example.com" value={rule.to ?? ''} />
    <TextField
      name="when"
      label="with the fields"
      placeholder='{"name":"Slow Joe"}'
      value={jsonText(rule.when)}
    />
    <NumberField name="nth" label="the nth call, n =" min={1} placeholder="any" value={rule.nth} />
  </fieldset>
);

export const ResponseFields = ({ rule }: { readonly rule: FaultRule }) => (
  <fieldset class="form-line">
    <legend>Response</legend>
    <TextField
      name="retry_after"
      label="Retry-After"
      placeholder="none; seconds or a date"
      value={rule.retry_after ?? ''}
    />
    <label class="body">
      <span>body</span>
      <textarea
        name="body"
        rows={1}
        placeholder="an error response of the service; or JSON, or text"
        defaultValue={bodyText(rule.body)}
      />
    </label>
  </fieldset>
);
