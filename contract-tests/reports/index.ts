// The reports that a command writes: which, where, and never over files of somebody else.
import { appendFileSync, existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readFileFor } from '../../mock/contract/system-errors.ts';
import { ConfigurationError } from '../client/errors.ts';
import { expectWritable, makeDirectory, writeOutput, writing } from '../client/output-file.ts';
import { isObject, parseJson } from '../exchange/exchange.ts';
import { type ConsoleOptions, consoleReport } from './console.ts';
import { githubReport, markdownReport } from './github.ts';
import { htmlReport } from './html.ts';
import { junitReport } from './junit.ts';
import schema from './report.schema.json' with { type: 'json' };
import type { Report } from './report.ts';

/** The schema, written beside the report so that `$schema` resolves without a network. */
const schemaFile = 'report.schema.json';

export const jsonReport = (report: Report): string =>
  `${JSON.stringify({ $schema: `./${schemaFile}`, ...report }, null, 2)}\n`;

type Render = (report: Report) => string;

/** The files of each kind of report; none for what goes to standard output. */
const files = {
  console: {},
  json: { 'report.json': jsonReport, [schemaFile]: () => `${JSON.stringify(schema, null, 2)}\n` },
  junit: { 'junit.xml': junitReport },
  html: { 'report.html': htmlReport },
  markdown: { 'summary.md': markdownReport },
  github: {},
} satisfies Record<string, Record<string, Render>>;

export type ReportKind = keyof typeof files;
export const reportKinds = Object.keys(files) as ReportKind[];

/**
 * Parses lists of report kinds such as `console,junit`; the default is the console.
 * @throws ConfigurationError for an unknown kind
 */
export const parseKinds = (lists: readonly string[]): ReportKind[] => {
  const names = lists.flatMap((list) => list.split(',')).map((name) => name.trim());
  const unknown = names.find((name) => !Object.hasOwn(files, name));
  if (unknown !== undefined)
    throw new ConfigurationError(
      `there is no report ${JSON.stringify(unknown)}; there are ${reportKinds.join(', ')}`,
    );
  return names.length === 0 ? ['console'] : reportKinds.filter((kind) => names.includes(kind));
};

const filesOf = (kinds: readonly ReportKind[], directory: string): (readonly [file: string, Render])[] =>
  kinds.flatMap((kind) =>
    Object.entries<Render>(files[kind]).map(([name, render]) => [join(directory, name), render] as const),
  );

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

/**
 * Writes scripts without failing: a full disk must not prevent the verdict. The console then shows the last request instead.
 * @returns the files, by the id of the check
 */
const writeScripts = ({ checks }: Report, directory: string): ReadonlyMap<string, string> => {
  const scripts = new Map<string, string>();
  try {
    removeScripts(directory);
    for (const { id, finding } of checks) {
      if (finding?.replay === undefined) continue;
      makeDirectory(join(directory, scriptDirectory));
      const file = join(directory, scriptDirectory, `${id}.sh`);
      writeOutput(file, finding.replay);
      scripts.set(id, file);
    }
    return scripts;
  } catch {
    return new Map();
  }
};

/** Checks that reports can be written, and changes nothing. @throws ConfigurationError */
export const expectReportsWritable = (kinds: readonly ReportKind[], directory: string): void => {
  for (const [file] of filesOf(kinds, directory)) expectWritable(file);
};

/**
 * Removes the reports of an earlier run when a run begins, so that existing reports always belong to this run, even if it
 * fails. Wrong usage begins no run.
 * @throws ConfigurationError
 */
export const removeReports = (kinds: readonly ReportKind[], directory: string): void =>
  writing(directory, () => {
    for (const [file] of filesOf(kinds, directory)) rmSync(file, { force: true });
    removeScripts(directory);
  });

/** Reports in a directory that this run does not write, so that they are of an earlier run. */
export const otherReports = (kinds: readonly ReportKind[], directory: string): string[] => {
  const written = filesOf(kinds, directory).map(([file]) => file);
  if (written.length === 0) return [];
  const all = filesOf(reportKinds, directory).map(([file]) => file);
  return all.filter((file) => !file.endsWith(schemaFile) && !written.includes(file) && existsSync(file));
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
  const scripts = writeScripts(report, directory);
  if (kinds.includes('console')) write(`${consoleReport(report, scripts, options)}\n`);
  if (kinds.includes('github')) write(githubReport(report));
  const written = filesOf(kinds, directory);
  for (const [file, render] of written) writeOutput(file, render(report));
  // GitHub sets the file name: if the variable is set, the summary is written.
  if (stepSummary) writing(stepSummary, () => appendFileSync(stepSummary, markdownReport(report)));
  return written.map(([file]) => file);
};

/** @throws ConfigurationError for a file that is not a report */
export const readReport = (file: string): Report => {
  const bytes = readFileFor(
    file,
    (reason) => new ConfigurationError(`${reason} (contract writes report.json with --report json)`),
  );
  const content = parseJson(bytes.toString());
  const { report_version: version, checks } = isObject(content) ? content : {};
  const isCheck = (check: unknown): boolean => isObject(check) && typeof check.id === 'string';
  if (version === 1 && Array.isArray(checks) && checks.every(isCheck)) return content as Report;
  throw new ConfigurationError(`${file} is not a report.json of this suite (--report json)`);
};
