/**
 * The time of one server. It passes as everywhere, and can be advanced: a run that waits for a change, or for a pause that the server
 * asks for, need not wait in the proof.
 */
export const createTime = () => {
  let skippedMs = 0;
  const due = new Set<{ readonly at: number; readonly act: () => void; timer?: NodeJS.Timeout }>();
  /** Milliseconds since 1970. */
  const now = (): number => Date.now() + skippedMs;
  /** Does what is due, in the order in which it is due, and waits for the rest. */
  const settle = (): void => {
    for (const one of [...due].sort((left, right) => left.at - right.at)) {
      clearTimeout(one.timer);
      if (one.at > now()) one.timer = setTimeout(settle, one.at - now()).unref();
      else if (due.delete(one)) one.act();
    }
  };
  return {
    now,
    /** Does something later. */
    after: (ms: number, act: () => void): void => {
      due.add({ at: now() + ms, act });
      settle();
    },
    advance: (ms: number): void => {
      skippedMs += ms;
      settle();
    },
  };
};

export type Time = ReturnType<typeof createTime>;
