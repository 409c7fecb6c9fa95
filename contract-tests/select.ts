import type { Check } from './check.ts';
import { ConfigurationError } from './configuration-error.ts';

/** A filter that matches nothing: most likely a typing mistake, and never a green run. */
export class SelectionError extends ConfigurationError {}

const matches = (pattern: string, { id }: Check): boolean =>
  id === pattern || id.startsWith(`${pattern.replace(/\.$/, '')}.`);

/**
 * The checks that `only` names and `skip` does not; both take ids and their beginnings up to a dot.
 * @throws SelectionError for a pattern that matches no check, or when nothing is left
 */
export const selectChecks = (
  all: readonly Check[],
  only: readonly string[],
  skip: readonly string[],
): Check[] => {
  for (const pattern of [...only, ...skip]) {
    if (!all.some((check) => matches(pattern, check))) {
      throw new SelectionError(
        `no check is called ${JSON.stringify(pattern)} or begins so; --list names them all`,
      );
    }
  }
  const chosen = all.filter(
    (check) =>
      (only.length === 0 || only.some((pattern) => matches(pattern, check))) &&
      !skip.some((pattern) => matches(pattern, check)),
  );
  if (chosen.length === 0) throw new SelectionError('--only and --skip leave no check to run');
  return chosen;
};
