import { Tokenizer } from 'htmlparser2';

/** Callbacks for the parts of HTML, from beginning to end, with the position of each. Names are in lower case. */
export type HtmlVisitor = {
  readonly text: (text: string, at: number) => void;
  /** `isClosed`: the tag ends with a slash. */
  readonly open: (
    name: string,
    attributes: ReadonlyMap<string, string>,
    at: number,
    isClosed: boolean,
  ) => void;
  readonly close: (name: string, at: number) => void;
  /** A tag or a comment that nothing ends. */
  readonly unfinished?: (at: number) => void;
};

// Half a megabyte of any HTML is read in less than 100 ms. The rest is not parsed.
export const maxHtmlLength = 512 * 1024;

/**
 * Reads HTML tag by tag, in linear time. Uses only the tokenizer of the library: its parser searches all open elements for each
 * end tag.
 */
export const readHtml = (html: string, visitors: readonly HtmlVisitor[], maxLength = maxHtmlLength): void => {
  const each = (visit: (visitor: HtmlVisitor) => void): void => visitors.forEach(visit);
  const source = html.slice(0, maxLength);
  let name = '';
  let at = 0;
  let isInTag = false;
  let attributes = new Map<string, string>();
  let attribute = '';
  let value = '';
  const finishTag = (isClosed: boolean): void => {
    isInTag = false;
    each(({ open }) => open(name, attributes, at, isClosed));
  };
  const readText = (text: string, start: number): void => each((visitor) => visitor.text(text, start));
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      ontext: (start, end) => readText(source.slice(start, end), start),
      ontextentity: (code, end) => readText(String.fromCodePoint(code), end),
      onopentagname: (start, end) => {
        at = start;
        isInTag = true;
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
      onopentagend: () => finishTag(false),
      onselfclosingtag: () => finishTag(true),
      onclosetag: (start, end) => {
        const closed = source.slice(start, end).toLowerCase();
        each(({ close }) => close(closed, start));
      },
      oncdata: ignore,
      oncomment: (start, end) => {
        if (end === source.length) each(({ unfinished }) => unfinished?.(start));
      },
      ondeclaration: ignore,
      onend: () => {
        if (isInTag) each(({ unfinished }) => unfinished?.(at));
      },
      onprocessinginstruction: ignore,
    },
  );
  tokenizer.write(source);
  tokenizer.end();
};

const ignore = (): void => undefined;

const hiddenElements = new Set(['style', 'script', 'title', 'template', 'head']);

/** Leaves out invisible text, and what is inside invisible elements. */
export const onlyVisible = (visitor: HtmlVisitor): HtmlVisitor => {
  let hidden: string | undefined;
  return {
    text: (text, at) => {
      if (hidden === undefined) visitor.text(text, at);
    },
    open: (name, attributes, at, isClosed) => {
      // A body ends a head without an end tag.
      if (hidden === 'head' && name === 'body') hidden = undefined;
      if (hidden !== undefined) return;
      if (hiddenElements.has(name)) hidden = name;
      visitor.open(name, attributes, at, isClosed);
    },
    close: (name, at) => {
      if (hidden === name) hidden = undefined;
      else if (hidden === undefined) visitor.close(name, at);
    },
  };
};

/** As `readHtml`, without invisible text and elements. */
export const readVisibleHtml = (html: string, visitor: HtmlVisitor, maxLength?: number): void =>
  readHtml(html, [onlyVisible(visitor)], maxLength);
