import { operationIds } from '../../../generated/operations.ts';
import { Button, Choice } from '../../components/controls.tsx';
import { hrefOf, isProxy, navigate, type Place } from '../../data/router.ts';
import { verdicts } from './verdict.tsx';

type Options = readonly (readonly [value: string, title: string])[];

const operations: Options = [['', 'All operations'], ...operationIds.map((name) => [name, name] as const)];

const statuses: Options = [
  ['', 'All statuses'],
  ['2xx', 'Success'],
  ['4xx', 'Client error, 4xx'],
  ['5xx', 'Server error, 5xx'],
  ['0', 'Connection broken'],
];

const verdictOptions: Options = [['', 'All verdicts'], ...Object.entries(verdicts)];

/** The filters of the list, in addition to the search. */
export const Filters = ({ place }: { readonly place: Place }) => {
  const { operation, status, unmatched, verdict } = place.query;
  const set = (change: Place['query']): void => {
    const { start: _start, unclaimed: _unclaimed, ...rest } = place.query;
    navigate(hrefOf('requests', undefined, { ...rest, ...change }), 'replace');
  };
  return (
    <>
      <Choice
        label="Operation"
        value={operation}
        options={operations}
        choose={(value) => set({ operation: value })}
      />
      <Choice label="Status" value={status} options={statuses} choose={(value) => set({ status: value })} />
      {isProxy ? (
        <Choice
          label="Verdict"
          value={verdict}
          options={verdictOptions}
          choose={(value) => set({ verdict: value })}
        />
      ) : (
        <label
          class="line"
          title="No such path or method, or no accepted key; with or without the key of this workspace"
        >
          <input
            type="checkbox"
            checked={Boolean(unmatched)}
            onChange={({ currentTarget }) => set({ unmatched: currentTarget.checked ? 'true' : '' })}
          />
          Unmatched
        </label>
      )}
      {(operation || status || unmatched || verdict) && (
        <Button
          icon="close"
          title="Clear the filters"
          kind="small"
          onClick={() => set({ operation: '', status: '', unmatched: '', verdict: '' })}
        />
      )}
    </>
  );
};
