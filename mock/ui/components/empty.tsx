import type { ComponentChildren } from 'preact';
import type { WorkspaceList } from '../../nouns/mock.ts';
import type { AdminApiError } from '../data/api.ts';
import { type CurlRequest, curlCommand } from '../data/curl.ts';
import { connection, useLoaded } from '../data/live.ts';
import { hrefOf, isProxy, serverName, workspaceHref, workspaceKey } from '../data/router.ts';
import { countText, type ListView, nounOf, views } from '../data/views.ts';
import { CodeBlock } from './code-block.tsx';
import { Icon, type IconName } from './controls.tsx';

type EmptyProps = { readonly icon: IconName; readonly title: string; readonly children?: ComponentChildren };

/** Shown where there is nothing else. */
export const Empty = ({ icon, title, children }: EmptyProps) => (
  <div class="empty">
    <Icon name={icon} />
    <h2>{title}</h2>
    {children}
  </div>
);

type UnavailableProps = {
  readonly error?: AdminApiError | undefined;
  readonly children?: ComponentChildren;
};

/** Shown instead of missing data: the reason, or nothing while they are loading. */
export const Unavailable = ({ error, children }: UnavailableProps) => {
  const { state } = connection.use();
  if (!error && state !== 'lost') return null;
  return (
    <Empty icon="warn" title="Not loaded">
      <p>{error ? error.text : `The ${serverName} does not respond.`}</p>
      {children}
    </Empty>
  );
};

type NoItemsProps = {
  readonly view: ListView;
  readonly about: ComponentChildren;
  readonly sample?: CurlRequest;
};

export const NoItems = ({ view, about, sample }: NoItemsProps) => (
  <Empty icon={views[view].icon} title={`No ${view} yet`}>
    {view !== 'templates' && <OtherPlaces view={view} />}
    <p>{about}</p>
    {sample && (
      <div class="command box">
        <CodeBlock text={curlCommand(sample, workspaceKey())} subject="the command" />
      </div>
    )}
  </Empty>
);

const useWorkspaces = (): WorkspaceList | undefined =>
  useLoaded<WorkspaceList>(isProxy ? undefined : '/workspaces', ['polled']).data;

/** Tells that requests without an accepted key arrived, which belong to no workspace. */
export const Unclaimed = () => {
  const total = useWorkspaces()?.unclaimed ?? 0;
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
  const others = (useWorkspaces()?.workspaces ?? [])
    .filter((other) => other.key !== workspaceKey() && other[view] + other.requests > 0)
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
            <a href={workspaceHref(other.key, shown)}>switch to it</a>
          </p>
        );
      })}
      {others.length > maxOthers && (
        <p class="hint">{countText(others.length - maxOthers, 'more workspace')} in the list at the top</p>
      )}
    </div>
  );
};
