import type { HtmlVisitor } from './html.ts';

/** A position in HTML, and what is there. */
export type Found = { readonly text: string; readonly at: number };

// Names of the HTML standard. These have no end tag; that of others, and the start tag of some, may be left out.
const voidElements = new Set(
  'area base basefont bgsound br col embed frame hr img input link meta param source track wbr'.split(' '),
);
const impliedElements = new Set('html head body colgroup tbody'.split(' '));
const closedByOthers = new Set('caption dd dt li optgroup option p rp rt td tfoot th thead tr'.split(' '));

const maxNameLength = 40;
const shown = (name: string): string => name.slice(0, maxNameLength);

/**
 * Finds the first place where HTML is broken: a tag or a comment without an end, an element that is not closed or closed too late,
 * an end tag without a start tag. What browsers accept without repair is not broken, and some of what they do repair:
 * paragraphs that others end, slashes of XML.
 */
export const createStructure = (): Required<HtmlVisitor> & { readonly problem: () => Found | undefined } => {
  const open: Found[] = [];
  let problem: Found | undefined;
  const hasTwoTags = (name: string): boolean => !voidElements.has(name) && !impliedElements.has(name);
  return {
    text: () => undefined,
    open: (text, _attributes, at, isClosed) => {
      if (!problem && !isClosed && hasTwoTags(text)) open.push({ text, at });
    },
    close: (name, at) => {
      if (problem || !hasTwoTags(name)) return;
      let last = open.at(-1);
      while (last && last.text !== name && closedByOthers.has(last.text)) {
        open.pop();
        last = open.at(-1);
      }
      if (last?.text === name) open.pop();
      else if (last && open.some(({ text }) => text === name))
        problem = { text: `<${shown(last.text)}> is not closed before </${shown(name)}>`, at: last.at };
      else problem = { text: `</${shown(name)}> closes nothing`, at };
    },
    unfinished: (at) => {
      problem ??= { text: 'a tag or a comment has no end', at };
    },
    problem: () => {
      const unclosed = open.find(({ text }) => !closedByOthers.has(text));
      return problem ?? (unclosed && { text: `<${shown(unclosed.text)}> is not closed`, at: unclosed.at });
    },
  };
};
