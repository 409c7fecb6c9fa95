import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { consoleReport } from './console.ts';
import { githubReport } from './github.ts';
import { htmlReport } from './html.ts';
import { jsonReport, schemaFile, schemaText } from './json.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import { promiseLines } from './promise-lines.ts';
import type { Report } from './report.ts';

export const reportKinds = ['console', 'json', 'junit', 'html', 'markdown', 'github'] as const;
export type ReportKind = (typeof reportKinds)[number];

/** A choice of reports that cannot be served; the message says why. */
export class ReportError extends Error {}

type FileKind = Exclude<ReportKind, 'console' | 'github'>;
type Written = Readonly<Record<string, (report: Report) => string>>;

const files: Readonly<Record<FileKind, Written>> = {
  json: { 'report.json': jsonReport, [schemaFile]: schemaText },
  junit: { 'junit.xml': junitReport },
  html: { 'report.html': htmlReport },
  markdown: { 'summary.md': markdownReport },
};

/**
 * The kinds of reports in `console,junit` and the like; none named is the console.
 * @throws ReportError for a name that is none
 */
export const parseKinds = (lists: readonly string[]): ReportKind[] => {
  const names = lists.flatMap((list) => list.split(',')).map((name) => name.trim());
  for (const name of names) {
    if (!isKind(name))
      throw new ReportError(
        `there is no report ${JSON.stringify(name)}; there are ${reportKinds.join(', ')}`,
      );
  }
  return names.length === 0 ? ['console'] : reportKinds.filter((kind) => names.includes(kind));
};

const isKind = (name: string): name is ReportKind => (reportKinds as readonly string[]).includes(name);

const filesOf = (kinds: readonly ReportKind[]): [string, (report: Report) => string][] =>
  kinds.flatMap((kind) => (kind === 'console' || kind === 'github' ? [] : Object.entries(files[kind])));

/**
 * Makes sure before a run that its reports can be written, and takes away those of an earlier run: a report that is there
 * is of this one, whatever becomes of it.
 * @throws ReportError
 */
export const prepareDirectory = (kinds: readonly ReportKind[], directory: string): void =>
  attempt(directory, () => {
    const names = filesOf(kinds).map(([name]) => join(directory, name));
    if (names.length > 0) mkdirSync(directory, { recursive: true });
    for (const name of names) writeFileSync(name, '');
    for (const name of names) rmSync(name);
  });

/**
 * Writes the reports that are files and gives back what the others say on standard output.
 * @throws ReportError when a file cannot be written
 */
export const writeReports = async (
  report: Report,
  kinds: readonly ReportKind[],
  directory: string,
): Promise<{ readonly output: string; readonly files: readonly string[] }> => {
  const written = filesOf(kinds).map(([name, render]) => [join(directory, name), render(report)] as const);
  attempt(directory, () => {
    for (const [file, content] of written) writeFileSync(file, content);
  });
  const output = [
    ...(kinds.includes('console') ? [`${consoleReport(report)}\n`] : []),
    ...(kinds.includes('github') ? [githubReport(report, await promiseLines())] : []),
  ].join('');
  return { output, files: written.map(([file]) => file) };
};

const attempt = (directory: string, act: () => void): void => {
  try {
    act();
  } catch (error) {
    throw new ReportError(`the reports cannot be written to ${directory}: ${(error as Error).message}`);
  }
};
