import { appendFileSync, existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readFileFor } from '../../mock/contract/system-errors.ts';
import { ConfigurationError } from '../client/errors.ts';
import { expectWritable, makeDirectory, writeOutput, writing } from '../client/output-file.ts';
import { parseJson } from '../exchange/exchange.ts';
import { type ConsoleOptions, consoleReport } from './console.ts';
import { githubReport, markdownReport } from './github.ts';
import { htmlReport } from './html.ts';
import { junitReport } from './junit.ts';
import schema from './report.schema.json' with { type: 'json' };
import type { Report } from './report.ts';

/** The schema, written beside the report so that `$schema` resolves without a network. */
const schemaFile = 'report.schema.json';

const schemaText = (): string => `${JSON.stringify(schema, null, 2)}\n`;

export const jsonReport = (report: Report): string =>
  `${JSON.stringify({ $schema: `./${schemaFile}`, ...report }, null, 2)}\n`;

export const reportKinds = ['console', 'json', 'junit', 'html', 'markdown', 'github'] as const;
export type ReportKind = (typeof reportKinds)[number];

type FileKind = Exclude<ReportKind, 'console' | 'github'>;
type ReportFiles = Readonly<Record<string, (report: Report) => string>>;

const files: Readonly<Record<FileKind, ReportFiles>> = {
  json: { 'report.json': jsonReport, [schemaFile]: schemaText },
  junit: { 'junit.xml': junitReport },
  html: { 'report.html': htmlReport },
  markdown: { 'summary.md': markdownReport },
};

/**
 * Parses lists of report kinds such as `console,junit`; the default is the console.
 * @throws ConfigurationError for an unknown kind
 */
export const parseKinds = (lists: readonly string[]): ReportKind[] => {
  const names = lists.flatMap((list) => list.split(',')).map((name) => name.trim());
  for (const name of names) {
    if (!isKind(name))
      throw new ConfigurationError(
        `there is no report ${JSON.stringify(name)}; there are ${reportKinds.join(', ')}`,
      );
  }
  return names.length === 0 ? ['console'] : reportKinds.filter((kind) => names.includes(kind));
};

const isKind = (name: string): name is ReportKind => (reportKinds as readonly string[]).includes(name);

const filesOf = (kinds: readonly ReportKind[]): [string, (report: Report) => string][] =>
  kinds.flatMap((kind) => (kind === 'console' || kind === 'github' ? [] : Object.entries(files[kind])));

/** Directory of the scripts that reproduce the findings of the last run, one file per check. */
const scriptDirectory = 'replay';

/** Removes the scripts of an earlier run, which had other findings. A link leads to files of somebody else. */
const removeScripts = (parent: string): void => {
  const directory = join(parent, scriptDirectory);
  // A file in place of the parent is named where something is written to it.
  const found = existsSync(directory) ? lstatSync(directory) : undefined;
  if (found?.isSymbolicLink()) rmSync(directory);
  if (!found?.isDirectory()) return;
  for (const name of readdirSync(directory)) if (name.endsWith('.sh')) rmSync(join(directory, name));
};

const writeScripts = ({ checks }: Report, directory: string): Map<string, string> => {
  removeScripts(directory);
  const scripts = new Map<string, string>();
  for (const { id, finding } of checks) {
    if (finding?.replay === undefined) continue;
    makeDirectory(join(directory, scriptDirectory));
    const file = join(directory, scriptDirectory, `${id}.sh`);
    writeOutput(file, finding.replay);
    scripts.set(id, file);
  }
  return scripts;
};

/**
 * Writes scripts without failing: a full disk must not prevent the verdict. The console then shows the last request instead.
 */
const tryToWriteScripts = (report: Report, directory: string): ReadonlyMap<string, string> => {
  try {
    return writeScripts(report, directory);
  } catch {
    return new Map();
  }
};

/** Checks that reports can be written, and changes nothing. @throws ConfigurationError */
export const expectReportsWritable = (kinds: readonly ReportKind[], directory: string): void => {
  for (const [name] of filesOf(kinds)) expectWritable(join(directory, name));
};

/**
 * Removes the reports of an earlier run when a run begins, so that existing reports always belong to this run, even if it
 * fails. Wrong usage begins no run.
 * @throws ConfigurationError
 */
export const removeReports = (kinds: readonly ReportKind[], directory: string): void =>
  writing(directory, () => {
    for (const [name] of filesOf(kinds)) rmSync(join(directory, name), { force: true });
    removeScripts(directory);
  });

/** Reports in a directory that this run does not write, so that they are of an earlier run. */
export const otherReports = (kinds: readonly ReportKind[], directory: string): string[] => {
  const written = filesOf(kinds).map(([name]) => name);
  if (written.length === 0) return [];
  return filesOf(reportKinds)
    .map(([name]) => name)
    .filter((name) => name !== schemaFile && !written.includes(name))
    .map((name) => join(directory, name))
    .filter((file) => existsSync(file));
};

type Places = ConsoleOptions & {
  readonly directory: string;
  /** File to append the job summary to; GitHub sets it in GITHUB_STEP_SUMMARY. */
  readonly stepSummary?: string | undefined;
  /** Writes to standard output. */
  readonly write: (text: string) => void;
};

/**
 * Prints the reports for standard output, then writes the report files, so that the verdict is printed even on a full disk.
 * @returns the files that were written
 * @throws ConfigurationError if a file cannot be written
 */
export const writeReports = async (
  report: Report,
  kinds: readonly ReportKind[],
  { directory, stepSummary, write, ...options }: Places,
): Promise<string[]> => {
  const scripts = tryToWriteScripts(report, directory);
  if (kinds.includes('console')) write(`${consoleReport(report, scripts, options)}\n`);
  if (kinds.includes('github')) write(githubReport(report));
  const rendered = filesOf(kinds).map(([name, render]) => [join(directory, name), render(report)] as const);
  for (const [file, content] of rendered) writeOutput(file, content);
  // GitHub sets the file name: if the variable is set, the summary is written.
  if (stepSummary) writing(stepSummary, () => appendFileSync(stepSummary, markdownReport(report)));
  return rendered.map(([file]) => file);
};

/** @throws ConfigurationError for a file that is not a report */
export const readReport = (file: string): Report => {
  const bytes = readFileFor(
    file,
    (reason) => new ConfigurationError(`${reason} (contract writes report.json with --report json)`),
  );
  const require = createRequire(import.meta.url);
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const addFormats = require('ajv-formats') as typeof import('ajv-formats').default;
  const ajv = new Ajv2020({ strict: false });
  addFormats(ajv);
  const content = parseJson(bytes.toString());
  const validate = ajv.compile(schema);
  if (validate(content)) return content as Report;
  const [problem] = validate.errors ?? [];
  throw new ConfigurationError(
    `${file} is not a report.json of this suite (--report json): ${content === undefined ? 'it is not JSON' : `${problem?.instancePath || 'it'} ${problem?.message}`}`,
  );
};
