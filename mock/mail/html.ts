import { Tokenizer } from 'htmlparser2';

/** Callbacks for the visible parts of HTML, from beginning to end, with the position of each. Names are in lower case. */
type HtmlVisitor = {
  readonly text: (text: string, at: number) => void;
  readonly open: (name: string, attributes: ReadonlyMap<string, string>, at: number) => void;
  readonly close: (name: string) => void;
};

// Half a megabyte of any HTML is read in less than 100 ms. The rest is not parsed.
export const maxHtmlLength = 512 * 1024;

const hiddenElements = new Set(['style', 'script', 'title', 'template', 'head']);

/**
 * Reads HTML tag by tag, in linear time, without what is inside invisible elements. Uses only the tokenizer of the library: its
 * parser searches all open elements for each end tag.
 */
export const readHtml = (html: string, visitor: HtmlVisitor): void => {
  const source = html.slice(0, maxHtmlLength);
  let hidden: string | undefined;
  let name = '';
  let at = 0;
  let attributes = new Map<string, string>();
  let attribute = '';
  let value = '';
  const readText = (text: string, start: number): void => {
    if (hidden === undefined) visitor.text(text, start);
  };
  const open = (): void => {
    // A body ends a head without an end tag.
    if (hidden === 'head' && name === 'body') hidden = undefined;
    if (hidden !== undefined) return;
    if (hiddenElements.has(name)) hidden = name;
    else visitor.open(name, attributes, at);
  };
  const close = (closed: string): void => {
    if (hidden === closed) hidden = undefined;
    else if (hidden === undefined) visitor.close(closed);
  };
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      ontext: (start, end) => readText(source.slice(start, end), start),
      ontextentity: (code, end) => readText(String.fromCodePoint(code), end),
      onopentagname: (start, end) => {
        at = start;
        name = source.slice(start, end).toLowerCase();
        attributes = new Map();
      },
      onattribname: (start, end) => {
        attribute = source.slice(start, end).toLowerCase();
        value = '';
      },
      onattribdata: (start, end) => {
        value += source.slice(start, end);
      },
      onattribentity: (code) => {
        value += String.fromCodePoint(code);
      },
      // Of attributes with the same name the first one applies.
      onattribend: () => {
        if (!attributes.has(attribute)) attributes.set(attribute, value);
      },
      onopentagend: open,
      onselfclosingtag: open,
      onclosetag: (start, end) => close(source.slice(start, end).toLowerCase()),
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onprocessinginstruction: ignore,
    },
  );
  tokenizer.write(source);
  tokenizer.end();
};

const ignore = (): void => undefined;
