import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { CurlRequest } from '../data/curl.ts';
import { currentRow, scrollInside, useKeys } from '../data/keyboard.ts';
import { type LiveKind, useLoaded } from '../data/live.ts';
import { hrefOf, type Query, usePlace } from '../data/router.ts';
import { canDelete, type ListView, nounOf, views } from '../data/views.ts';
import { Button } from './controls.tsx';
import { addItem, deleteAll, deleteItem } from './dialogs.tsx';
import { Empty, NoItems, Unavailable } from './empty.tsx';
import { type Filter, Filters, listQuery, Pager, Search } from './filters.tsx';
import type { Field } from './form.tsx';
import { OpenItem, Pane, type Shown } from './pane.tsx';

const columns = ['mark', 'who', 'extra', 'what', 'side', 'more', 'took', 'when'] as const;

/** A row by its columns. A narrow list has two lines to a row, without `extra`, `more` and `took`. */
export type Row = { readonly [Column in (typeof columns)[number]]?: ComponentChildren } & {
  readonly id: string;
};

/** A page of a list in the admin API. The items are in the member with the name of the view. */
type Page<Item> = { readonly [view: string]: readonly Item[] } & {
  readonly total: number;
  readonly dropped?: number;
};

type Props<Item, Full> = {
  readonly view: ListView;
  /** Beside the search. Without them, the list has a single page. */
  readonly filters?: readonly Filter[];
  /** What reloads it besides its own event. */
  readonly events?: readonly LiveKind[];
  /** What the search understands. */
  readonly searchHint?: string;
  /** What can be written in an item. Without them, items are neither added nor changed here. */
  readonly fields?: readonly Field[];
  /** Said before all items are deleted. Without it, there is no button for that. */
  readonly deletion?: string;
  /** Above the rows. */
  readonly note?: ComponentChildren;
  readonly rowOf: (item: Item) => Row;
  /** About a list without items, and a command that adds one. */
  readonly about: ComponentChildren;
  readonly sample?: CurlRequest;
  /** How the open item shows. */
  readonly show: (item: Full) => Shown;
};

/** A list with its search and its pages, and the open item beside it. */
export const List = <Item, Full = Item>(props: Props<Item, Full>) => {
  const { view, filters, searchHint, fields, deletion } = props;
  const { id, query } = usePlace();
  const { path, event, icon } = views[view];
  const listPath = filters ? `${path}?${listQuery(query, filters)}` : path;
  const { data, error } = useLoaded<Page<Item>>(listPath, [event, ...(props.events ?? [])]);
  useKeys({
    Escape: () => location.assign(hrefOf(view, undefined, query)),
    Delete: () => {
      const current = currentRow()?.dataset.row ?? id;
      if (canDelete(view) && current !== undefined) deleteItem(view, current);
    },
  });
  const rows = data?.[view]?.map(props.rowOf) ?? [];
  const isFiltered = ['start', 'q', ...(filters ?? []).map(({ name }) => name)].some((name) => query[name]);
  const tools = (
    <>
      {searchHint !== undefined && <Search label={`Search ${view}`} hint={searchHint} />}
      {filters && <Filters filters={filters} />}
      {fields && <Button icon={icon} text={`Add ${nounOf(view)}`} onClick={() => addItem(view, fields)} />}
      {filters && <Pager total={data?.total ?? 0} />}
      {deletion !== undefined && (
        <Button
          icon="trash"
          text="Delete all"
          title={`Delete all ${view}`}
          aria-label={`Delete all ${view}`}
          kind="danger"
          disabled={!data?.total && !isFiltered}
          onClick={() => deleteAll(view, deletion)}
        />
      )}
    </>
  );
  return (
    <div class={id === undefined ? 'split' : 'split open'}>
      <Pane view={view} count={data?.total} tools={tools}>
        {!!data?.dropped && (
          <p class="hint">
            The list was full: {data.dropped.toLocaleString('en')} of the oldest were dropped.
          </p>
        )}
        {props.note}
        {rows.length > 0 && (
          <ul class="rows">
            {rows.map((row) => (
              <ListRow key={row.id} row={row} view={view} query={query} isOpen={row.id === id} />
            ))}
          </ul>
        )}
        {data && rows.length === 0 && !isFiltered && <NoItems {...props} />}
        {data && rows.length === 0 && isFiltered && (
          <Empty icon="search" title={`No matching ${view}`}>
            <a class="button" href={hrefOf(view)}>
              Show all {view}
            </a>
          </Empty>
        )}
        {!data && <Unavailable error={error} />}
      </Pane>
      {id !== undefined && <OpenItem<Full> key={id} id={id} view={view} fields={fields} show={props.show} />}
    </div>
  );
};

type RowProps = {
  readonly row: Row;
  readonly view: ListView;
  readonly query: Query;
  readonly isOpen: boolean;
};

/** A row. One that is opened, by a link or by a key, is scrolled into view. */
const ListRow = ({ row, view, query, isOpen }: RowProps) => {
  const element = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    const pane = element.current?.closest<HTMLElement>('.pane');
    if (isOpen && element.current && pane) scrollInside(pane, element.current);
  }, [isOpen]);
  return (
    <li>
      <a
        ref={element}
        class="row"
        data-row={row.id}
        href={hrefOf(view, row.id, query)}
        aria-current={isOpen ? 'true' : undefined}
      >
        {columns.map(
          (column) =>
            row[column] !== undefined && (
              <span key={column} class={column} style={{ '--column': column }} dir="auto">
                {row[column]}
              </span>
            ),
        )}
      </a>
    </li>
  );
};
