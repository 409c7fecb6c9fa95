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

/** The remote content of a mail. */
export type RemoteContent = {
  /** Number of images. */
  readonly images: number;
  /** Number of styles, fonts, frames and media, which are blocked even if images are loaded. */
  readonly others: number;
};

const remote = /^(https?:)?\/\//i;

// None of these requires an end, so that they match in linear time.
const imports = /@import\s+(?:url\()?['"]?(?:https?:)?\/\/[^;]*/gi;
const fontFaces = /@font-face\s*\{[^}]*/gi;
const references = /url\(\s*['"]?(?:https?:)?\/\/[^\s'")]*/gi;

/** Attributes with image URLs, by element; `''` for any element. */
const imageAttributes: Readonly<Record<string, readonly string[]>> = {
  '': ['background'],
  img: ['src'],
  input: ['src'],
  image: ['href', 'xlink:href'],
  video: ['poster'],
};

const otherAttributes: Readonly<Record<string, string>> = {
  iframe: 'src',
  frame: 'src',
  script: 'src',
  embed: 'src',
  object: 'data',
  video: 'src',
  audio: 'src',
  source: 'src',
};

/** The remote resources that a mail or template refers to. */
export const remoteContentOf = (html: string): RemoteContent => {
  const images = new Set<string>();
  const styles: string[] = [];
  let others = 0;
  let inStyle = false;
  const addImage = (url: string): void => {
    if (remote.test(url.trim())) images.add(url.trim());
  };
  readHtml(html, {
    text: (text) => {
      if (inStyle) styles.push(text);
    },
    open: (name, attributes) => {
      inStyle = name === 'style';
      for (const url of imagesOf(name, attributes)) addImage(url);
      if (isOther(name, attributes)) others += 1;
    },
    close: () => {
      if (inStyle) styles.push('\n');
      inStyle = false;
    },
  });
  const css = styles.join('');
  for (const url of referencesIn(css.replace(fontFaces, '').replace(imports, ''))) addImage(url);
  others += css.match(imports)?.length ?? 0;
  others += (css.match(fontFaces) ?? []).filter((face) => referencesIn(face).length > 0).length;
  return { images: images.size, others };
};

const imagesOf = (name: string, attributes: ReadonlyMap<string, string>): string[] => {
  const names = [
    ...(imageAttributes[''] ?? []),
    ...(Object.hasOwn(imageAttributes, name) ? (imageAttributes[name] ?? []) : []),
  ];
  const set = name === 'img' || name === 'source' ? (attributes.get('srcset') ?? '') : '';
  return [
    ...names.map((attribute) => attributes.get(attribute) ?? ''),
    ...set.split(','),
    ...referencesIn(attributes.get('style') ?? ''),
  ];
};

const isOther = (name: string, attributes: ReadonlyMap<string, string>): boolean => {
  if (name === 'link') return remote.test(attributes.get('href')?.trim() ?? '');
  return Object.hasOwn(otherAttributes, name) && attributes.has(otherAttributes[name] ?? '');
};

/** The addresses in `url(…)`. */
const referencesIn = (css: string): string[] =>
  (css.match(references) ?? []).map((reference) => reference.replace(/^url\(\s*['"]?/i, ''));
