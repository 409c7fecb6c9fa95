// Mail is parsed here to count and to read, never to show: what is in a template runs and loads nothing. The policy's name is the
// only one that the page's Content-Security-Policy lets turn a text into HTML.
type Policy = { readonly createHTML: (html: string) => string };
type Factory = { readonly createPolicy: (name: string, rules: Policy) => Policy };

const { trustedTypes } = globalThis as { trustedTypes?: Factory };
const policy = trustedTypes?.createPolicy('inert', { createHTML: (html) => html });

// Browsers complain of inline styles in a page without them even where they style nothing: one line for each in the console.
const styleName = 'inert-style';

/** Its `style` attributes have another name, and `<body>`, which a template drops, is a `<div>`. */
const parse = (html: string): DocumentFragment => {
  const template = document.createElement('template');
  const renamed = html.replace(/(\s|["'/])style(\s*=)/gi, `$1${styleName}$2`).replace(/<body\b/gi, '<div');
  template.innerHTML = policy?.createHTML(renamed) ?? renamed;
  return template.content;
};

export type Remote = {
  /** Images it names, by address. */
  readonly images: readonly string[];
  /** Styles, fonts, frames, media: what stays blocked even when images are asked for. */
  readonly others: number;
};

const remote = /^\s*(https?:)?\/\//i;
const inStyle = /url\(\s*(['"]?)((?:https?:)?\/\/[^'")]*)\1\s*\)/gi;
const imports = /@import\s+(url\()?\s*['"]?(https?:)?\/\//gi;
const fontFaces = /@font-face\s*\{[^}]*\}/gi;

/** What a mail would load from elsewhere if it were let. */
export const remoteParts = (html: string): Remote => {
  const content = parse(html);
  const values = (selector: string, attribute: string): string[] =>
    [...content.querySelectorAll(`${selector}[${attribute}]`)].map(
      (element) => element.getAttribute(attribute) ?? '',
    );
  const styles = [...content.querySelectorAll('style')].map((style) => style.textContent).join('\n');
  const inline = values('', styleName).join('\n');
  const pictured = `${styles.replace(fontFaces, '').replace(/@import[^;]*/gi, '')}\n${inline}`;
  const images = [
    ...values('img', 'src'),
    ...values('input', 'src'),
    ...values('image', 'href'),
    ...values('video', 'poster'),
    ...values('', 'background'),
    ...[...values('img', 'srcset'), ...values('source', 'srcset')].flatMap((set) => set.split(/,\s+/)),
    ...[...pictured.matchAll(inStyle)].map(([, , url = '']) => url),
  ].filter((url) => remote.test(url));
  const elements =
    'iframe[src], frame[src], script[src], embed[src], object[data], video[src], audio[src], source[src]';
  const others =
    content.querySelectorAll(elements).length +
    values('link', 'href').filter((url) => remote.test(url)).length +
    (styles.match(imports)?.length ?? 0) +
    (styles.match(fontFaces)?.filter((face) => inStyleOnce.test(face)).length ?? 0);
  return { images: [...new Set(images.map((url) => url.trim()))], others };
};

const inStyleOnce = new RegExp(inStyle.source, 'i');

const blocks =
  'p, div, tr, li, h1, h2, h3, h4, h5, h6, table, ul, ol, blockquote, pre, section, header, footer, hr';

/** A mail as text: what a person reads in it, with its links. */
export const textOf = (html: string): string => {
  const content = parse(html);
  for (const hidden of content.querySelectorAll('script, style, title, head, template')) hidden.remove();
  for (const line of content.querySelectorAll('br')) line.replaceWith('\n');
  for (const cell of content.querySelectorAll('td, th')) cell.append(' ');
  for (const item of content.querySelectorAll('li')) item.prepend('• ');
  for (const image of content.querySelectorAll('img[alt]'))
    image.replaceWith(image.getAttribute('alt') ?? '');
  for (const link of content.querySelectorAll('a[href]')) {
    const url = link.getAttribute('href') ?? '';
    if (remote.test(url) && link.textContent?.trim() !== url) link.append(` (${url})`);
  }
  for (const block of content.querySelectorAll(blocks)) {
    block.before('\n');
    block.after('\n');
  }
  return (content.textContent ?? '')
    .replaceAll(`${styleName}=`, 'style=')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
};
