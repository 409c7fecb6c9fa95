import type { MessageWarning, WarningId } from '../../../mail/warning.ts';
import { Button } from '../../components/controls.tsx';
import { hrefOf, navigate, type Place } from '../../data/router.ts';

const countOf = (number: number): string => `${number} ${number === 1 ? 'warning' : 'warnings'}`;

/** The number of warnings, in a row of the list. */
export const WarningCount = ({ ids }: { readonly ids: readonly WarningId[] }) =>
  ids.length === 0 ? null : (
    <span class="chip warn" title={ids.join(', ')}>
      {countOf(ids.length)}
    </span>
  );

/** What is probably wrong with a message, why that matters, and where it is explained. */
export const Warnings = ({ warnings }: { readonly warnings: readonly MessageWarning[] }) =>
  warnings.length === 0 ? (
    <p class="hint">Nothing was found that is probably wrong with this message.</p>
  ) : (
    <ul class="findings" aria-label="Warnings">
      {warnings.map(({ id, what, why, more }) => (
        <li key={id} class="warn">
          <b>{id}</b> <bdi>{what}</bdi>
          <p class="hint">
            {why}{' '}
            <a href={more} target="_blank" rel="noopener noreferrer" aria-label={`More about ${id}`}>
              More
            </a>{' '}
            · <a href={hrefOf('messages', undefined, { warning: id })}>All messages with it</a>
          </p>
        </li>
      ))}
    </ul>
  );

/** The warning by which the list is filtered, if it is; a click shows the others too. */
export const WarningFilter = ({ place: { query } }: { readonly place: Place }) =>
  query.warning ? (
    <Button
      icon="close"
      text={query.warning}
      title="Show messages without this warning too"
      kind="small"
      onClick={() => navigate(hrefOf('messages', undefined, { ...query, warning: '', start: '' }))}
    />
  ) : null;
