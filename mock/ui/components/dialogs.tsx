import { useEffect, useRef } from 'preact/hooks';
import { type Method, request } from '../data/api.ts';
import { notify } from '../data/live.ts';
import { attempt, type Notice, notice, showNotice } from '../data/notice.ts';
import { hrefOf, readPlace } from '../data/router.ts';
import { createStore } from '../data/store.ts';
import { itemPath, type ListView, nounOf, type View, views } from '../data/views.ts';
import { type Answer, type Field, Form, type Question, type Values } from './form.tsx';

type Asked = { readonly question: Question; readonly save: Answer };

const asked = createStore<Asked | undefined>(undefined);

/** Asks in a dialog. One with fields stays open, with their texts, until they could be saved. */
export const ask = (question: Question, save: Answer): void => asked.set({ question, save });

const close = (): void => asked.set(undefined);

type Change = {
  /** Asked before. Without a body, the texts of its fields are it. */
  readonly question?: Question;
  readonly method: Method;
  /** The view that shows it. */
  readonly view: View;
  /** Unless it is the path of the view. */
  readonly path?: string;
  readonly body?: object | ((values: Values) => object);
  /** The notice after it. */
  readonly done: string;
  readonly after?: () => void;
};

/** Changes something in the workspace, after a question where something could be lost, and says so. */
export const change = ({
  question,
  method,
  view,
  path = views[view].path,
  body,
  done,
  after,
}: Change): void => {
  const save = async (values: Values = {}): Promise<unknown> => {
    const content = typeof body === 'function' ? body(values) : (body ?? (question?.fields && values));
    const error = await attempt(() => request(path, { method, body: content }));
    if (error !== undefined) return error;
    notify(views[view].event);
    showNotice(done);
    after?.();
    return undefined;
  };
  if (question) ask(question, save);
  else void save();
};

/** Adds an item to a list. */
export const addItem = (view: ListView, fields: readonly Field[]): void =>
  change({
    question: { title: `Add a ${nounOf(view)}`, action: 'Add', fields },
    method: 'POST',
    view,
    done: `The ${nounOf(view)} was added`,
  });

export const changeItem = (view: ListView, id: string, fields: readonly Field[], values: Values): void =>
  change({
    question: { title: `Change the ${nounOf(view)}`, action: 'Save', fields, values },
    method: views[view].save ?? 'PUT',
    view,
    path: itemPath(view, id),
    done: `The ${nounOf(view)} was changed`,
  });

/** Deletes an item, and closes it if it is open. */
export const deleteItem = (view: ListView, id: string): void =>
  change({
    question: { title: `Delete this ${nounOf(view)}?`, text: id, action: 'Delete' },
    method: 'DELETE',
    view,
    path: itemPath(view, id),
    done: `The ${nounOf(view)} was deleted`,
    after: () => {
      const { id: open, query } = readPlace();
      if (open === id) location.replace(hrefOf(view, undefined, query));
    },
  });

/** @param kept says what else is lost, and what is not */
export const deleteAll = (view: ListView, kept: string): void =>
  change({
    question: { title: `Delete all ${view}?`, text: kept, action: 'Delete all' },
    method: 'DELETE',
    view,
    body: { all: true },
    done: `All ${view} were deleted`,
    after: () => location.replace(hrefOf(view)),
  });

/** The open dialog and the notice, if there are any. */
export const Dialogs = () => {
  const open = asked.use();
  const shown = notice.use();
  return (
    <>
      {open && <AskDialog key={open} {...open} />}
      <div role="status">{shown && <NoticeBox key={shown} {...shown} />}</div>
    </>
  );
};

/** The modal dialog of the browser: it traps the focus, closes on Escape and restores the focus. */
const AskDialog = ({ question, save }: Asked) => {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => element.current?.showModal(), []);
  const answer = async (values: Values): Promise<unknown> => {
    if (!question.fields) close();
    const error = await save(values);
    if (error === undefined && question.fields) close();
    return error;
  };
  return (
    <dialog class="box" ref={element} aria-label={question.title} onClose={close}>
      <h2>{question.title}</h2>
      <Form question={question} answer={answer} cancel={close} />
    </dialog>
  );
};

/** A popover, because an open dialog would cover anything else. */
const NoticeBox = ({ text, isError }: Notice) => {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.showPopover(), []);
  return (
    <div ref={element} popover="manual" class={isError ? 'notice bad' : 'notice'}>
      {text}
    </div>
  );
};
