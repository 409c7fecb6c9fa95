import { Tokenizer } from 'htmlparser2';

/** Callbacks for the parts of HTML, from beginning to end. Names are in lower case. */
type HtmlVisitor = {
  readonly text: (text: string) => void;
  readonly open: (name: string, attributes: ReadonlyMap<string, string>) => void;
  readonly close: (name: string) => void;
};

// Half a megabyte of any HTML is read in less than 100 ms. The rest is not parsed.
const maxHtmlLength = 512 * 1024;

/**
 * Reads HTML tag by tag, in linear time. Uses only the tokenizer of the library: its parser searches all open elements for each
 * end tag.
 */
const readHtml = (html: string, visitor: HtmlVisitor, maxLength = maxHtmlLength): void => {
  const source = html.slice(0, maxLength);
  let name = '';
  let attributes = new Map<string, string>();
  let attribute = '';
  let value = '';
  const finishTag = (): void => visitor.open(name, attributes);
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      ontext: (start, end) => visitor.text(source.slice(start, end)),
      ontextentity: (code) => visitor.text(String.fromCodePoint(code)),
      onopentagname: (start, end) => {
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
      onopentagend: finishTag,
      onselfclosingtag: finishTag,
      onclosetag: (start, end) => visitor.close(source.slice(start, end).toLowerCase()),
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

const hiddenElements = new Set(['style', 'script', 'title', 'template', 'head']);

/** As `readHtml`, without invisible text and elements. */
export const readVisibleHtml = (html: string, visitor: HtmlVisitor, maxLength?: number): void => {
  let hidden: string | undefined;
  readHtml(
    html,
    {
      text: (text) => {
        if (hidden === undefined) visitor.text(text);
      },
      open: (name, attributes) => {
        // A body ends a head without an end tag.
        if (hidden === 'head' && name === 'body') hidden = undefined;
        if (hidden !== undefined) return;
        if (hiddenElements.has(name)) hidden = name;
        visitor.open(name, attributes);
      },
      close: (name) => {
        if (hidden === name) hidden = undefined;
        else if (hidden === undefined) visitor.close(name);
      },
    },
    maxLength,
  );
};
