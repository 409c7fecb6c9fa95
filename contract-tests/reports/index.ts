// The reports that a command writes: which, where, and never over files of somebody else.
import { appendFileSync, existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readFileFor, UsageError } from '../../mock/contract/system-errors.ts';
import { expectWritable, makeDirectory, writeOutput, writing } from '../client/output-file.ts';
import { isObject, parseJson } from '../exchange/exchange.ts';
import { type ConsoleOptions, consoleReport, verdictLine } from './console.ts';
import { githubReport, markdownReport } from './github.ts';
import { htmlReport } from './html.ts';
import { junitReport } from './junit.ts';
import type { Report, Scripts } from './report.ts';

export const jsonReport = (report: Report): string => `${JSON.stringify(report, null, 2)}\n`;

type Render = (report: Report, scripts: Scripts) => string;

/** The files of each kind of report; none for what goes to standard output. */
const files = {
  console: {},
  json: { 'report.json': jsonReport },
  junit: { 'junit.xml': junitReport },
  html: { 'report.html': htmlReport },
  markdown: { 'summary.md': markdownReport },
  github: {},
} satisfies Record<string, Record<string, Render>>;

export type ReportKind = keyof typeof files;
export const reportKinds = Object.keys(files) as ReportKind[];

/** Directory of the scripts that reproduce the findings of the last run, one file per check. */
const scriptDirectory = 'replay';

/** Removes the scripts of an earlier run, which had other findings. A link leads to files of somebody else. */
const removeScripts = (parent: string): void => {
  const directory = join(parent, scriptDirectory);
  // A file in place of the parent is named where something is written to it.
  const found = existsSync(directory) ? lstatSync(directory) : undefined;
  if (found?.isSymbolicLink()) rmSync(directory);
  if (!found?.isDirectory()) return;
  for (const name of readdirSync(directory))
    if (name.endsWith('.sh')) rmSync(join(directory, name), { force: true });
};

/**
 * Writes scripts without failing: a full disk must not prevent the verdict. The reports then name no script.
 * @returns the files, by the id of the check
 */
const writeScripts = ({ checks }: Report, directory: string): Scripts => {
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

/** Where a command prints: what it says, and the reports for standard output. */
type Output = ConsoleOptions & {
  readonly write: (text: string) => void;
  /** Prints a line that `--quiet` leaves out. */
  readonly note: (line: string) => void;
  /** The file that GitHub names, to which the summary is added. */
  readonly jobSummary?: string | undefined;
};

/**
 * Prepares the reports that a command writes: it checks that they can be written, and changes nothing yet.
 * @throws UsageError
 */
export const prepareReports = (kinds: readonly ReportKind[], directory: string, output: Output) => {
  const written = kinds.flatMap((kind) =>
    Object.entries<Render>(files[kind]).map(([name, render]) => ({ file: join(directory, name), render })),
  );
  const { jobSummary } = output;
  for (const { file } of written) expectWritable(file);
  return {
    /**
     * Removes the reports of an earlier run when a run begins, so that these files always belong to this run, even if it fails.
     * Wrong usage begins no run.
     * @throws UsageError
     */
    begin: (): void =>
      writing(directory, () => {
        for (const { file } of written) rmSync(file, { force: true });
        removeScripts(directory);
      }),
    /**
     * Prints the reports for standard output, then writes the report files, so that the verdict is printed even on a full disk.
     * @throws UsageError if a file cannot be written
     */
    deliver: (report: Report): void => {
      const scripts = writeScripts(report, directory);
      const isConsole = kinds.includes('console');
      output.write(`${isConsole ? consoleReport(report, scripts, output) : verdictLine(report, output)}\n`);
      if (kinds.includes('github')) output.write(githubReport(report));
      for (const { file, render } of written) writeOutput(file, render(report, scripts));
      if (jobSummary) writing(jobSummary, () => appendFileSync(jobSummary, markdownReport(report, scripts)));
      if (written.length > 0) output.note(`Written: ${written.map(({ file }) => file).join(', ')}`);
    },
  };
};

/** @throws UsageError for a file that is not a report */
export const readReport = (file: string): Report => {
  const hint = '(contract writes report.json with --report json)';
  const bytes = readFileFor(file, (reason) => new UsageError(`${reason} ${hint}`));
  const content = parseJson(bytes.toString());
  const { report_version: version, checks } = isObject(content) ? content : {};
  const isCheck = (check: unknown): boolean => isObject(check) && typeof check.id === 'string';
  if (version === 1 && Array.isArray(checks) && checks.every(isCheck)) return content as Report;
  throw new UsageError(`${file} is not a report.json of this suite (--report json)`);
};
