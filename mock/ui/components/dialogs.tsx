import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import { AdminApiError } from '../data/api.ts';
import { serverName } from '../data/router.ts';

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
    <dialog ref={element} aria-label={title} onClose={onClose}>
      <h2>{title}</h2>
      {children}
    </dialog>
  );
};

type Confirmation = { readonly title: string; readonly text: string; readonly action: string };
type Confirm = (confirmation: Confirmation) => Promise<boolean>;

const ConfirmContext = createContext<Confirm>(() => Promise.resolve(false));

/** Asks for confirmation before something is lost. */
export const useConfirm = (): Confirm => useContext(ConfirmContext);

type PendingConfirmation = Confirmation & {
  readonly resolve: (yes: boolean) => void;
  readonly number: number;
};

export const ConfirmProvider = ({ children }: { readonly children: ComponentChildren }) => {
  const count = useRef(0);
  const [pending, setPending] = useState<PendingConfirmation>();
  const close = (yes: boolean): void => {
    pending?.resolve(yes);
    // The close event of a dialog comes later. Another confirmation may be open by then.
    setPending((current) => (current === pending ? undefined : current));
  };
  const confirm: Confirm = (confirmation) =>
    new Promise((resolve) => {
      count.current += 1;
      setPending({ ...confirmation, resolve, number: count.current });
    });
  return (
    <ConfirmContext.Provider value={confirm}>
      {children}
      {pending && (
        <Dialog key={pending.number} title={pending.title} onClose={() => close(false)}>
          <p>{pending.text}</p>
          <div class="dialog-actions">
            <button type="button" class="button" onClick={() => close(false)}>
              Cancel
            </button>
            <button type="button" class="button danger-solid" autofocus onClick={() => close(true)}>
              {pending.action}
            </button>
          </div>
        </Dialog>
      )}
    </ConfirmContext.Provider>
  );
};

type Notice = { readonly text: string; readonly isError: boolean };
type Notify = {
  readonly showNotice: (text: string) => void;
  /** Runs an action and shows its error. Returns whether it succeeded. */
  readonly attempt: (work: () => Promise<unknown>) => Promise<boolean>;
};

const NotifyContext = createContext<Notify>({ showNotice: () => undefined, attempt: async () => false });
export const useNotify = (): Notify => useContext(NotifyContext);

const noticeMs = 4000;

const errorText = (error: unknown): string => {
  if (error instanceof AdminApiError) return `${error.message}. ${error.hint}`;
  return `The ${serverName} does not respond. Try again when it runs.`;
};

export const NoticeProvider = ({ children }: { readonly children: ComponentChildren }) => {
  const [notice, setNotice] = useState<Notice>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const show = useCallback((next: Notice) => {
    clearTimeout(timer.current);
    setNotice(next);
    timer.current = setTimeout(() => setNotice(undefined), next.isError ? 2 * noticeMs : noticeMs);
  }, []);
  const [notify] = useState<Notify>(() => ({
    showNotice: (text) => show({ text, isError: false }),
    attempt: async (work) => {
      try {
        await work();
        return true;
      } catch (error) {
        show({ text: errorText(error), isError: true });
        return false;
      }
    },
  }));
  return (
    <NotifyContext.Provider value={notify}>
      {children}
      <div class="notices" role="status">
        {notice && <div class={notice.isError ? 'notice bad' : 'notice'}>{notice.text}</div>}
      </div>
    </NotifyContext.Provider>
  );
};
