import { hrefOf, navigate, readPlace } from '../data/router.ts';
import { capitalize, itemPath, type ListView, nounOf, views } from '../data/views.ts';
import { Button } from './controls.tsx';
import { useChange } from './dialogs.tsx';
import type { Field, Values } from './form.tsx';

type Editor = {
  readonly add: (fields: readonly Field[]) => void;
  readonly edit: (id: string, fields: readonly Field[], values: Values) => void;
  /** Deletes an item, and closes it if it is open. */
  readonly remove: (id: string, name: string) => void;
  /** @param kept says what else is lost, and what is not */
  readonly removeAll: (kept: string) => void;
};

/** Adds, changes and deletes items of a list. */
export const useEditor = (view: ListView): Editor => {
  const change = useChange();
  const noun = nounOf(view);
  const close = (id: string): void => {
    const { id: open, query } = readPlace(location);
    if (open === id) navigate(hrefOf(view, undefined, query), 'replace');
  };
  return {
    add: (fields) =>
      change({
        question: { title: `Add a ${noun}`, action: 'Add', fields },
        method: 'POST',
        view,
        done: `${capitalize(noun)} added`,
      }),
    edit: (id, fields, values) =>
      change({
        question: { title: `Change the ${noun}`, action: 'Save', fields, values },
        method: views[view].save ?? 'PUT',
        view,
        path: itemPath(view, id),
        done: `${capitalize(noun)} changed`,
      }),
    remove: (id, name) =>
      change({
        question: { title: `Delete this ${noun}?`, text: name, action: 'Delete' },
        method: 'DELETE',
        view,
        path: itemPath(view, id),
        done: `${capitalize(noun)} deleted`,
        after: () => close(id),
      }),
    removeAll: (kept) =>
      change({
        question: { title: `Delete all ${view}?`, text: kept, action: 'Delete all' },
        method: 'DELETE',
        view,
        body: { all: true },
        done: `All ${view} deleted`,
        after: () => navigate(hrefOf(view), 'replace'),
      }),
  };
};

type ButtonsProps = {
  readonly view: ListView;
  readonly id: string;
  readonly name: string;
  readonly fields: readonly Field[];
  readonly values: Values;
};

/** For an open item. */
export const EditButtons = ({ view, id, name, fields, values }: ButtonsProps) => {
  const { edit, remove } = useEditor(view);
  return (
    <>
      <Button text="Change" kind="small" onClick={() => edit(id, fields, values)} />
      <Button icon="trash" text="Delete" kind="danger small" onClick={() => remove(id, name)} />
    </>
  );
};
