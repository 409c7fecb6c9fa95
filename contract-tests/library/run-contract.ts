import type { Gateway } from '../../mock/contract/gateway.ts';
import { checks as allChecks } from '../checks/index.ts';
import { ConfigurationError } from '../client/errors.ts';
import { createLedger } from '../client/ledger.ts';
import { type Permissions, permissionsFor } from '../client/permissions.ts';
import { intervalOf } from '../client/throttle.ts';
import type { Check } from '../facts/check.ts';
import type { Report as JsonReport } from '../reports/report.ts';
import { selectChecks, selectDue } from '../runner/selection.ts';
import { newRunId } from '../session/shared.ts';
import { deploymentTarget, embeddedTarget, type Target } from '../session/target.ts';
import { reportRun } from './report-run.ts';
import type { ContractOptions, Report } from './types.ts';

/**
 * The checks that a run with these options decides.
 * @throws Error for an id that no check has
 * @internal
 */
export const checksFor = ({ only = [], skip = [], thorough = false }: ContractOptions): Check[] =>
  selectDue(selectChecks(allChecks, only, skip), only, thorough);

/** Whether these options leave the deployment to the package: then everything is permitted. */
export const isEmbedded = ({ url, fetch }: ContractOptions): boolean =>
  url === undefined && fetch === undefined;

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

const permissionsOf = (options: ContractOptions): Permissions => {
  const { allowWrites: writes = false, allowUnaddressed: unaddressed = false, sendTo, maxSends } = options;
  const given = { writes, sendTo, unaddressed, maxSends };
  return permissionsFor(isEmbedded(options), given, options.thorough === true);
};

const intervalFor = (rate: string | undefined): number | undefined => {
  const interval = rate === undefined ? undefined : intervalOf(rate);
  if (rate !== undefined && interval === undefined)
    throw new ConfigurationError('rateLimit must be a rate like 5/s or 90/m');
  return interval;
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
  const { strict = false, thorough = false, waivers = [], signal, onEvent } = options;
  const checks = checksFor(options);
  const interval = intervalFor(options.rateLimit);
  const target = await targetOf(options);
  onEvent?.({ type: 'started', url: target.url, checks: checks.length });
  try {
    const { report } = await reportRun({
      target,
      checks,
      strict,
      waivers,
      thorough,
      interval,
      runId: newRunId(),
      ledger: createLedger(),
      permissions: permissionsOf(options),
      timeout: options.timeoutMs ?? 10_000,
      maxWait: options.maxWaitMs,
      onWait: ({ reason, ms }) => onEvent?.({ type: 'waiting', reason, ms }),
      onProgress: ({ requests, ms }) => onEvent?.({ type: 'progress', requests, elapsedMs: ms }),
      progressMs: 1000,
      ...(signal === undefined ? {} : { signal: signal as AbortSignal }),
      ...(options.from === undefined ? {} : { sender: options.from }),
    });
    const result = resultOf(report);
    onEvent?.({ type: 'finished', exitCode: result.exitCode, verdict: result.verdict });
    return result;
  } finally {
    await target.close();
  }
};
