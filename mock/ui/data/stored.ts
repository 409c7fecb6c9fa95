import { useState } from 'preact/hooks';

/** One of several choices, at first the first, saved in this browser. Without storage it lasts until the page is closed. */
export const useStored = <T extends string>(
  name: string,
  choices: readonly T[],
): [T, (choice: T) => void] => {
  const [value, setValue] = useState(
    () => choices.find((choice) => choice === readStored(name)) ?? (choices[0] as T),
  );
  return [
    value,
    (choice) => {
      writeStored(name, choice);
      setValue(choice);
    },
  ];
};

const readStored = (name: string): string | null => {
  try {
    return localStorage.getItem(`email-leads.${name}`);
  } catch {
    return null;
  }
};

const writeStored = (name: string, value: string): void => {
  try {
    localStorage.setItem(`email-leads.${name}`, value);
  } catch {
    // No storage: the setting lasts until the page is closed.
  }
};
