import { command, UsageError } from '../../mock/cli/flags.ts';
import { checks } from '../checks/index.ts';
import { removeReports } from '../reports/index.ts';
import { mergeReports } from '../reports/merge.ts';
import { readReport } from '../reports/read-report.ts';
import type { Report } from '../reports/report.ts';
import { colourFlag, quietFlag } from '../terminal/console-sink.ts';
import { runDeploymentCommand } from './lifecycle.ts';
import { directoryFlag } from './recording.ts';
import { deliverReport, type PlaceFlags, planPlaces, reportFlag } from './report-options.ts';

export const definition = () =>
  command(
    'email-leads report',
    'Write reports of a stored run again, or one report of several parts of a run.',
    'email-leads report email-leads-reports/report.json --report html,junit',
  )
    .argument('<file...>', 'report.json files; several are the parts (--only) of one run')
    .addOption(reportFlag())
    .addOption(quietFlag())
    .addOption(colourFlag())
    .addOption(directoryFlag())
    .addHelpText(
      'after',
      `
Sends nothing. A check that none of several parts contains counts as undecided.
Exit codes: that of the stored run, or 2 for a file that is no report.`,
    );

/** @throws UsageError for parts that do not belong together */
const merge = (parts: readonly [Report, ...Report[]]): Report => {
  const [first] = parts;
  const stray = parts.find(
    ({ target, suite }) => target.url !== first.target.url || suite.command !== 'contract',
  );
  if (stray !== undefined)
    throw new UsageError(
      `only reports of contract on one deployment can be merged, and these are of ${first.target.url} (${first.suite.command}) and ${stray.target.url} (${stray.suite.command})`,
    );
  return mergeReports(parts, checks);
};

/** `email-leads report` */
export const runReportCommand = (argv: readonly string[]): Promise<number> =>
  runDeploymentCommand(async () => {
    const parsed = definition().parse(argv, { from: 'user' });
    const places = planPlaces(parsed.opts<PlaceFlags>());
    const [files] = parsed.processedArgs as [[string, ...string[]]];
    const [first, ...others] = files.map(readReport) as [Report, ...Report[]];
    const report = others.length === 0 ? first : merge([first, ...others]);
    removeReports(places.kinds, places.directory);
    await deliverReport(report, places);
    return report.verdict.exit_code;
  });
