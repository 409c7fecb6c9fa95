/**
 * A place in a sequence that clients hold on to: what came after it is new to them. It names the epoch too, because a reset
 * starts the numbers over: a cursor from before means that all there is now is new.
 */
export const writeCursor = (epoch: number, number: number): string => `${epoch}.${number}`;

/** The form of a cursor; its meaning is nobody's business but `readCursor`'s. */
export const cursorPattern = /^\d{1,9}\.\d{1,15}$/;

/** Numbers above the one returned are after the cursor; 0 where the cursor is of another epoch, or ahead of the last number. */
export const readCursor = (cursor: string | undefined, epoch: number, last: number): number => {
  const [of, number] = (cursor ?? '').split('.').map(Number);
  return of === epoch && number !== undefined && number <= last ? number : 0;
};
