import { type ComponentChildren, Fragment } from 'preact';
import { useLoaded } from '../data/live.ts';
import { hrefOf, usePlace } from '../data/router.ts';
import { canDelete, itemPath, type ListView, nounOf, type View, views } from '../data/views.ts';
import { Button, Icon } from './controls.tsx';
import { changeItem, deleteItem } from './dialogs.tsx';
import { Unavailable } from './empty.tsx';
import type { Field, Values } from './form.tsx';

type PaneProps = {
  readonly view: View;
  readonly count?: number | undefined;
  /** Search and actions. */
  readonly tools?: ComponentChildren;
  readonly children: ComponentChildren;
};

/** A view below its title, without the open item. */
export const Pane = ({ view, count, tools, children }: PaneProps) => (
  <section class="list-pane pane" aria-label={views[view].title}>
    <div class="view-head line">
      <h1 class="line">
        {views[view].title}
        {count !== undefined && <span class="count chip round">{count.toLocaleString('en')}</span>}
      </h1>
      {tools}
    </div>
    {children}
  </section>
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

/** What shows of an open item. */
export type Shown = {
  readonly title: ComponentChildren;
  readonly facts: Facts;
  readonly actions?: ComponentChildren;
  /** What the fields contain when it is changed. */
  readonly values?: Values;
  /** Below the title and the facts. */
  readonly content?: ComponentChildren;
};

type OpenProps<T> = {
  readonly id: string;
  readonly view: ListView;
  readonly fields: readonly Field[] | undefined;
  readonly show: (item: T) => Shown;
};

/** The item that is open beside its list, or why it is not there. */
export const OpenItem = <T,>({ id, view, fields, show }: OpenProps<T>) => {
  const { event, save } = views[view];
  const { data, error } = useLoaded<T>(itemPath(view, id), [save ? event : 'reset']);
  const back = hrefOf(view, undefined, usePlace().query);
  const opened = data && show(data);
  return (
    <article class="detail-pane pane" aria-label={nounOf(view)}>
      {opened && (
        <>
          <header class="item-head">
            <div class="line">
              <a class="icon-button" href={back} title="Back to the list (Esc)" aria-label="Back to the list">
                <Icon name="back" />
              </a>
              <div class="spacer" />
              {opened.actions}
              {fields && opened.values && (
                <Button
                  text="Change"
                  kind="small"
                  onClick={() => changeItem(view, id, fields, opened.values ?? {})}
                />
              )}
              {canDelete(view) && (
                <Button
                  icon="trash"
                  text="Delete"
                  title="Delete (Del)"
                  kind="danger small"
                  onClick={() => deleteItem(view, id)}
                />
              )}
            </div>
            <h2 dir="auto">{opened.title}</h2>
            <FactList facts={opened.facts} />
          </header>
          {opened.content}
        </>
      )}
      {!opened && (
        <Unavailable error={error}>
          <a class="button" href={back}>
            Back to the {view}
          </a>
        </Unavailable>
      )}
    </article>
  );
};
