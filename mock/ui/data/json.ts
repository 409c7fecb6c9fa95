// In a file without the admin API client, which needs a page.
/** A text parsed as JSON; `undefined` if it is not JSON. */
export const parseJson = (text: string | null | undefined): unknown => {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
};
