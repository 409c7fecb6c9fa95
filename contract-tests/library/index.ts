// `email-leads/contract`: the suite as a library, against a URL or a handler in the same process.
import type { Gateway } from '../../mock/contract/gateway.ts';
import { checks as allChecks } from '../checks/index.ts';
import { ConfigurationError } from '../client/errors.ts';
import { createLedger } from '../client/ledger.ts';
import { permissionsFor } from '../client/permissions.ts';
import { intervalOf } from '../client/throttle.ts';
import type { Check } from '../facts/check.ts';
import { isFailure } from '../reports/items.ts';
import type { Report as JsonReport } from '../reports/report.ts';
import { selectChecks, selectDue } from '../runner/selection.ts';
import { isUndecided } from '../runner/summary.ts';
import { notStarted } from '../runner/verdict.ts';
import { newRunId } from '../session/shared.ts';
import { deploymentTarget, embeddedTarget, type Target } from '../session/target.ts';
import { reportRun } from './report-run.ts';
import type { CheckResult, ContractOptions, Report } from './types.ts';

export type {
  CheckResult,
  ContractEvent,
  ContractOptions,
  FetchHandler,
  KnownFinding,
  Report,
} from './types.ts';

/**
 * The checks that a run with these options decides.
 * @throws Error for an id that no check has
 */
const checksFor = ({ only = [], skip = [], thorough = false }: ContractOptions): Check[] =>
  selectDue(selectChecks(allChecks, only, skip), only, thorough);

const targetOf = async ({ url, fetch, apiKey, headers = {} }: ContractOptions): Promise<Target> => {
  if (url === undefined && fetch === undefined) return await embeddedTarget();
  if (apiKey === undefined || apiKey === '')
    throw new ConfigurationError('apiKey is missing: the key that the deployment accepts');
  const gateway: Gateway = { headers: Object.entries(headers) };
  const target = deploymentTarget(url ?? 'http://localhost', apiKey, 'url');
  return {
    ...target,
    gateway,
    ...(fetch === undefined ? {} : { fetch: (request) => fetch(request as never) }),
  };
};

const resultOf = (json: JsonReport): Report => ({
  exitCode: json.verdict.exit_code,
  verdict: json.verdict.headline,
  checks: json.checks,
  findings: json.checks.filter(({ finding, waived }) => finding !== undefined && waived === undefined),
  requests: json.requests,
  mails: json.mails_requested,
  durationMs: json.duration_ms,
  leftovers: json.leftovers.map(({ lead_id }) => lead_id),
  json,
});

/**
 * Checks a deployment, or a handler in this process, against the contract. Prints and writes nothing.
 * @throws Error for options that cannot work. A deployment that cannot be tested is a report with exit code 3
 */
export const runContract = async (options: ContractOptions = {}): Promise<Report> => {
  const { strict = false, thorough = false, waivers = [], signal, onEvent, from, rateLimit } = options;
  const { allowWrites: writes = false, allowUnaddressed: unaddressed = false, sendTo, maxSends } = options;
  const checks = checksFor(options);
  const interval = rateLimit === undefined ? undefined : intervalOf(rateLimit);
  if (rateLimit !== undefined && interval === undefined)
    throw new ConfigurationError('rateLimit must be a rate like 5/s or 90/m');
  const target = await targetOf(options);
  onEvent?.({ type: 'started', url: target.url, checks: checks.length });
  try {
    const given = { writes, sendTo, unaddressed, maxSends };
    const { report } = await reportRun({
      target,
      checks,
      strict,
      waivers,
      thorough,
      interval,
      runId: newRunId(),
      ledger: createLedger(),
      permissions: permissionsFor(target.kind === 'embedded mock', given, thorough),
      timeout: options.timeoutMs ?? 10_000,
      maxWait: options.maxWaitMs,
      onWait: ({ reason, ms }) => onEvent?.({ type: 'waiting', reason, ms }),
      onProgress: ({ requests, ms }) => onEvent?.({ type: 'progress', requests, elapsedMs: ms }),
      progressMs: 1000,
      ...(signal === undefined ? {} : { signal: signal as AbortSignal }),
      ...(from === undefined ? {} : { sender: from }),
    });
    const result = resultOf(report);
    onEvent?.({ type: 'finished', exitCode: result.exitCode, verdict: result.verdict });
    return result;
  } finally {
    await target.close();
  }
};

/** `test` of vitest, Jest, node:test or Playwright, which differ in what they pass to a test. */
export type TestFunction = (name: string, run: () => Promise<void>, timeoutMs?: number) => unknown;

export type ContractTestsOptions = ContractOptions & {
  readonly test: TestFunction;
  /** Milliseconds that the run, and so its first test, may take. Default: 300,000. */
  readonly runTimeoutMs?: number;
};

type Context = {
  readonly skip?: (...reason: unknown[]) => void;
  readonly setTimeout?: (ms: number) => void;
};

/** Skips the running test, in the way of its runner. Jest has none: there the test passes, and says why it decides nothing. */
const skipTest = ([first, second]: readonly (Context | undefined)[], reason: string): void => {
  if (second?.skip) second.skip(true, reason);
  else if (first?.skip) first.skip(reason);
  else console.warn(`not decided: ${reason}`);
};

const textOf = ({ id, section, finding, reason, status }: CheckResult): string =>
  finding === undefined
    ? `${id} (§${section}) is ${status}: ${reason ?? 'no reason is known'}`
    : `${id} (§${section})\nexpected: ${finding.expected}\nactual: ${finding.actual}`;

/**
 * Registers one test for each check, named by the fact that it checks. The first test runs all of them once; each then fails
 * with the text of its finding, or is skipped with the reason.
 * @throws Error for options that cannot work
 */
export const contractTests = ({ test, runTimeoutMs = 300_000, ...options }: ContractTestsOptions): void => {
  const { strict = false } = options;
  let run: Promise<Report> | undefined;
  const decide = async (id: string, contexts: readonly (Context | undefined)[]): Promise<void> => {
    contexts[1]?.setTimeout?.(runTimeoutMs);
    run ??= runContract(options);
    const { checks, verdict } = await run;
    const result = checks.find((check) => check.id === id);
    if (result === undefined) throw new Error(verdict);
    if (result.status === 'skipped' && result.reason === notStarted) throw new Error(verdict);
    if (isFailure(result, { strict }) || isUndecided(result)) throw new Error(textOf(result));
    const known = result.waived === undefined ? undefined : `waived: ${result.waived}`;
    const why = known ?? (result.status === 'skipped' ? (result.reason ?? 'skipped') : undefined);
    if (why !== undefined) skipTest(contexts, why);
  };
  for (const { id, title } of checksFor(options))
    test(
      `${title} (${id})`,
      // No parameters: runners take their number, and their names, for what the test wants from them.
      function () {
        // biome-ignore lint/complexity/noArguments: see above
        return decide(id, Array.from(arguments));
      },
      runTimeoutMs,
    );
};
