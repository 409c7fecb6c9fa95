import { useRef } from 'preact/hooks';
import { parseJson } from '../../contract/document.ts';
import type { FaultRule, FaultState } from '../../faults/faults.ts';
import { Button } from '../components/controls.tsx';
import { change } from '../components/dialogs.tsx';
import { Empty, Unavailable } from '../components/empty.tsx';
import type { Question, Values } from '../components/form.tsx';
import { Pane } from '../components/pane.tsx';
import { useLoaded } from '../data/live.ts';

/** The failures that a front end must survive. Each becomes the first rule, for all requests. */
const presets: Readonly<Record<string, FaultRule>> = {
  'Slow network': { delay_ms: { min: 1000, max: 4000 } },
  '429 too many requests': { status: 429, retry_after: 5 },
  '503 unavailable': { status: 503, retry_after: 5 },
  'Lost response': { fault: 'EMPTY_RESPONSE', take_effect: true },
  'Expired key': { status: 401 },
};

/** The field has the name by which an error of the admin API finds it. */
const newRule: Question = {
  title: 'Add a fault rule',
  text: 'Which requests: operation, method, path, to, when, nth, times. What happens: status, body and retry_after; or fault; also delay_ms and take_effect.',
  action: 'Add rule',
  fields: [{ name: 'rules', label: 'The rule as JSON', lines: 5, isRequired: true }],
  values: { rules: '{ "operation": "addLead", "status": 503, "times": 1 }' },
};

type NewRules = (rules: readonly FaultState[], values: Values) => readonly unknown[];

/** The rule with its remaining uses, because replacing rules resets their counters. */
const remainingRules = ({ seen, matched: _matched, left, ...rule }: FaultState): readonly FaultRule[] => {
  const nth = rule.nth === undefined ? undefined : rule.nth - seen;
  if (left === 0 || (nth !== undefined && nth < 1)) return [];
  return [{ ...rule, ...(nth === undefined ? {} : { nth }), ...(left === null ? {} : { times: left }) }];
};

/** The fault rules: add and delete them, and see how often they matched. */
export const Faults = () => {
  const { data, error } = useLoaded<{ readonly rules: readonly FaultState[] }>('/faults', [
    'faults',
    'requests',
  ]);
  const rules = data?.rules ?? [];
  // The rules count requests also while a dialog is open.
  const latest = useRef(rules);
  latest.current = rules;
  const replace = (done: string, newRules: NewRules, question?: Question): void =>
    change({
      method: 'PUT',
      view: 'faults',
      body: (values) => ({ rules: newRules(latest.current, values) }),
      done,
      ...(question && { question }),
    });
  const add = (): void =>
    replace(
      'Fault rule added. It applies from the next request on',
      // The mock says what is wrong with a text that is not JSON.
      (all, { rules = '' }) => [...all.flatMap(remainingRules), parseJson(rules) ?? rules],
      newRule,
    );
  const remove = (removed: number): void =>
    replace('Fault rule deleted', (all) => all.filter((_, at) => at !== removed).flatMap(remainingRules));
  return (
    <Pane
      view="faults"
      count={data && rules.length}
      tools={
        <>
          <Button icon="bolt" text="Add rule" onClick={add} />
          <Button
            icon="trash"
            text="Delete all"
            kind="danger"
            disabled={rules.length === 0}
            onClick={() => replace('All fault rules deleted', () => [])}
          />
        </>
      }
    >
      <div class="line presets">
        <span>All requests from now on:</span>
        {Object.entries(presets).map(([name, rule]) => (
          <Button
            key={name}
            text={name}
            kind="small"
            onClick={() =>
              replace(`Fault rule added: ${name}`, (all) => [rule, ...all.flatMap(remainingRules)])
            }
          />
        ))}
      </div>
      {!data && <Unavailable error={error} />}
      {data && rules.length === 0 && (
        <Empty icon="bolt" title="No fault rules">
          <p>Requests of this workspace are handled normally.</p>
        </Empty>
      )}
      {rules.length > 0 && (
        <ul class="cards">
          {rules.map((rule, at) => (
            <RuleCard key={`${at} ${textOf(rule)}`} rule={rule} number={at + 1} remove={() => remove(at)} />
          ))}
        </ul>
      )}
    </Pane>
  );
};

type CardProps = { readonly rule: FaultState; readonly number: number; readonly remove: () => void };

/** The rule as a test writes it, without its counters. */
const textOf = ({ seen: _seen, matched: _matched, left: _left, ...rule }: FaultState): string =>
  JSON.stringify(rule);

const RuleCard = ({ rule, number, remove }: CardProps) => {
  const { matched, times, left } = rule;
  return (
    <li class={left === 0 ? 'card box line spent' : 'card box line'}>
      <span class="chip">{number}</span>
      <div>
        <code>{textOf(rule)}</code>
        <p class="meta">
          matched {matched} of {times ?? 'any number'}
          {left === 0 && ' · used up'}
        </p>
      </div>
      <Button
        icon="close"
        title="Delete rule"
        aria-label={`Delete rule ${number}`}
        kind="small"
        onClick={remove}
      />
    </li>
  );
};
