/** A part of HTML; with a class where it is highlighted. */
type Token = { readonly text: string; readonly class?: string };

// An unterminated token extends to the end of the text: otherwise the expression would take quadratic time.
const pattern =
  /(<!--[\s\S]*?(?:-->|$)|<![a-z][^>]*>?)|(<\/?[a-z][^\s>/]*|\/?>)|("[^"<]*"|'[^'<]*')|(\{\{[^{}]*\}\})/gi;

const classes = ['t-comment', 't-tag-name', 't-string', 't-variable'];

/** Splits HTML into tokens, in linear time. */
export const tokenize = (html: string): Token[] => {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of html.matchAll(pattern)) {
    const [token, ...groups] = match;
    const group = groups.findIndex((part) => part !== undefined);
    tokens.push({ text: html.slice(end, match.index) }, { text: token, class: classes[group] ?? '' });
    end = match.index + token.length;
  }
  return [...tokens, { text: html.slice(end) }];
};
