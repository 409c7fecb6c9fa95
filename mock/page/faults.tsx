import { FaultForm } from './fault-form.tsx';
import { Icon } from './icons.tsx';
import type { Place } from './location.ts';
import { useNotify } from './notice.tsx';
import { Empty, ViewHead } from './parts.tsx';
import { useLoaded, useWorkspace } from './workspace.ts';

export type Rule = {
  readonly operation?: string;
  readonly method?: string;
  readonly path?: string;
  readonly to?: string;
  readonly nth?: number;
  readonly status?: number;
  readonly fault?: string;
  readonly take_effect?: boolean;
  readonly delay_ms?: number | { readonly min: number; readonly max: number };
  readonly retry_after?: number | string;
  readonly times?: number;
};

type Armed = Rule & { readonly seen: number; readonly matched: number; readonly left: number | null };
type Faults = { readonly rules: readonly Armed[] };

/** What of a rule is still to come: rules that are put start counting anew. */
const remaining = ({ seen, matched: _matched, left, ...rule }: Armed): readonly Rule[] => {
  const nth = rule.nth === undefined ? undefined : rule.nth - seen;
  if (left === 0 || (nth !== undefined && nth < 1)) return [];
  return [{ ...rule, ...(nth === undefined ? {} : { nth }), ...(left === null ? {} : { times: left }) }];
};

/** What goes wrong on purpose: arm it, see what is armed and what it took. */
export const Faults = (_props: { readonly place: Place }) => {
  const { api, live } = useWorkspace();
  const { attempt, say } = useNotify();
  const { data } = useLoaded<Faults>('/faults', ['faults', 'requests']);
  const rules = data?.rules ?? [];
  const put = async (wanted: readonly Rule[], done: string): Promise<void> => {
    if (!(await attempt(() => api.send('PUT', '/faults', { rules: wanted })))) return;
    say(done);
    live.tell('faults');
  };
  return (
    <section class="view" aria-label="Faults">
      <ViewHead title="Faults" count={data ? rules.length : undefined}>
        <div class="spacer" />
        <button
          type="button"
          class="button danger"
          disabled={rules.length === 0}
          onClick={() => put([], 'Nothing goes wrong on purpose any more')}
        >
          <Icon name="close" />
          <span>Disarm all</span>
        </button>
      </ViewHead>
      <FaultForm
        arm={(rule) => put([...rules.flatMap(remaining), rule], 'Armed: it holds from the next call on')}
      />
      {data && rules.length === 0 && (
        <Empty icon="bolt" title="Nothing armed">
          <p>Calls of this workspace are answered as usual.</p>
        </Empty>
      )}
      <ul class="cards">
        {rules.map((rule, at) => (
          <li
            key={`${at} ${JSON.stringify(described(rule))}`}
            class={rule.left === 0 ? 'card spent' : 'card'}
          >
            <span class="tag">{at + 1}</span>
            <RuleText rule={rule} />
            <button
              type="button"
              class="icon-button small"
              title="Disarm"
              aria-label={`Disarm rule ${at + 1}`}
              onClick={() => put(rules.filter((_, other) => other !== at).flatMap(remaining), 'Disarmed')}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
};

const RuleText = ({ rule }: { readonly rule: Armed }) => {
  const [calls, outcome] = described(rule);
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

const usedText = ({ matched, times }: Armed): string => {
  if (times !== undefined) return `took ${matched} of ${times}`;
  return `took ${matched} ${matched === 1 ? 'call' : 'calls'}, until it is disarmed`;
};

const described = (rule: Rule): readonly [string, string] => {
  const which = [
    rule.nth === undefined ? 'Calls' : `Call number ${rule.nth}`,
    rule.operation ? `of ${rule.operation}` : '',
    rule.method ? `with ${rule.method}` : '',
    rule.path ? `at ${rule.path}` : '',
    rule.to ? `to ${rule.to}` : '',
  ];
  const one = rule.nth !== undefined;
  const outcome = [
    delayText(rule.delay_ms, one),
    rule.status === undefined ? '' : `${one ? 'answers' : 'answer'} ${rule.status}`,
    rule.fault === undefined ? '' : `${one ? 'breaks' : 'break'} with ${rule.fault}`,
    rule.retry_after === undefined ? '' : `Retry-After ${rule.retry_after}`,
    rule.take_effect ? 'after taking effect' : '',
  ];
  return [which.filter(Boolean).join(' '), outcome.filter(Boolean).join(', ')];
};

const delayText = (delay: Rule['delay_ms'], one: boolean): string => {
  if (delay === undefined) return '';
  const time = typeof delay === 'object' ? `${delay.min}–${delay.max}` : delay;
  return `${one ? 'waits' : 'wait'} ${time} ms`;
};
