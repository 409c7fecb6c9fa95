import { StateError } from '../schema-error.ts';
import { AdminError } from './route.ts';

/** What `check` returns, or its complaint as a refusal that names the place in the body. */
export const sound = <Value>(consequence: string, check: () => Value): Value => {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    throw new AdminError(
      400,
      `body${error.pointer} ${error.what}`,
      `${consequence} What is taken is described at /__admin/openapi.json.`,
    );
  }
};
