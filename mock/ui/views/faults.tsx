import { useRef } from 'preact/hooks';
import type { FaultRule, FaultState } from '../../faults/rule.ts';
import { Button } from '../components/controls.tsx';
import { useChange } from '../components/dialogs.tsx';
import type { Question, Values } from '../components/form.tsx';
import { Empty, Page, Unavailable } from '../components/view.tsx';
import { countText } from '../data/text.ts';
import { useLoaded } from '../data/workspace.ts';
import { describeRule, faultFields, fieldsFromRule, ruleFromFields } from './fault-rule.ts';

/** The failures that a front end must survive. Each becomes the first rule, for all requests. */
const presets: Readonly<Record<string, FaultRule>> = {
  'Slow network': { delay_ms: { min: 1000, max: 4000 } },
  '429 too many requests': { status: 429, retry_after: 5 },
  '503 unavailable': { status: 503, retry_after: 5 },
  'Lost response': { fault: 'EMPTY_RESPONSE', take_effect: true },
  'Expired key': { status: 401 },
};

/** Where a new rule begins. */
const usualRule: FaultRule = { times: 1, status: 503 };

type NewRules = (rules: readonly FaultState[], values: Values) => readonly FaultRule[];

/** The rule with its remaining uses, because replacing rules resets their counters. */
const remainingRules = ({ seen, matched: _matched, left, ...rule }: FaultState): readonly FaultRule[] => {
  const nth = rule.nth === undefined ? undefined : rule.nth - seen;
  if (left === 0 || (nth !== undefined && nth < 1)) return [];
  return [{ ...rule, ...(nth === undefined ? {} : { nth }), ...(left === null ? {} : { times: left }) }];
};

/** The fault rules: add and delete them, and see how often they matched. */
export const Faults = () => {
  const change = useChange();
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
      question,
      method: 'PUT',
      view: 'faults',
      body: (values) => ({ rules: newRules(latest.current, values) }),
      done,
    });
  const askFor = (rule: FaultRule, title: string, action: string, done: string, newRules: NewRules): void =>
    replace(`Fault rule ${done}. It applies from the next request on`, newRules, {
      title,
      action,
      fields: faultFields,
      values: fieldsFromRule(rule),
    });
  const add = (): void =>
    askFor(usualRule, 'Add a fault rule', 'Add rule', 'added', (all, values) => [
      ...all.flatMap(remainingRules),
      ruleFromFields(values),
    ]);
  const edit = (edited: number, rule: FaultRule): void =>
    askFor(rule, 'Change the fault rule', 'Save rule', 'changed', (all, values) =>
      all.flatMap((other, at) => (at === edited ? [ruleFromFields(values)] : remainingRules(other))),
    );
  const remove = (removed: number): void =>
    replace('Fault rule deleted', (all) => all.filter((_, at) => at !== removed).flatMap(remainingRules));
  return (
    <Page
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
            <li
              key={`${at} ${JSON.stringify(describeRule(rule))}`}
              class={rule.left === 0 ? 'card box line spent' : 'card box line'}
            >
              <span class="chip">{at + 1}</span>
              <RuleText rule={rule} />
              <Button
                text="Change"
                aria-label={`Change rule ${at + 1}`}
                kind="small"
                onClick={() => edit(at, rule)}
              />
              <Button
                icon="close"
                title="Delete rule"
                aria-label={`Delete rule ${at + 1}`}
                kind="small"
                onClick={() => remove(at)}
              />
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
};

const RuleText = ({ rule }: { readonly rule: FaultState }) => {
  const [calls, outcome] = describeRule(rule);
  return (
    <div>
      <p>
        {calls} <b>{outcome}</b>
      </p>
      <span class="meta">
        {usedText(rule)}
        {rule.left === 0 ? ' · used up' : ''}
      </span>
    </div>
  );
};

const usedText = ({ matched, times }: FaultState): string => {
  if (times !== undefined) return `matched ${matched} of ${times}`;
  return `matched ${countText(matched, 'request')}, no limit`;
};
