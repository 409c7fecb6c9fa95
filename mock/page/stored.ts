import { useState } from 'preact/hooks';

/** What a person chose, kept in this browser; where storage is forbidden, until the page is closed. */
export const readStored = (name: string): string | null => {
  try {
    return localStorage.getItem(`email-leads.${name}`);
  } catch {
    return null;
  }
};

export const writeStored = (name: string, value: string): void => {
  try {
    localStorage.setItem(`email-leads.${name}`, value);
  } catch {
    // Then it holds for as long as the page is open.
  }
};

/** One of a few choices, remembered. */
export const useStored = <T extends string>(
  name: string,
  choices: readonly T[],
  fallback: T,
): [T, (choice: T) => void] => {
  const [value, setValue] = useState<T>(() => {
    const stored = readStored(name);
    return choices.find((choice) => choice === stored) ?? fallback;
  });
  return [
    value,
    (choice) => {
      writeStored(name, choice);
      setValue(choice);
    },
  ];
};
