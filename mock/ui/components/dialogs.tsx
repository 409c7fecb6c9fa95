import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { AdminApiError, type Method } from '../data/api.ts';
import { serverName } from '../data/router.ts';
import { type View, views } from '../data/views.ts';
import { useWorkspace } from '../data/workspace.ts';
import { type Answer, Form, type Question, type Values } from './form.tsx';

type DialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
};

/** The modal dialog of the browser: it traps the focus, closes on Escape and restores the focus. */
export const Dialog = ({ title, onClose, children }: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => element.current?.showModal(), []);
  return (
    <dialog class="box" ref={element} aria-label={title} onClose={onClose}>
      <h2>{title}</h2>
      {children}
    </dialog>
  );
};

/** Asks in a dialog. One with fields stays open, with their texts, until they could be saved. */
type Ask = (question: Question, save: Answer) => void;

type Messages = {
  readonly ask: Ask;
  readonly showNotice: (text: string) => void;
  /** Runs an action, and shows and returns its error. */
  readonly attempt: (work: () => Promise<unknown>) => Promise<unknown>;
};

const MessagesContext = createContext<Messages>({
  ask: () => undefined,
  showNotice: () => undefined,
  attempt: async () => undefined,
});

/** Dialogs and notices. */
export const useMessages = (): Messages => useContext(MessagesContext);

type Asked = Parameters<Ask>;
type Notice = { readonly text: string; readonly isError: boolean };

const noticeMs = 4000;

const errorText = (error: unknown): string => {
  if (error instanceof AdminApiError) return error.text;
  return `The ${serverName} does not respond. Try again when it runs.`;
};

export const MessagesProvider = ({ children }: { readonly children: ComponentChildren }) => {
  const [asked, setAsked] = useState<Asked>();
  const [notice, setNotice] = useState<Notice>();
  useEffect(() => {
    if (!notice) return;
    const timer = setTimeout(() => setNotice(undefined), notice.isError ? 2 * noticeMs : noticeMs);
    return () => clearTimeout(timer);
  }, [notice]);
  const [messages] = useState<Messages>(() => ({
    ask: (...question) => setAsked(question),
    showNotice: (text) => setNotice({ text, isError: false }),
    attempt: async (work) => {
      try {
        await work();
        return undefined;
      } catch (error) {
        setNotice({ text: errorText(error), isError: true });
        return error;
      }
    },
  }));
  return (
    <MessagesContext.Provider value={messages}>
      {children}
      {asked && <AskDialog key={asked[0].title} asked={asked} onClose={() => setAsked(undefined)} />}
      <div role="status">{notice && <NoticeBox key={notice.text} notice={notice} />}</div>
    </MessagesContext.Provider>
  );
};

/** A popover, because an open dialog would cover anything else. */
const NoticeBox = ({ notice: { text, isError } }: { readonly notice: Notice }) => {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.showPopover(), []);
  return (
    <div ref={element} popover="manual" class={isError ? 'notice bad' : 'notice'}>
      {text}
    </div>
  );
};

const AskDialog = ({ asked, onClose }: { readonly asked: Asked; readonly onClose: () => void }) => {
  const [question, save] = asked;
  const answer = async (values: Values): Promise<unknown> => {
    if (!question.fields) onClose();
    const error = await save(values);
    if (error === undefined && question.fields) onClose();
    return error;
  };
  return (
    <Dialog title={question.title} onClose={onClose}>
      <Form question={question} answer={answer} cancel={onClose} />
    </Dialog>
  );
};

type Change = {
  /** Asked before. Without a body, the texts of its fields are it. */
  readonly question?: Question | undefined;
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
export const useChange = (): ((change: Change) => void) => {
  const { api, live } = useWorkspace();
  const { ask, attempt, showNotice } = useMessages();
  return ({ question, method, view, path = views[view].path, body, done, after }) => {
    const save = async (values: Values = {}): Promise<unknown> => {
      const content = typeof body === 'function' ? body(values) : (body ?? (question?.fields && values));
      const error = await attempt(() => api.send(method, path, content));
      if (error !== undefined) return error;
      live.notify(views[view].event);
      showNotice(done);
      after?.();
      return undefined;
    };
    if (question) ask(question, save);
    else void save();
  };
};
