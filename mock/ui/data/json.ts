// Apart from the admin API, as that needs a page.
/** What a text says in JSON; `undefined` where it is none. */
export const parseJson = (text: string | null | undefined): unknown => {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
};
