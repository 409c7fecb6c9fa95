import { useEffect, useState } from 'preact/hooks';

/** A value of the whole page. Components that `use` it are rendered again when it is set. */
export const createStore = <T>(initial: T) => {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    set: (next: T): void => {
      value = next;
      for (const listener of listeners) listener();
    },
    use: (): T => {
      const [shown, show] = useState(value);
      useEffect(() => {
        const update = (): void => show(() => value);
        // It may have been set since the component was rendered.
        update();
        listeners.add(update);
        return () => void listeners.delete(update);
      }, []);
      return shown;
    },
  };
};
