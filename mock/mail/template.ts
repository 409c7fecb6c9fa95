// What mail is made of: the templates that are stored, and the messages that are captured.
import { limits } from '../runtime/limits.ts';

/** A stored template (§2.2). */
export type Template = {
  readonly id: string;
  readonly name: string;
  readonly body: string;
  readonly variables: readonly string[];
  readonly created_at: string;
};

/** A message captured instead of sent (§4.1, §4.3): exactly what the request carried and what was rendered from it. */
export type Message = {
  readonly id: string;
  readonly operation: 'sendEmail' | 'sendTemplateEmail';
  /** `null` where the request named none. */
  readonly from: string | null;
  readonly to: string | null;
  readonly subject: string | null;
  readonly html: string | null;
  readonly template_id: string | null;
  readonly variables: Readonly<Record<string, string>> | null;
  /** ISO 8601, UTC. */
  readonly created_at: string;
};

/** What a message must have: an address without regard to case, a text within the subject, a template. */
export type MessageFilter = {
  /** `*` stands for any characters: `*@example.com`; in `from` as well. */
  readonly to?: string | undefined;
  readonly from?: string | undefined;
  readonly subject?: string | undefined;
  readonly template_id?: string | undefined;
  /** Words within recipient, sender, subject, template or text, without regard to case. */
  readonly q?: string | undefined;
};

/** A placeholder as §2.2 writes it: `{{variable_name}}`. */
const placeholder = /\{\{([^{}]*)\}\}/g;

/** The names of the placeholders in a template text, each once, in order of appearance (§2.2). */
export const placeholdersOf = (body: string): string[] => {
  const names = new Set<string>();
  // One by one: a list of all matches takes many times the memory of the text.
  for (const [, name = ''] of body.matchAll(placeholder)) names.add(name);
  return [...names];
};

/** Placeholders that a template may have, a repeated one each time. */
export const maxPlaceholders = limits.templatePlaceholders;

export const hasTooManyPlaceholders = (body: string): boolean => {
  let count = 0;
  for (const _ of body.matchAll(placeholder)) {
    count += 1;
    if (count > maxPlaceholders) return true;
  }
  return false;
};

/** Characters that a mail made from a template may have. */
export const maxRenderedLength = limits.renderedCharacters;

/** How a template text is filled. */
type RenderOptions = {
  /** What stands where a variable was left out: nothing, or the placeholder itself. */
  readonly blank?: boolean;
  /** Characters of the result at most. */
  readonly maxLength?: number;
};

/**
 * Fills the placeholders of a template text. Values go in as they are: `$&` is not a pattern, a value's own braces are
 * not filled again, and `__proto__` is a name like any other.
 * @returns the text, or `undefined` where it would be longer than `maxLength`
 */
export const renderTemplate = (
  body: string,
  variables: Readonly<Record<string, string>>,
  { blank = false, maxLength = Number.POSITIVE_INFINITY }: RenderOptions = {},
): string | undefined => {
  const fill = (whole: string, name: string): string => {
    if (Object.hasOwn(variables, name)) return variables[name] ?? '';
    return blank ? '' : whole;
  };
  // Counted on the way: a long value in a template that repeats it a thousand times does not fit into memory.
  let length = body.length;
  const text = body.replace(placeholder, (whole: string, name: string) => {
    if (length > maxLength) return '';
    const filled = fill(whole, name);
    length += filled.length - whole.length;
    return filled;
  });
  return length > maxLength ? undefined : text;
};

const htmlSigns = new Map([...'&<>"\''].map((sign) => [sign.charCodeAt(0), `&#${sign.charCodeAt(0)};`]));

/**
 * A text as it stands in HTML.
 * @param maxLength the rest is left out where the result would be longer: it is refused anyway
 */
export const escapeHtml = (text: string, maxLength = Number.POSITIVE_INFINITY): string => {
  let escaped = '';
  let from = 0;
  // Not by an expression, which takes five times as long.
  for (let at = 0; at < text.length && escaped.length <= maxLength; at += 1) {
    const entity = htmlSigns.get(text.charCodeAt(at));
    if (entity === undefined) continue;
    escaped += text.slice(from, at) + entity;
    from = at + 1;
  }
  return escaped + text.slice(from);
};
