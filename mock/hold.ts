import type { ServerResponse } from 'node:http';
import { startTimer, stopTimer } from './real-time.ts';

/**
 * Waits, then goes on; at once where the client closes the connection meanwhile.
 * @param then told whether the client is gone
 */
export const hold = (ms: number, response: ServerResponse, then: (gone: boolean) => void): void => {
  const end = (gone: boolean): void => {
    stopTimer(timer);
    response.off('close', leave);
    then(gone);
  };
  const leave = (): void => end(true);
  // A reply that waits must not keep a process alive that was told to stop.
  const timer = startTimer(() => end(false), ms).unref();
  response.once('close', leave);
};
