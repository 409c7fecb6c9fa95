import { operationIds } from '../../../generated/operations.ts';
import { Icon } from '../../components/controls.tsx';
import { useConfirm, useNotify } from '../../components/dialogs.tsx';
import { hrefOf, isProxy, navigate, type Place } from '../../data/router.ts';
import { useWorkspace } from '../../data/workspace.ts';
import { verdicts } from './detail.tsx';

/** Deletes all requests, including those that the filters hide. */
export const ClearButton = ({ isEmpty }: { readonly isEmpty: boolean }) => {
  const { api, live } = useWorkspace();
  const { attempt, showNotice } = useNotify();
  const confirm = useConfirm();
  const clear = async (): Promise<void> => {
    const text = isProxy
      ? 'All requests on this page are deleted, also those outside the current filter. The report keeps counting them.'
      : `All requests of ${api.key} are deleted, also those outside the current filter. Messages and leads stay.`;
    if (!(await confirm({ title: 'Clear all requests?', text, action: 'Clear all' }))) return;
    if (!(await attempt(() => api.send('DELETE', '/requests', { all: true })))) return;
    live.notify('requests');
    showNotice('All requests cleared');
    navigate(hrefOf('requests'), 'replace');
  };
  return (
    <button
      type="button"
      class="button danger delete-all"
      title="Clear all requests"
      aria-label="Clear all requests"
      disabled={isEmpty}
      onClick={clear}
    >
      <Icon name="trash" />
      <span>Clear all</span>
    </button>
  );
};

const statuses: readonly (readonly [string, string])[] = [
  ['2xx', 'Success'],
  ['4xx', 'Client error, 4xx'],
  ['5xx', 'Server error, 5xx'],
  ['0', 'Connection broken'],
];

type ChoiceProps = {
  readonly label: string;
  /** The label of the choice without a filter. */
  readonly all: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, title: string])[];
  readonly choose: (value: string) => void;
};

const Choice = ({ label, all, value, options, choose }: ChoiceProps) => (
  <select
    class="select"
    aria-label={label}
    value={value}
    onChange={({ currentTarget }) => choose(currentTarget.value)}
  >
    <option value="">{all}</option>
    {options.map(([option, title]) => (
      <option key={option} value={option}>
        {title}
      </option>
    ))}
  </select>
);

/** The filters of the list, in addition to the search. */
export const Filters = ({ place }: { readonly place: Place }) => {
  const { operation = '', status = '', unmatched = '', verdict = '' } = place.query;
  const set = (change: Record<string, string>): void => {
    const { start: _start, unclaimed: _unclaimed, ...rest } = place.query;
    navigate(hrefOf('requests', undefined, { ...rest, ...change }), 'replace');
  };
  return (
    <>
      <Choice
        label="Operation"
        all="All operations"
        value={operation}
        options={operationIds.map((name) => [name, name])}
        choose={(value) => set({ operation: value })}
      />
      <Choice
        label="Status"
        all="All statuses"
        value={status}
        options={statuses}
        choose={(value) => set({ status: value })}
      />
      {isProxy ? (
        <Choice
          label="Verdict"
          all="All verdicts"
          value={verdict}
          options={Object.entries(verdicts)}
          choose={(value) => set({ verdict: value })}
        />
      ) : (
        <label
          class="check"
          title="No such path or method, or no accepted key; with or without the key of this workspace"
        >
          <input
            type="checkbox"
            checked={unmatched !== ''}
            onChange={({ currentTarget }) => set({ unmatched: currentTarget.checked ? 'true' : '' })}
          />
          Unmatched
        </label>
      )}
      {(operation || status || unmatched || verdict) && (
        <button
          type="button"
          class="icon-button small"
          title="Clear the filters"
          aria-label="Clear the filters"
          onClick={() => set({ operation: '', status: '', unmatched: '', verdict: '' })}
        >
          <Icon name="close" />
        </button>
      )}
    </>
  );
};
