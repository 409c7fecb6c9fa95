/** A placeholder as §2.2 writes it: `{{variable_name}}`. */
const placeholder = /\{\{([^{}]*)\}\}/g;

/** The names of the placeholders in a template text, each once, in order of appearance (§2.2). */
export const placeholdersOf = (body: string): string[] => [
  ...new Set([...body.matchAll(placeholder)].map((match) => match[1] ?? '')),
];

/** How a template text is filled. */
export type Filling = {
  /** What stands where a variable was left out: nothing, or the placeholder itself. */
  readonly blank?: boolean;
  /** Characters of the result at most. */
  readonly longest?: number;
};

/**
 * Fills the placeholders of a template text. Values go in as they are: `$&` is not a pattern, a value's own braces are
 * not filled again, and `__proto__` is a name like any other.
 * @returns the text, or `undefined` where it would be longer than `longest`
 */
export const substitute = (
  body: string,
  variables: Readonly<Record<string, string>>,
  { blank = false, longest = Number.POSITIVE_INFINITY }: Filling = {},
): string | undefined => {
  const fill = (whole: string, name: string): string => {
    if (Object.hasOwn(variables, name)) return variables[name] ?? '';
    return blank ? '' : whole;
  };
  // Counted first: a long value in a template that repeats it a thousand times does not fit into memory.
  let length = body.length;
  for (const [whole, name = ''] of body.matchAll(placeholder))
    length += fill(whole, name).length - whole.length;
  return length > longest ? undefined : body.replace(placeholder, fill);
};

/** A text as it stands in HTML. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
