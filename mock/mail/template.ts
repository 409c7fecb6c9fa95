// Stored templates and captured messages.
import type { components } from '../generated/state.ts';
import { limits } from '../store/store.ts';
import type { WarningId } from './warnings.ts';

/** A stored template (§2.2). */
export type Template = Required<components['schemas']['Template']>;

/** A message captured instead of sent (§4.1, §4.3): the fields of the request, and the rendered content. */
export type Message = Required<components['schemas']['Message']>;

/** A message as people write it. */
export type MessageInput = Pick<Message, 'operation'> & {
  readonly [Field in keyof Message]?: Message[Field] | undefined;
};

/** Selects messages by address (ignoring case), text in the subject, template, warning or words. */
export type MessageFilter = {
  /** `*` stands for any characters, as in `from`: `*@example.com`. */
  readonly to?: string | undefined;
  readonly from?: string | undefined;
  readonly subject?: string | undefined;
  readonly template_id?: string | undefined;
  /** A rule that the message breaks. */
  readonly warning?: WarningId | undefined;
  /** Words in recipient, sender, subject, template or text, ignoring case. */
  readonly q?: string | undefined;
};

/** A placeholder (§2.2): `{{variable_name}}`. */
const placeholder = /\{\{([^{}]*)\}\}/g;

/**
 * The names of the placeholders in a template text, without duplicates, in order of appearance (§2.2).
 * @returns `undefined` if there are more than `limits` says, including repeated ones
 */
export const placeholdersOf = (body: string): string[] | undefined => {
  const names = new Set<string>();
  let count = 0;
  // One by one: a list of all matches would take many times the memory of the text.
  for (const [, name = ''] of body.matchAll(placeholder)) {
    names.add(name);
    count += 1;
    if (count > limits.templatePlaceholders) return undefined;
  }
  return [...names];
};

/** Highest number of characters in a rendered template. */
const maxLength = limits.renderedCharacters;

/**
 * Fills the placeholders of a template text. Values are inserted unchanged: `$&` is not a pattern, placeholders in values are
 * not filled, and `__proto__` is an ordinary name.
 * @param isBlank whether a placeholder without a value becomes empty; by default it stays
 * @param isEscaped whether values are escaped for HTML
 * @returns the text, or `undefined` if it would be too long
 */
export const renderTemplate = (
  body: string,
  variables: Readonly<Record<string, string>>,
  isBlank = false,
  isEscaped = false,
): string | undefined => {
  const fill = (whole: string, name: string): string => {
    if (!Object.hasOwn(variables, name)) return isBlank ? '' : whole;
    const value = variables[name] ?? '';
    return isEscaped ? value.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`) : value;
  };
  // Counted before the text is built: a long value in a thousand placeholders does not fit into memory.
  let length = body.length;
  const text = body.replace(placeholder, (whole: string, name: string) => {
    if (length > maxLength) return '';
    const filled = fill(whole, name);
    length += filled.length - whole.length;
    return filled;
  });
  return length > maxLength ? undefined : text;
};
