import manifest from '../../package.json' with { type: 'json' };
import { checks } from '../checks/index.ts';
import { plural } from '../exchange/describe.ts';
import { conclude } from '../traffic/conclusion.ts';
import { readRecordings } from '../traffic/har.ts';
import { createTrafficSession } from '../traffic/session.ts';
import { type FlagsIn, trafficFlags, withFlags } from './flags.ts';
import { runDeploymentCommand } from './lifecycle.ts';
import { planReports, startRecordings } from './run.ts';
import { keyFrom } from './target.ts';

const flagNames = { Reports: ['reportDir', 'quiet', 'report', 'color'], ...trafficFlags } as const;

type Flags = FlagsIn<typeof flagNames>;

export const definition = () =>
  withFlags(
    [
      'email-leads check',
      'Check recorded traffic: HAR 1.2 files of browsers, Playwright, mitmproxy or the mock.',
      'email-leads check session.har --require addLead',
    ],
    flagNames,
    `Sends nothing. If EMAIL_LEADS_API_KEY is set, this key counts as accepted and is redacted. A body that is not in a recording
is reported as missing and not checked. Where a recording has no Authorization header at all (browsers omit it from
exports), every request counts as having a key.
Exit codes: 0 the recorded traffic conforms, 1 a documented fact is broken, 2 usage or a file that is not a recording,
3 no request could be checked, or an operation of --require did not succeed, 4 drift only.`,
    '[options] <file...>',
  ).argument('<file...>', 'recordings; all of them form one session');

/** `email-leads check` */
export const runCheckCommand = (argv: readonly string[]): Promise<number> =>
  runDeploymentCommand({ definition, argv, takesTarget: false }, async (flags: Flags, args) => {
    const [files] = args as [string[]];
    const { exchanges, keysUnknown, lagMs, url, atOtherAddresses } = readRecordings(files);
    const plan = planReports(flags);
    const recordings = startRecordings(flags, plan.sink);
    const session = createTrafficSession({ checks, key: keyFrom(), keysUnknown, lagMs });
    for (const exchange of exchanges) {
      session.observe(exchange);
      recordings.add(exchange);
    }
    const report = conclude({ ...plan, session, url, require: flags.require, command: 'check' });
    const count = plural(exchanges.length, 'recorded exchange');
    plan.sink.note(session.redact(`email-leads check ${manifest.version}: ${count} with ${url}`));
    if (atOtherAddresses > 0)
      plan.sink.note(`not checked: ${plural(atOtherAddresses, 'request')} for /api/v1 at other addresses`);
    plan.reports.deliver(report);
    recordings.write(url, session);
    return report.verdict.exit_code;
  });
