import type { WorkspaceList } from '../data/api.ts';
import { hrefOf, isProxy } from '../data/router.ts';
import { useLoaded, useWorkspace } from '../data/workspace.ts';

const countText = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

/** Tells that requests without an accepted key arrived, which belong to no workspace. */
export const Unclaimed = () => {
  const path = isProxy ? undefined : '/requests?unmatched=true&unclaimed=true&limit=0';
  const total = useLoaded<{ readonly total: number }>(path, ['elsewhere']).data?.total ?? 0;
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
export const Elsewhere = ({ view }: { readonly view: 'messages' | 'requests' | 'leads' }) => {
  const { api } = useWorkspace();
  const path = isProxy ? undefined : '/workspaces';
  const workspaces = useLoaded<WorkspaceList>(path, ['elsewhere']).data?.workspaces ?? [];
  const others = workspaces
    .filter((other) => other.key !== api.key && other[view] + other.requests > 0)
    .sort((a, b) => Number(b[view] > 0) - Number(a[view] > 0));
  return (
    <div class="elsewhere" role="status">
      {view !== 'requests' && <Unclaimed />}
      {others.slice(0, maxOthers).map((other) => {
        // Requests without a message or a lead may show why there is none.
        const shown = other[view] > 0 ? view : 'requests';
        return (
          <p key={other.key} class="hint">
            The workspace <code>{other.key}</code> has {countText(other[shown], shown.slice(0, -1))}:{' '}
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
