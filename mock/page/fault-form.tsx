import { useState } from 'preact/hooks';
import type { Rule } from './faults.tsx';
import { Icon } from './icons.tsx';
import { operations } from './requests/entry.ts';

const outcomes = ['status', 'delay', 'fault'] as const;
type Outcome = (typeof outcomes)[number];

const titles: Readonly<Record<Outcome, string>> = {
  status: 'answer with the status',
  delay: 'wait before the answer',
  fault: 'break the connection',
};

const faults = [
  'CONNECTION_RESET_BY_PEER',
  'EMPTY_RESPONSE',
  'MALFORMED_RESPONSE_CHUNK',
  'RANDOM_DATA_THEN_CLOSE',
] as const;

/** One sentence to fill in: the next N calls to … do …. */
export const FaultForm = ({ arm }: { readonly arm: (rule: Rule) => Promise<void> }) => {
  const [outcome, setOutcome] = useState<Outcome>('status');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void arm(ruleOf(new FormData(event.currentTarget as HTMLFormElement)));
  };
  return (
    <form class="sentence" onSubmit={submit} aria-label="Arm a fault">
      <label>
        <span>The next</span>
        <input name="times" type="number" min="1" max="1000000" placeholder="all" value="1" />
      </label>
      <label>
        <span>calls to</span>
        <select name="operation">
          <option value="">every operation</option>
          {operations.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label>
        <span class="visually-hidden">What happens</span>
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
      <OutcomeField outcome={outcome} />
      {outcome === 'delay' ? null : (
        <label>
          <input name="take_effect" type="checkbox" />
          <span>after it took effect</span>
        </label>
      )}
      <label>
        <span>only mail to</span>
        <input name="to" placeholder="anybody" autocomplete="off" class="wide" />
      </label>
      <button type="submit" class="button primary">
        <Icon name="bolt" />
        <span>Arm</span>
      </button>
    </form>
  );
};

const OutcomeField = ({ outcome }: { readonly outcome: Outcome }) => {
  if (outcome === 'fault')
    return (
      <label>
        <span class="visually-hidden">Kind of break</span>
        <select name="fault">
          {faults.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
    );
  if (outcome === 'delay')
    return (
      <label>
        <span class="visually-hidden">Milliseconds</span>
        <input key="delay" name="delay_ms" type="number" min="1" max="600000" value="2000" required />
        <span>ms</span>
      </label>
    );
  return (
    <label>
      <span class="visually-hidden">Status</span>
      <input key="status" name="status" type="number" min="200" max="599" value="503" required />
    </label>
  );
};

const ruleOf = (form: FormData): Rule => {
  const number = (name: string): number | undefined => Number(form.get(name) || 0) || undefined;
  const text = (name: string): string | undefined => String(form.get(name) ?? '').trim() || undefined;
  const given = {
    operation: text('operation'),
    to: text('to'),
    times: number('times'),
    status: number('status'),
    delay_ms: number('delay_ms'),
    fault: text('fault'),
    take_effect: form.has('take_effect') || undefined,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
};
