import { useEffect, useRef, useState } from 'preact/hooks';
import { operationIds } from '../../generated/operations.ts';
import type { FaultRule, FaultState } from '../../nouns/faults.ts';
import { Icon } from '../components/controls.tsx';
import { useNotify } from '../components/dialogs.tsx';
import { Empty, Unavailable, ViewHead } from '../components/list-view.tsx';
import { describeRule, type FaultFields, fieldProblems, ruleFromFields } from '../data/fault-rule.ts';
import type { Place } from '../data/router.ts';
import { useLoaded, useWorkspace } from '../data/workspace.ts';
import {
  Conditions,
  DelayFields,
  NumberField,
  type Outcome,
  OutcomeField,
  outcomes,
  ResponseFields,
} from './fault-fields.tsx';

/** The failures that a front end must survive. Each becomes the first rule, for all requests. */
const presets: Readonly<Record<string, FaultRule>> = {
  'Slow network': { delay_ms: { min: 1000, max: 4000 } },
  '429 too many requests': { status: 429, retry_after: 5 },
  '503 unavailable': { status: 503, retry_after: 5 },
  'Lost response': { fault: 'EMPTY_RESPONSE', take_effect: true },
  'Expired key': { status: 401 },
};

type Faults = { readonly rules: readonly FaultState[] };

/** The rule with its remaining uses, because replacing rules resets their counters. */
const remainingRules = ({ seen, matched: _matched, left, ...rule }: FaultState): readonly FaultRule[] => {
  const nth = rule.nth === undefined ? undefined : rule.nth - seen;
  if (left === 0 || (nth !== undefined && nth < 1)) return [];
  return [{ ...rule, ...(nth === undefined ? {} : { nth }), ...(left === null ? {} : { times: left }) }];
};

/** The fault rules: add and delete them, and see how often they matched. */
export const Faults = (_props: { readonly place: Place }) => {
  const { api, live } = useWorkspace();
  const { attempt, showNotice } = useNotify();
  const { data, error } = useLoaded<Faults>('/faults', ['faults', 'requests']);
  const [edited, setEdited] = useState<number>();
  const [replacements, setReplacements] = useState(0);
  const rules = data?.rules ?? [];
  const replaceRules = async (newRules: readonly FaultRule[], done: string): Promise<void> => {
    if (!(await attempt(() => api.send('PUT', '/faults', { rules: newRules })))) return;
    showNotice(done);
    live.notify('faults');
    // The positions of the rules have changed, so the form is reset.
    setEdited(undefined);
    setReplacements((count) => count + 1);
  };
  return (
    <section class="view" aria-label="Faults">
      <ViewHead title="Faults" count={data ? rules.length : undefined}>
        <div class="spacer" />
        <button
          type="button"
          class="button danger"
          disabled={rules.length === 0}
          onClick={() => replaceRules([], 'All fault rules deleted')}
        >
          <Icon name="close" />
          <span>Delete all</span>
        </button>
      </ViewHead>
      <div class="form-line presets">
        <span>All requests from now on:</span>
        {Object.entries(presets).map(([name, rule]) => (
          <button
            key={name}
            type="button"
            class="button small"
            onClick={() =>
              replaceRules([rule, ...rules.flatMap(remainingRules)], `Fault rule added: ${name}`)
            }
          >
            {name}
          </button>
        ))}
      </div>
      <FaultForm
        key={edited ?? `new ${replacements}`}
        rule={(edited === undefined ? undefined : rules[edited]) ?? {}}
        isNew={edited === undefined}
        save={async (rule) => {
          const kept = rules.flatMap((other, at) => (at === edited ? [rule] : remainingRules(other)));
          await replaceRules(
            edited === undefined ? [...kept, rule] : kept,
            `Fault rule ${edited === undefined ? 'added' : 'changed'}. It applies from the next request on`,
          );
        }}
        cancel={() => setEdited(undefined)}
      />
      {!data && <Unavailable error={error} />}
      {data && rules.length === 0 && (
        <Empty icon="bolt" title="No fault rules">
          <p>Requests of this workspace are handled normally.</p>
        </Empty>
      )}
      <ul class="cards">
        {rules.map((rule, at) => (
          <li
            key={`${at} ${JSON.stringify(describeRule(rule))}`}
            class={rule.left === 0 ? 'card spent' : 'card'}
          >
            <span class="tag">{at + 1}</span>
            <RuleText rule={rule} />
            <button
              type="button"
              class="button small"
              aria-label={`Change rule ${at + 1}`}
              aria-pressed={edited === at}
              onClick={() => setEdited(edited === at ? undefined : at)}
            >
              Change
            </button>
            <button
              type="button"
              class="icon-button small"
              title="Delete rule"
              aria-label={`Delete rule ${at + 1}`}
              onClick={() =>
                replaceRules(
                  rules.filter((_, index) => index !== at).flatMap(remainingRules),
                  'Fault rule deleted',
                )
              }
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
};

const RuleText = ({ rule }: { readonly rule: FaultState }) => {
  const [calls, outcome] = describeRule(rule);
  return (
    <div class="card-text">
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

const titles: Readonly<Record<Outcome, string>> = {
  status: 'return the status',
  delay: 'delay the response',
  fault: 'break the connection',
};

/** The operations of the document, and the one of the rule, which only some answers may have. */
const operationsFor = ({ operation }: FaultRule): readonly string[] => [
  ...new Set([...operationIds, ...(operation === undefined ? [] : [operation])]),
];

type FormProps = {
  /** The rule to change; empty for a new rule. */
  readonly rule: FaultRule;
  readonly isNew: boolean;
  readonly save: (rule: FaultRule) => Promise<void>;
  readonly cancel: () => void;
};

/** A form that begins as a sentence: "The next N calls to … return the status …". */
const FaultForm = ({ rule, isNew, save, cancel }: FormProps) => {
  const [outcome, setOutcome] = useState<Outcome>(outcomeOf(rule));
  const element = useRef<HTMLFormElement>(null);
  // The rule may be far below the form.
  useEffect(() => {
    if (!isNew) element.current?.querySelector('input')?.focus();
  }, [isNew]);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const fields = readFields(event.currentTarget as HTMLFormElement);
    void save(ruleFromFields(fields));
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
            {operationsFor(rule).map((name) => (
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
            <span>execute, then lose the response</span>
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

/** Marks invalid fields, so that the browser shows the problems and does not submit the form. */
const markProblems = (form: HTMLFormElement): void => {
  for (const [name, problem] of Object.entries(fieldProblems(readFields(form))))
    (form.elements.namedItem(name) as HTMLInputElement | null)?.setCustomValidity(problem);
};

const outcomeOf = ({ status, fault, delay_ms }: FaultRule): Outcome => {
  if (fault !== undefined) return 'fault';
  return status === undefined && delay_ms !== undefined ? 'delay' : 'status';
};
