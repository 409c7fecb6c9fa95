/** A placeholder as §2.2 writes it: `{{variable_name}}`. */
const placeholder = /\{\{([^{}]*)\}\}/g;

/** The names of the placeholders in a template text, each once, in order of appearance (§2.2). */
export const placeholdersOf = (body: string): string[] => [
  ...new Set([...body.matchAll(placeholder)].map((match) => match[1] ?? '')),
];

/**
 * Fills the placeholders of a template text. Values go in as they are: `$&` is not a pattern, a value's own braces are
 * not filled again, and `__proto__` is a name like any other.
 * @param missing what stands where a variable was left out: the placeholder itself, or nothing
 */
export const substitute = (
  body: string,
  variables: Readonly<Record<string, string>>,
  missing: (whole: string) => string = (whole) => whole,
): string =>
  body.replace(placeholder, (whole, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name] ?? '') : missing(whole),
  );

/** A text as it stands in HTML. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
