/** A moment between two times of one monotonic clock, in milliseconds. */
export type Window = { readonly from: number; readonly to: number };

/**
 * Longest time in milliseconds for which a response may show the state from before a change. The document states none; a longer
 * delay is a finding.
 */
export const maxLagMs = 5000;

/** A change of a value. It took effect at some moment of its window; an uncertain one at any later time, or never. */
export type Write<Value> = Window & {
  /** `anything` if nobody knows it. */
  readonly value: Value | 'anything';
  readonly isCertain: boolean;
  /** The window of the exchange that caused it; none for the state before the first exchange. */
  readonly by?: Window;
};

/** A value that requests change: its writes, in any order. */
export type Register<Value> = Write<Value>[];

/** The state before the first write. */
export const initially = <Value>(value: Value | 'anything'): Write<Value> => ({
  value,
  from: Number.NEGATIVE_INFINITY,
  to: Number.NEGATIVE_INFINITY,
  isCertain: true,
});

/** Older writes than these are forgotten: requests replace each other, and a long session has thousands. */
const maxWrites = 12;

/** Adds the write of an exchange in this window. */
export const write = <Value>(
  register: Register<Value>,
  value: NoInfer<Value> | 'anything',
  by: Window,
  isCertain = true,
): void => {
  register.push({ value, from: by.from, to: isCertain ? by.to : Number.POSITIVE_INFINITY, isCertain, by });
  if (register.length > maxWrites) register.shift();
};

/** Takes back what the exchange in this window has written. */
export const withdraw = (register: Register<unknown>, by: Window): void => {
  register.splice(0, register.length, ...register.filter((entry) => entry.by !== by));
};

/**
 * The writes that a read may show: those that began before the read ended, and that no certain write replaced which began
 * after them and took effect before the read began. A write of the same exchange does not count.
 * @param lagMs milliseconds for which a read may show the state from before a write
 */
export const possibleWrites = <Value>(
  register: Register<Value>,
  read: Window,
  lagMs = 0,
): readonly Write<Value>[] => {
  const writes = register.filter((entry) => entry.from < read.to && entry.by !== read);
  return writes.filter(
    (entry) =>
      !writes.some(
        (later) =>
          later.isCertain && later !== entry && later.from >= entry.to && later.to + lagMs <= read.from,
      ),
  );
};
