import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError } from '../configuration-error.ts';
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
export class ReportError extends ConfigurationError {}

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

type Places = {
  readonly directory: string;
  /** File that a job summary is added to; GitHub names it in GITHUB_STEP_SUMMARY. */
  readonly stepSummary?: string | undefined;
  /** Takes what goes to standard output. */
  readonly print: (text: string) => void;
};

/**
 * Prints the reports that are printed, then writes those that are files: a verdict is said even on a full disk.
 * @returns the files it wrote
 * @throws ReportError when one cannot be written
 */
export const writeReports = async (
  report: Report,
  kinds: readonly ReportKind[],
  { directory, stepSummary, print }: Places,
): Promise<string[]> => {
  if (kinds.includes('console')) print(`${consoleReport(report)}\n`);
  if (kinds.includes('github')) print(githubReport(report, await promiseLines()));
  const rendered = filesOf(kinds).map(([name, render]) => [join(directory, name), render(report)] as const);
  attempt(directory, () => {
    for (const [file, content] of rendered) writeFileSync(file, content);
  });
  if (stepSummary && kinds.includes('markdown'))
    attempt(stepSummary, () => appendFileSync(stepSummary, markdownReport(report)));
  return rendered.map(([file]) => file);
};

const attempt = (place: string, act: () => void): void => {
  try {
    act();
  } catch (error) {
    throw new ReportError(`the reports cannot be written to ${place}: ${(error as Error).message}`);
  }
};
