// Of texts, for tests too: without the client of the admin API, which needs a page.

/** `1 request`, `2,000 requests` */
export const countText = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

export type Language = 'html' | 'json' | 'prose' | 'plain';

/** A part of a text; with a class where it is highlighted. */
type Token = { readonly text: string; readonly class?: string };

// An unterminated token extends to the end of the text: otherwise the expression would take quadratic time.
const tokens = {
  html: /(<!--[\s\S]*?(?:-->|$)|<![a-z][^>]*>?)|(<\/?[a-z][^\s>/]*|\/?>)|("[^"<]*"|'[^'<]*')|(\{\{[^{}]*\}\})/gi,
  json: /("(?:[^"\\]|\\[\s\S])*"?)|(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(true|false|null)/gi,
} as const;

const classes = {
  html: ['comment', 'tag-name', 'string', 'variable'],
  json: ['string', 'variable', 'comment'],
} as const;

const classOf = (language: keyof typeof tokens, match: RegExpExecArray): string => {
  const [token, ...groups] = match;
  // A string before a colon is the name of a member.
  if (language === 'json' && match.input[match.index + token.length] === ':') return 'tag-name';
  return classes[language][groups.findIndex((group) => group !== undefined)] ?? '';
};

/** Splits a text into tokens, in linear time. */
export const tokenize = (text: string, language: Language): Token[] => {
  if (language === 'prose' || language === 'plain') return [{ text }];
  const parts: Token[] = [];
  let end = 0;
  for (const match of text.matchAll(tokens[language])) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index) });
    parts.push({ text: match[0], class: `t-${classOf(language, match)}` });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
};
