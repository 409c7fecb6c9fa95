import { useState } from 'preact/hooks';
import type { FaultRule, FaultState } from '../../nouns/fault-rules.ts';
import { Button } from '../components/controls.tsx';
import { useChange } from '../components/dialogs.tsx';
import { Empty, Unavailable, View } from '../components/view.tsx';
import { describeRule } from '../data/fault-rule.ts';
import { useLoaded } from '../data/workspace.ts';
import { FaultForm } from './fault-form.tsx';

/** The failures that a front end must survive. Each becomes the first rule, for all requests. */
const presets: Readonly<Record<string, FaultRule>> = {
  'Slow network': { delay_ms: { min: 1000, max: 4000 } },
  '429 too many requests': { status: 429, retry_after: 5 },
  '503 unavailable': { status: 503, retry_after: 5 },
  'Lost response': { fault: 'EMPTY_RESPONSE', take_effect: true },
  'Expired key': { status: 401 },
};

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
  const [edited, setEdited] = useState<number>();
  const [replacements, setReplacements] = useState(0);
  const rules = data?.rules ?? [];
  const replaceRules = (newRules: readonly FaultRule[], done: string): void =>
    change({
      method: 'PUT',
      path: '/faults',
      body: { rules: newRules },
      event: 'faults',
      done,
      // The positions of the rules have changed, so the form is reset.
      after: () => {
        setEdited(undefined);
        setReplacements((count) => count + 1);
      },
    });
  const save = (rule: FaultRule): void => {
    const kept = rules.flatMap((other, at) => (at === edited ? [rule] : remainingRules(other)));
    const isNew = edited === undefined;
    replaceRules(
      isNew ? [...kept, rule] : kept,
      `Fault rule ${isNew ? 'added' : 'changed'}. It applies from the next request on`,
    );
  };
  const remove = (at: number): void =>
    replaceRules(rules.filter((_, index) => index !== at).flatMap(remainingRules), 'Fault rule deleted');
  return (
    <View
      title="Faults"
      count={data && rules.length}
      tools={
        <Button
          icon="close"
          text="Delete all"
          title="Delete all rules"
          aria-label="Delete all"
          kind="danger"
          disabled={rules.length === 0}
          onClick={() => replaceRules([], 'All fault rules deleted')}
        />
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
              replaceRules([rule, ...rules.flatMap(remainingRules)], `Fault rule added: ${name}`)
            }
          />
        ))}
      </div>
      <FaultForm
        key={edited ?? `new ${replacements}`}
        rule={(edited === undefined ? undefined : rules[edited]) ?? {}}
        isNew={edited === undefined}
        save={save}
        cancel={() => setEdited(undefined)}
      />
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
                aria-pressed={edited === at}
                kind="small"
                onClick={() => setEdited(edited === at ? undefined : at)}
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
    </View>
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
  return `matched ${matched} ${matched === 1 ? 'request' : 'requests'}, no limit`;
};
