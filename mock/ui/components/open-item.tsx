import { type ComponentChildren, Fragment } from 'preact';
import { isProxy } from '../data/router.ts';
import { capitalize, itemPath, type ListView, nounOf, views } from '../data/views.ts';
import { Icon } from './icon.tsx';
import { Empty, Loaded } from './view.tsx';

type Props<T> = {
  readonly id: string;
  readonly view: ListView;
  /** The address of the list. */
  readonly back: string;
  readonly children: (item: T) => ComponentChildren;
};

/** The item that is open beside its list, or why it is not there. */
export const OpenItem = <T,>({ id, view, back, children }: Props<T>) => {
  const { icon, event, save } = views[view];
  const name = capitalize(nounOf(view));
  const backLink = (
    <a class="button" href={back}>
      Back to the {view}
    </a>
  );
  return (
    <article class="detail-pane pane" aria-label={name}>
      <Loaded<T>
        path={itemPath(view, id)}
        events={[save ? event : 'reset']}
        missing={
          <Empty icon={icon} title={`${name} not found`}>
            <p>
              There is no <code>{id}</code> here: it was deleted, reset, or dropped because there were too
              many.
              {!isProxy && ' Another workspace may have one of that name.'}
            </p>
            {backLink}
          </Empty>
        }
        action={backLink}
      >
        {children}
      </Loaded>
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
