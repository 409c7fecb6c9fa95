import { isLoopback } from '../../mock/contract/loopback.ts';
import { describeListenError, UsageError } from '../../mock/contract/system-errors.ts';
import { readPageFiles } from '../../mock/runtime/page-files.ts';
import manifest from '../../package.json' with { type: 'json' };
import { checks } from '../checks/index.ts';
import { readFaults } from '../proxy/faults.ts';
import { createProxyJournal } from '../proxy/journal.ts';
import { liveAddress, type RunningProxy, startProxy } from '../proxy/server.ts';
import type { Report } from '../reports/report.ts';
import { exitCodes } from '../runner/summary.ts';
import { deploymentTarget } from '../session/target.ts';
import { conclude, judgeLive } from '../traffic/conclusion.ts';
import { isServicePath } from '../traffic/exchanges/observed.ts';
import { createTrafficSession } from '../traffic/session.ts';
import { type FlagsIn, gatewayFlags, trafficFlags, withFlags } from './flags.ts';
import { type CommandLine, createEnd, forFlag, runCommandLine, runDeploymentCommand } from './lifecycle.ts';
import { planReports, startRecordings } from './run.ts';
import { gatewayOf, keyFrom, warnOfTransport } from './target.ts';

const flagNames = {
  ...gatewayFlags,
  'Target and address': ['upstream', 'port', 'host', 'enforce', 'faults', 'allowedHost'],
  Reports: ['record', 'reportDir', 'quiet', 'report', 'color'],
  ...trafficFlags,
} as const;

type Flags = FlagsIn<typeof flagNames>;

export const definition = () =>
  withFlags(
    [
      'email-leads proxy',
      'Forward requests to a deployment unchanged, and check the requests and responses.',
      'email-leads proxy --upstream https://staging.example.com -- npm run e2e',
    ],
    flagNames,
    `Point your app at the proxy instead of the deployment; keep its key. The key is sent only to --upstream.
http://127.0.0.1:4020/__proxy/ui/ shows the requests live, with their bodies, on this machine only.
The session ends with the command after --, with Ctrl-C, or with POST http://127.0.0.1:4020/__admin/report,
which returns the report as JSON; GET returns the report so far. PUT /__admin/faults sets fault rules.
Exit codes: 0 the traffic conforms, 1 a documented fact is broken, 2 usage, 3 no request could be checked, or
an operation of --require did not succeed, 4 drift only. If nothing is broken, the code of a failing command.`,
    '[target] [options] [-- command...]',
  ).argument(
    '[command...]',
    'after --: a command to run with EMAIL_LEADS_URL set to the address of the proxy',
  );

/** `email-leads proxy` */
export const runProxyCommand = (argv: readonly string[]): Promise<number> =>
  runDeploymentCommand(commandLine(argv), async (flags: Flags, args) => {
    const [line = []] = args as [string[]?];
    const { enforce = false } = flags;
    if (flags.upstream === undefined)
      throw new UsageError('--upstream is missing: the base URL of the deployment');
    const { url } = deploymentTarget(flags.upstream, 'unknown', '--upstream');
    const upstream = new URL(url);
    if (isOwnAddress(upstream, flags))
      throw new UsageError(`--upstream ${url} is where the proxy itself would listen; choose another --port`);
    const faults = forFlag('--faults', () => readFaults(flags.faults));
    const plan = planReports(flags);
    const gateway = gatewayOf(flags);
    const session = createTrafficSession({ checks, key: keyFrom(), gateway });
    const recordings = startRecordings(flags, plan.sink);
    const reportNow = (): Report =>
      conclude({ ...plan, session, url, require: flags.require, command: 'proxy' });
    const journal = createProxyJournal(session.redact);
    const end = createEnd();
    const proxy = await listen(flags, {
      upstream,
      gateway,
      faults,
      onExchange: (observed) => {
        const { lines, problem, judgement } = judgeLive(session, observed);
        for (const text of lines) plan.sink.note(text);
        // What a fault rule replaced is not sent anyway.
        const isHeldBack = enforce && problem !== undefined && observed.injected?.effect !== 'lost';
        if (isServicePath(observed.target) || observed.injected?.effect === 'refused') {
          recordings.add(observed);
          journal.record(observed, judgement, isHeldBack);
        }
        return isHeldBack ? problem : undefined;
      },
      refuse: enforce ? session.refuse : undefined,
      journal,
      page: readPageFiles('proxy'),
      onReport: async (method) => {
        if (method === 'POST') setImmediate(end.now);
        return reportNow();
      },
    });
    try {
      plan.reports.begin();
      const { redact } = session;
      plan.sink.note(redact(`email-leads proxy ${manifest.version}: ${proxy.url} forwards to ${url}`));
      const liveView = liveAddress(flags.host, proxy.url);
      if (liveView !== undefined) plan.sink.note(`Requests live: ${liveView}`);
      warnOfTransport({ url, gateway });
      const child = line.length > 0 ? await runCommandLine(line, proxy.url, end) : await end.reached;
      const report = reportNow();
      plan.reports.deliver(report);
      recordings.write(url, session);
      const { exit_code: judged } = report.verdict;
      const isOfChild = judged === exitCodes.conforms || (child !== 0 && judged !== exitCodes.broken);
      return isOfChild ? child || judged : judged;
    } finally {
      end.dispose();
      await proxy.close();
    }
  });

const commandLine = (argv: readonly string[]): CommandLine => ({
  definition,
  argv,
  takesTarget: 'if named',
  hint: (flagName) => {
    if (flagName === '--url') return 'the deployment that requests are forwarded to is set with --upstream';
    // Without `--`, the flags of the command are parsed as flags of the proxy.
    const [name] = argv.includes('--') ? [] : definition().parseOptions([...argv]).operands;
    return name && `if it is a flag of ${name}, put -- before ${name}: proxy --upstream URL -- ${name} …`;
  },
});

type ListenOptions = Omit<Parameters<typeof startProxy>[0], 'host' | 'port' | 'allowedHosts'>;

/** Whether the proxy would forward requests to itself, in an endless loop. */
const isOwnAddress = ({ protocol, hostname, port }: URL, own: Pick<Flags, 'host' | 'port'>): boolean => {
  const isHere = isLoopback(hostname) && (isLoopback(own.host) || /^(0\.0\.0\.0|::)$/.test(own.host));
  return protocol === 'http:' && Number(port || 80) === own.port && (isHere || hostname === own.host);
};

/** @throws UsageError if it cannot listen */
const listen = async ({ host, port, allowedHost }: Flags, options: ListenOptions): Promise<RunningProxy> => {
  try {
    return await startProxy({ ...options, host, port, allowedHosts: allowedHost });
  } catch (error) {
    const { message } = describeListenError(error as Error, host, port);
    throw new UsageError(`the proxy cannot start: ${message}`);
  }
};
