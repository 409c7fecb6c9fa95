import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';

type DialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
};

/** The browser's own modal dialog: it keeps the focus inside, closes on Escape and gives the focus back. */
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

export type Question = { readonly title: string; readonly text: string; readonly action: string };
type Ask = (question: Question) => Promise<boolean>;

const Asking = createContext<Ask>(() => Promise.resolve(false));

/** Asks before something is lost. */
export const useConfirm = (): Ask => useContext(Asking);

type Asked = Question & { readonly answer: (yes: boolean) => void; readonly number: number };

export const ConfirmProvider = ({ children }: { readonly children: ComponentChildren }) => {
  const count = useRef(0);
  const [asked, setAsked] = useState<Asked>();
  const close = (yes: boolean): void => {
    asked?.answer(yes);
    // A dialog says that it was closed a little later: another question may be there by then.
    setAsked((current) => (current === asked ? undefined : current));
  };
  const ask: Ask = (question) =>
    new Promise((answer) => {
      count.current += 1;
      setAsked({ ...question, answer, number: count.current });
    });
  return (
    <Asking.Provider value={ask}>
      {children}
      {asked && (
        <Dialog key={asked.number} title={asked.title} onClose={() => close(false)}>
          <p>{asked.text}</p>
          <div class="dialog-actions">
            <button type="button" class="button" onClick={() => close(false)}>
              Cancel
            </button>
            <button type="button" class="button danger-solid" autofocus onClick={() => close(true)}>
              {asked.action}
            </button>
          </div>
        </Dialog>
      )}
    </Asking.Provider>
  );
};
