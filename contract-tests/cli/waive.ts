import { existsSync, readFileSync } from 'node:fs';
import { isMap, isSeq, parseDocument, YAMLSeq } from 'yaml';
import { command, flag } from '../../mock/cli/flags.ts';
import { print } from '../../mock/contract/printable.ts';
import { UsageError } from '../../mock/contract/system-errors.ts';
import { matchesId } from '../checks/patterns.ts';
import { writeOutput } from '../client/output-file.ts';
import { plural } from '../exchange/describe.ts';
import { readReport } from '../reports/index.ts';
import { isFailure } from '../reports/items.ts';
import type { CheckReport, Report } from '../reports/report.ts';
import { isDay, readWaivers, type Waiver } from '../waivers/waivers.ts';
import { runDeploymentCommand } from './lifecycle.ts';

export const definition = () =>
  command(
    'email-leads waive',
    'Waive findings of a report, so that only new ones fail a run (--waivers).',
    'email-leads waive email-leads-reports/report.json --reason "mended in release 12" --until 2027-01-31',
  )
    .argument('<report>', 'report.json of contract, proxy or check')
    .argument('[checks...]', 'checks or groups of checks to waive (default: all that fail the run)')
    .option('--reason <text>', 'why; reports show it')
    .option('--until <day>', 'last day on which the waivers apply, e.g. 2027-01-31')
    .addOption(flag('--waivers <file>', 'file to write or to extend').default('email-leads-waivers.json'))
    .addHelpText(
      'after',
      `
A waiver is for the difference that the report shows: another one in the same check still fails.
Exit codes: 0 written, or nothing to waive; 2 usage, or a file that is no report or no list of waivers.`,
    );

/** The findings to waive. @throws UsageError for a pattern without one */
const chooseFindings = (report: Report, patterns: readonly string[]): CheckReport[] => {
  if (patterns.length === 0) return report.checks.filter((check) => isFailure(check, report));
  const found = report.checks.filter(({ finding }) => finding !== undefined);
  const stray = patterns.find((pattern) => !found.some(({ id }) => matchesId(pattern, id)));
  if (stray !== undefined)
    throw new UsageError(
      `the report has no finding of ${stray}; it has ${found.length === 0 ? 'none' : found.map(({ id }) => id).join(', ')}`,
    );
  return found.filter(({ id }) => patterns.some((pattern) => matchesId(pattern, id)));
};

/**
 * Adds waivers to a file, or creates it. A waiver of the same difference of the same check is replaced; comments of a YAML file
 * stay.
 * @throws UsageError for a file that is no list of waivers
 */
export const addWaivers = (file: string, added: readonly Waiver[]): void => {
  const exists = existsSync(file);
  if (exists) readWaivers(file);
  const document = parseDocument(exists ? readFileSync(file, 'utf8') : '');
  // An empty document has no list.
  if (!isSeq(document.contents)) document.contents = new YAMLSeq() as typeof document.contents;
  const list = document.contents as YAMLSeq;
  for (const waiver of added) {
    const node = document.createNode(waiver);
    const at = list.items.findIndex(
      (item) =>
        isMap(item) && item.get('check') === waiver.check && item.get('fingerprint') === waiver.fingerprint,
    );
    if (at < 0) list.items.push(node);
    else list.items[at] = node;
  }
  const isJson = file.endsWith('.json');
  writeOutput(file, isJson ? `${JSON.stringify(document.toJS(), undefined, 2)}\n` : document.toString());
};

type Flags = { reason?: string; until?: string; waivers: string };

/** `email-leads waive` */
export const runWaiveCommand = (argv: readonly string[]): Promise<number> =>
  runDeploymentCommand({ definition, argv }, async (flags: Flags, args) => {
    const [file, patterns] = args as [string, string[]];
    const { reason = '', until = '', waivers } = flags;
    const findings = chooseFindings(readReport(file), patterns);
    if (reason.trim() === '')
      throw new UsageError('--reason is required: readers of a report need to know why');
    if (!isDay(until))
      throw new UsageError('--until must be the last day on which the waivers apply, such as 2027-01-31');
    if (until < new Date().toISOString().slice(0, 10))
      throw new UsageError(`--until: ${until} is over: choose a later day`);
    if (findings.length === 0) {
      print('Nothing to waive: the report has no finding that fails the run');
      return 0;
    }
    const added = findings.map(({ id, status, finding: { fingerprint } = {} }) => ({
      ...{ check: id, ...(fingerprint === undefined ? {} : { fingerprint }), reason, until },
      ...(status === 'unstable' ? { intermittent: true } : {}),
    }));
    addWaivers(waivers, added);
    for (const { id, finding } of findings) print(`waived: ${id}: ${finding?.actual ?? ''}`);
    print(`Written: ${waivers}, ${plural(findings.length, 'waiver')}. Use it with --waivers ${waivers}`);
    return 0;
  });
