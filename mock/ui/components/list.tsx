import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { WorkspaceList } from '../../nouns/mock.ts';
import type { DropLimit } from '../../store/log.ts';
import type { LiveKind } from '../data/api.ts';
import { type CurlRequest, curlCommand } from '../data/curl.ts';
import { useKeys } from '../data/keyboard.ts';
import { hrefOf, isProxy, navigate, type Place } from '../data/router.ts';
import { countText } from '../data/text.ts';
import { type ListView, nounOf, views } from '../data/views.ts';
import { useLoaded, useWorkspace } from '../data/workspace.ts';
import { CodeBlock } from './code-block.tsx';
import { Button } from './controls.tsx';
import { useEditor } from './editor.tsx';
import { type Filter, Filters, Search } from './filters.tsx';
import { OpenItem } from './open-item.tsx';
import { scrollInside } from './scroll.ts';
import { Empty, Unavailable, ViewHead } from './view.tsx';

const columns = ['mark', 'who', 'extra', 'what', 'side', 'more', 'took', 'when'] as const;

/** A row by its columns. A narrow list has two lines to a row, without `extra`, `more` and `took`. */
export type Row = { readonly [Column in (typeof columns)[number]]?: ComponentChildren } & {
  readonly id: string;
};

/** A page of a list in the admin API. The items are in the member with the name of the view. */
type Page<Item> = { readonly [view: string]: readonly Item[] } & {
  readonly total: number;
  readonly dropped?: number;
  readonly dropped_by?: DropLimit | null;
};

type Props<Item, Full> = {
  readonly place: Place;
  readonly view: ListView;
  /** Beside the search. Without them, the list has a single page. */
  readonly filters?: readonly Filter[];
  /** What reloads it besides its own event. */
  readonly events?: readonly LiveKind[];
  /** What the search understands. */
  readonly searchHint?: string;
  /** Beside the search and the filters. */
  readonly tools?: ComponentChildren;
  /** Asked before all items are deleted. Without it, there is no button for that. */
  readonly deletion?: string;
  /** The limits that may drop the oldest items. */
  readonly limits?: Readonly<Record<DropLimit, string>>;
  /** Above the rows. */
  readonly note?: ComponentChildren;
  readonly rowOf: (item: Item) => Row;
  /** About a list without items, and a command that adds one. */
  readonly about: ComponentChildren;
  readonly sample?: CurlRequest;
  /** Shows the open item; `back` is the address of the list. */
  readonly children: (item: Full, back: string) => ComponentChildren;
};

const pageSize = 50;

/** A list with its search and its pages, and the open item beside it. */
export const List = <Item, Full = Item>(props: Props<Item, Full>) => {
  const { place, view, filters, searchHint, limits, rowOf } = props;
  const { id, query } = place;
  const { title, path, event } = views[view];
  const listPath = filters ? `${path}?${listQuery(place, filters)}` : path;
  const { data, error } = useLoaded<Page<Item>>(listPath, [event, ...(props.events ?? [])]);
  const { removeAll } = useEditor(view);
  const back = hrefOf(view, undefined, query);
  useKeys({ Escape: () => navigate(back) });
  const rows = data?.[view]?.map(rowOf) ?? [];
  const isFiltered = Object.values(query).some(Boolean);
  const { deletion } = props;
  return (
    <div class={id === undefined ? 'split' : 'split open'}>
      <section class="list-pane pane" aria-label={title}>
        <ViewHead title={title} count={data?.total}>
          {searchHint !== undefined && <Search place={place} label={`Search ${view}`} hint={searchHint} />}
          {filters && <Filters place={place} filters={filters} />}
          {props.tools}
          {filters && <Pager place={place} total={data?.total ?? 0} />}
          {deletion !== undefined && (
            <Button
              icon="trash"
              text="Delete all"
              title={`Delete all ${view}`}
              aria-label={`Delete all ${view}`}
              kind="danger"
              disabled={!data?.total && !isFiltered}
              onClick={() => removeAll(deletion)}
            />
          )}
        </ViewHead>
        {data?.dropped_by && (
          <p class="hint">
            The list was full ({limits?.[data.dropped_by]}): {data.dropped?.toLocaleString('en')} of the
            oldest were dropped.
          </p>
        )}
        {props.note}
        {rows.length > 0 && (
          <ul class="rows">
            {rows.map((row) => (
              <ListRow key={row.id} row={row} place={place} />
            ))}
          </ul>
        )}
        {data && rows.length === 0 && (isFiltered ? <NoMatch view={view} /> : <NoItems {...props} />)}
        {!data && <Unavailable error={error} />}
      </section>
      {id !== undefined && (
        <OpenItem<Full> key={id} id={id} view={view} back={back}>
          {(item) => props.children(item, back)}
        </OpenItem>
      )}
    </div>
  );
};

const startOf = ({ query }: Place): number => {
  const start = Number(query.start ?? 0);
  return Number.isInteger(start) && start > 0 ? start : 0;
};

const listQuery = (place: Place, filters: readonly Filter[]): URLSearchParams => {
  const names = ['q', ...filters.map(({ name }) => name)];
  const chosen = names.map((name) => [name, place.query[name] ?? '']).filter(([, value]) => value !== '');
  return new URLSearchParams([['start', `${startOf(place)}`], ['limit', `${pageSize}`], ...chosen]);
};

const NoMatch = ({ view }: { readonly view: ListView }) => (
  <Empty icon="search" title={`No matching ${view}`}>
    <a class="button" href={hrefOf(view)}>
      Show all {view}
    </a>
  </Empty>
);

type NoItemsProps = Pick<Props<never, never>, 'view' | 'about' | 'sample'>;

const NoItems = ({ view, about, sample }: NoItemsProps) => {
  const { api } = useWorkspace();
  return (
    <Empty icon={views[view].icon} title={`No ${view} yet`}>
      {view !== 'templates' && <OtherPlaces view={view} />}
      <p>{about}</p>
      {sample && (
        <div class="command box">
          <CodeBlock text={curlCommand(sample, api.key)} subject="the command" />
        </div>
      )}
    </Empty>
  );
};

/** Tells that requests without an accepted key arrived, which belong to no workspace. */
export const Unclaimed = () => {
  const path = isProxy ? undefined : '/workspaces';
  const total = useLoaded<WorkspaceList>(path, ['polled']).data?.unclaimed ?? 0;
  if (total === 0) return null;
  return (
    <p class="hint">
      {countText(total, 'request')} came without an accepted key:{' '}
      <a href={hrefOf('requests', undefined, { unmatched: 'true' })}>show {total === 1 ? 'it' : 'them'}</a>
    </p>
  );
};

const maxOthers = 3;

/** For an empty list: links to unclaimed requests and other workspaces, where the missing items may be. */
const OtherPlaces = ({ view }: { readonly view: 'messages' | 'requests' | 'leads' }) => {
  const { api } = useWorkspace();
  const path = isProxy ? undefined : '/workspaces';
  const workspaces = useLoaded<WorkspaceList>(path, ['polled']).data?.workspaces ?? [];
  const others = workspaces
    .filter((other) => other.key !== api.key && other[view] + other.requests > 0)
    .sort((a, b) => Number(b[view] > 0) - Number(a[view] > 0));
  return (
    <div class="other-places" role="status">
      {view !== 'requests' && <Unclaimed />}
      {others.slice(0, maxOthers).map((other) => {
        // Requests without a message or a lead may show why there is none.
        const shown = other[view] > 0 ? view : 'requests';
        return (
          <p key={other.key} class="hint">
            The workspace <code>{other.key}</code> has {countText(other[shown], nounOf(shown))}:{' '}
            <a href={`?key=${encodeURIComponent(other.key)}${hrefOf(shown)}`}>switch to it</a>
          </p>
        );
      })}
      {others.length > maxOthers && (
        <p class="hint">{countText(others.length - maxOthers, 'more workspace')} in the list at the top</p>
      )}
    </div>
  );
};

/** A row. One that is opened, by a link or by a key, is scrolled into view. */
const ListRow = ({ row, place }: { readonly row: Row; readonly place: Place }) => {
  const element = useRef<HTMLAnchorElement>(null);
  const { view, id, query } = place;
  const isOpen = row.id === id;
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

/** Buttons for newer and older items, with the range that is shown. */
const Pager = ({ place, total }: { readonly place: Place; readonly total: number }) => {
  const start = startOf(place);
  const turn = (to: number): void =>
    navigate(hrefOf(place.view, undefined, { ...place.query, start: to > 0 ? String(to) : '' }));
  const end = start + pageSize;
  if (total <= pageSize && start === 0) return null;
  return (
    <nav class="pager line hint" aria-label="Pages">
      <span>
        {Math.min(start + 1, total)}–{Math.min(end, total)} of {total.toLocaleString('en')}
      </span>
      <Button
        icon="back"
        title="Newer"
        kind="small"
        disabled={start === 0}
        onClick={() => turn(start - pageSize)}
      />
      <Button icon="next" title="Older" kind="small" disabled={end >= total} onClick={() => turn(end)} />
    </nav>
  );
};
