import { AdminApiError } from './api.ts';
import { serverName } from './router.ts';
import { createStore } from './store.ts';

export type Notice = { readonly text: string; readonly isError: boolean };

/** The text that the page shows for some seconds. */
export const notice = createStore<Notice | undefined>(undefined);

const noticeMs = 4000;
let hiding: ReturnType<typeof setTimeout> | undefined;

/** Shows a text for some seconds. */
export const showNotice = (text: string, isError = false): void => {
  notice.set({ text, isError });
  clearTimeout(hiding);
  hiding = setTimeout(() => notice.set(undefined), isError ? 2 * noticeMs : noticeMs);
};

/** Runs an action, and shows and returns its error. */
export const attempt = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    await work();
    return undefined;
  } catch (error) {
    const lost = `The ${serverName} does not respond. Try again when it runs.`;
    showNotice(error instanceof AdminApiError ? error.text : lost, true);
    return error;
  }
};
