import { clip, onOneLine, visible } from './visible.ts';

/** A fence longer than any run of back-ticks in what it holds. */
const fenceFor = (content: string, least: number): string =>
  '`'.repeat(Math.max(least, ...[...content.matchAll(/`+/g)].map(([run]) => run.length + 1)));

/** What a deployment said, where Markdown looks for nothing. */
export const code = (content: string): string => {
  const line = clip(onOneLine(visible(content)), 500);
  const fence = fenceFor(line, 1);
  return line === '' ? '(nothing)' : `${fence} ${line} ${fence}`;
};

/** Words that are ours as long as they are plain: a verdict may quote a deployment, and then it is code. */
export const words = (text: string): string =>
  /^[A-Za-z0-9 ,.:;()'§-]*$/.test(text) && !/www\./i.test(text) ? text : code(text);

/** A command to copy. */
export const block = (content: string): string => {
  const lines = clip(visible(content), 3_000);
  const fence = fenceFor(lines, 3);
  return `${fence}sh\n${lines}\n${fence}`;
};

/** A part that is opened by whoever wants it; the summary is HTML. */
export const details = (summary: string, content: string): string =>
  `<details><summary>${summary}</summary>\n\n${content}\n\n</details>`;
