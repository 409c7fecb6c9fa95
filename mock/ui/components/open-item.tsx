import { type ComponentChildren, Fragment } from 'preact';
import type { LiveKind } from '../data/api.ts';
import { isProxy } from '../data/router.ts';
import { capitalize, nounOf, type StoreView } from '../data/stores.ts';
import { useLoaded } from '../data/workspace.ts';
import { Icon, type IconName } from './icon.tsx';
import { Empty, Unavailable } from './view.tsx';

type Props<T> = {
  readonly id: string;
  readonly view: StoreView;
  readonly icon: IconName;
  readonly path: string;
  /** What reloads it. */
  readonly event: LiveKind;
  /** The address of the list. */
  readonly back: string;
  readonly children: (item: T) => ComponentChildren;
};

/** The item that is open beside its list, or why it is not there. */
export const OpenItem = <T,>({ id, view, icon, path, event, back, children }: Props<T>) => {
  const { data, error } = useLoaded<T>(path, [event]);
  const name = capitalize(nounOf(view));
  const backLink = (
    <a class="button" href={back}>
      Back to the {view}
    </a>
  );
  return (
    <article class="detail-pane pane" aria-label={name}>
      {data && !error && children(data)}
      {error?.status === 404 && (
        <Empty icon={icon} title={`${name} not found`}>
          <p>
            There is no <code>{id}</code> here: it was deleted, reset, or dropped because there were too many.
            {!isProxy && ' Another workspace may have one of that name.'}
          </p>
          {backLink}
        </Empty>
      )}
      {error?.status !== 404 && !data && <Unavailable error={error}>{backLink}</Unavailable>}
    </article>
  );
};

type HeadProps = {
  readonly back: string;
  readonly title: ComponentChildren;
  readonly actions: ComponentChildren;
  readonly facts: Facts;
};

/** The header of an open item: the way back, actions, title and facts. */
export const ItemHead = ({ back, title, actions, facts }: HeadProps) => (
  <header class="item-head">
    <div class="line">
      <a class="icon-button" href={back} title="Back to the list (Esc)" aria-label="Back to the list">
        <Icon name="back" />
      </a>
      <div class="spacer" />
      {actions}
    </div>
    <h2 dir="auto">{title}</h2>
    <FactList facts={facts} />
  </header>
);

/** Names and what they stand for; what is false is left out. */
export type Facts = readonly (readonly [name: string, value: ComponentChildren])[];

export const FactList = ({ facts }: { readonly facts: Facts }) => (
  <dl class="facts">
    {facts
      .filter(([, value]) => value !== false && value !== null && value !== undefined)
      .map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
  </dl>
);
