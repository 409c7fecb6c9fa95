// For tests: a strict XML 1.0 reader.
import { SaxesParser } from 'saxes';

export type Element = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Names of the elements around it, the outermost first. */
  readonly path: readonly string[];
  text: string;
};

/** Every element in the order of the file, each with the text directly in it. @throws for anything that is not well-formed */
export const readXml = (xml: string): Element[] => {
  const parser = new SaxesParser();
  const open: Element[] = [];
  const all: Element[] = [];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes, path: open.map((ancestor) => ancestor.name), text: '' };
    open.push(element);
    all.push(element);
  });
  parser.on('text', (text) => {
    const element = open.at(-1);
    if (element) element.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return all;
};
