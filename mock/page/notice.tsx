import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useRef, useState } from 'preact/hooks';
import { Refused } from './api.ts';

type Notice = { readonly text: string; readonly bad: boolean };
type Notify = {
  readonly say: (text: string) => void;
  /** Does it, and says so where it fails. True where it worked. */
  readonly attempt: (work: () => Promise<unknown>) => Promise<boolean>;
};

const Notifying = createContext<Notify>({ say: () => undefined, attempt: async () => false });
export const useNotify = (): Notify => useContext(Notifying);

const shownMs = 4000;

const reason = (error: unknown): string => {
  if (error instanceof Refused) return `${error.message}. ${error.hint}`;
  return 'The mock does not answer. Is it still running?';
};

export const NoticeProvider = ({ children }: { readonly children: ComponentChildren }) => {
  const [notice, setNotice] = useState<Notice>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const show = useCallback((shown: Notice) => {
    clearTimeout(timer.current);
    setNotice(shown);
    timer.current = setTimeout(() => setNotice(undefined), shown.bad ? 2 * shownMs : shownMs);
  }, []);
  const [notify] = useState<Notify>(() => ({
    say: (text) => show({ text, bad: false }),
    attempt: async (work) => {
      try {
        await work();
        return true;
      } catch (error) {
        show({ text: reason(error), bad: true });
        return false;
      }
    },
  }));
  return (
    <Notifying.Provider value={notify}>
      {children}
      <div class="notices" role="status">
        {notice && <div class={notice.bad ? 'notice bad' : 'notice'}>{notice.text}</div>}
      </div>
    </Notifying.Provider>
  );
};
