// `email-leads/contract`: the suite as a library, against a URL or a handler in the same process.

import { UsageError } from '../../mock/contract/system-errors.ts';
import { checkArgument, fieldsSchema } from '../../mock/validation/schema-errors.ts';
import { checks as allChecks } from '../checks/index.ts';
import { checkFields } from '../client/gateway.ts';
import { createLedger } from '../client/ledger.ts';
import { mostSends, permissionsFor, plainAddress } from '../client/permissions.ts';
import { intervalOf } from '../client/throttle.ts';
import type { components } from '../generated/report.ts';
import { isFailure } from '../reports/items.ts';
import { isThoroughRun, selectChecks, selectDue } from '../runner/selection.ts';
import { isUndecided } from '../runner/summary.ts';
import { notStarted } from '../runner/verdict.ts';
import { newRunId } from '../session/shared.ts';
import { deploymentTarget, embeddedTarget, intervalFor, type Target } from '../session/target.ts';
import { waiversIn } from '../waivers/waivers.ts';
import { reportRun } from './report-run.ts';

type Globals = typeof globalThis;
type Instance<Name extends string> = Globals extends { [name in Name]: { prototype: infer Type } }
  ? Type
  : never;

/** Handles a request in the process: the handler of a Next.js route, `app.fetch` of Hono, or one around `inject` of Fastify. */
export type FetchHandler = (request: Instance<'Request'>) => Promise<Instance<'Response'>>;

/** A known finding that does not fail the run. Written out here, because the types of the package need nothing else of the suite. */
export type KnownFinding = {
  /** Id of a check, or a pattern: `leads.add`, `leads.*.auth`. */
  readonly check: string;
  /** What the finding shows, as in a report (`finding.fingerprint`). Default: whatever the check finds. */
  readonly fingerprint?: string;
  readonly reason: string;
  /** Last day on which it applies, such as `2026-03-31`, in UTC. Default: no end. */
  readonly until?: string;
  /** The finding comes and goes: a run without it does not make the waiver unneeded. Default: false. */
  readonly intermittent?: boolean;
};

/** What happens in a run, as it happens. Times are in milliseconds. */
export type ContractEvent =
  | { readonly type: 'started'; readonly url: string; readonly checks: number }
  | { readonly type: 'progress'; readonly requests: number; readonly elapsedMs: number }
  | { readonly type: 'waiting'; readonly reason: string; readonly ms: number }
  | { readonly type: 'finished'; readonly exitCode: number; readonly verdict: string };

export type ContractOptions = {
  /** Base URL of the deployment, before `/api/v1`. Default: with `fetch` `http://localhost`, without it the mock of this package. */
  readonly url?: string;
  /** Handles the requests in place of a deployment: nothing is sent, and no port is needed. */
  readonly fetch?: FetchHandler;
  /** The key of the deployment. Needed with `url` and with `fetch`. */
  readonly apiKey?: string;
  /** Whether leads may be added, changed and deleted; the run deletes what it adds. Default: false. */
  readonly allowWrites?: boolean;
  /** The only address that mail may be sent to, by Send email. Default: no mail. */
  readonly sendTo?: string;
  /** Whether mail may be sent whose recipient the deployment chooses, such as template mails. Default: false. */
  readonly allowUnaddressed?: boolean;
  /** Maximum number of mails. Default: 12, and 90 with `thorough`. */
  readonly maxSends?: number;
  /** Sender of test mails. Default: `sendTo`. */
  readonly from?: string;
  /** Header fields for a gateway in front of the deployment. Their values are redacted. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Ids of checks or groups to run; `*` stands for any characters. Default: all. */
  readonly only?: readonly string[];
  /** Ids of checks or groups to leave out. */
  readonly skip?: readonly string[];
  /** Whether to run every check, whatever it costs. Default: false. */
  readonly thorough?: boolean;
  /** Whether broken derived facts fail the run. Default: false. */
  readonly strict?: boolean;
  readonly waivers?: readonly KnownFinding[];
  /** Milliseconds after which a request without a response fails. Default: 10,000. */
  readonly timeoutMs?: number;
  /** Maximum rate of requests, such as `5/s` or `90/m`. Default: `20/s`, and no limit on this machine or with `fetch`. */
  readonly rateLimit?: string;
  /** Milliseconds that the run may wait in total. Default: 120,000. */
  readonly maxWaitMs?: number;
  /** Stops the run, which then deletes what it added: the exit code is 130. */
  readonly signal?: Instance<'AbortSignal'>;
  readonly onEvent?: (event: ContractEvent) => void;
};

/** The content of `report.json`. */
type JsonReport = components['schemas']['Report'];

/** A check and its result, as in `report.json`. */
export type CheckResult = JsonReport['checks'][number];

export type Report = {
  /** As that of the command: 0 conforms, 1 a documented fact is broken, 3 not everything could be tested, 130 stopped. */
  readonly exitCode: number;
  /** The verdict in one line. */
  readonly verdict: string;
  readonly checks: readonly CheckResult[];
  /** The checks with a finding that no waiver names. */
  readonly findings: readonly CheckResult[];
  readonly requests: number;
  readonly mails: number;
  readonly durationMs: number;
  /** Ids of leads that the run could not delete. */
  readonly leftovers: readonly string[];
  /** The content of `report.json`, with everything else. */
  readonly json: JsonReport;
};

const [text, flag] = [{ type: 'string' }, { type: 'boolean' }];
const secret = { ...text, writeOnly: true };
const list = { type: 'array' };
const address = { ...text, pattern: plainAddress.source, 'x-form': 'one address like me@example.com' };
const minute = 60_000;

/** What the flags of the command accept. */
const optionsSchema = fieldsSchema({
  ...{ url: text, sendTo: address, from: address, rateLimit: text },
  ...{ allowWrites: flag, allowUnaddressed: flag, thorough: flag, strict: flag },
  ...{ only: list, skip: list, waivers: list },
  maxSends: { type: 'integer', minimum: 0, maximum: mostSends },
  timeoutMs: { type: 'number', minimum: 1, maximum: 10 * minute },
  maxWaitMs: { type: 'number', minimum: 0, maximum: 60 * minute },
  apiKey: secret,
  headers: { type: 'object', additionalProperties: secret, writeOnly: true },
  ...{ fetch: {}, onEvent: {}, signal: {} },
} satisfies Record<keyof ContractOptions, object>);

/**
 * The checks that a run with these options decides.
 * @throws TypeError for an option that does not exist or has another type
 * @throws Error for an id that no check has
 */
const selectedBy = (options: ContractOptions): ReturnType<typeof selectDue> => {
  checkArgument('the options of the contract', options, optionsSchema);
  const { only = [], skip = [], thorough = false } = options;
  return selectDue(selectChecks(allChecks, only, skip), only, thorough);
};

const targetOf = async ({ url, fetch, apiKey, headers = {} }: ContractOptions): Promise<Target> => {
  if (url === undefined && fetch === undefined) return await embeddedTarget();
  if (apiKey === undefined || apiKey === '')
    throw new UsageError('apiKey is missing: the key that the deployment accepts');
  const gateway = { headers: checkFields('headers', Object.entries(headers)) };
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
  const { strict = false, signal, onEvent, from, rateLimit } = options;
  const { allowWrites: writes = false, allowUnaddressed: unaddressed = false, sendTo, maxSends } = options;
  const { due: checks, leftToThorough } = selectedBy(options);
  const thorough = isThoroughRun(checks, options);
  const waivers = waiversIn('the option waivers', options.waivers ?? []);
  const interval = rateLimit === undefined ? undefined : intervalOf(rateLimit);
  if (rateLimit !== undefined && interval === undefined)
    throw new UsageError('rateLimit must be a rate like 5/s or 90/m');
  const target = await targetOf(options);
  try {
    const given = { writes, sendTo, unaddressed, maxSends };
    const names = { unaddressed: 'allowUnaddressed', sendTo: 'sendTo' };
    const permissions = permissionsFor(target.kind === 'embedded mock', given, thorough, names);
    onEvent?.({ type: 'started', url: target.url, checks: checks.length });
    const { report } = await reportRun({
      ...target,
      checks,
      leftToThorough,
      strict,
      waivers,
      thorough,
      interval: intervalFor(target, interval),
      runId: newRunId(),
      ledger: createLedger(),
      permissions,
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

/** `test` of vitest, Jest, node:test or Playwright. */
export type TestFunction = {
  // Runners differ in what they pass to a test.
  (name: string, run: () => Promise<void>, timeoutMs?: number): unknown;
  skip(name: string, run: () => Promise<void>): unknown;
};

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

/** Whether the options forbid a check, before anything runs. */
const isForbidden = ({ url, fetch, allowWrites, sendTo }: ContractOptions, needs: string): boolean => {
  const isEmbedded = url === undefined && fetch === undefined;
  if (isEmbedded || needs === 'read') return false;
  return needs === 'writes' ? !allowWrites : sendTo === undefined;
};

/** Jest cannot skip a test that has begun. */
const cannotSkipLater = (test: TestFunction): boolean => 'concurrent' in test && !('extend' in test);

/**
 * Registers one test for each check, named by the fact that it checks. The first test runs all of them once; each then fails
 * with the text of its finding, or is skipped with the reason. The last test is for failures that no check reports, such as a
 * waiver that is no longer needed.
 * @throws Error for options that cannot work
 */
export const contractTests = ({ test, runTimeoutMs = 300_000, ...options }: ContractTestsOptions): void => {
  const { strict = false } = options;
  let run: Promise<Report> | undefined;
  const isFailed = (result: CheckResult): boolean => isFailure(result, { strict }) || isUndecided(result);
  const decide = (id: string, { checks, verdict }: Report, contexts: readonly (Context | undefined)[]) => {
    const result = checks.find((check) => check.id === id);
    if (result === undefined || result.reason === notStarted) throw new Error(verdict);
    if (isFailed(result)) throw new Error(textOf(result));
    const known = result.waived === undefined ? undefined : `waived: ${result.waived}`;
    const why = known ?? (result.status === 'skipped' ? (result.reason ?? 'skipped') : undefined);
    if (why !== undefined) skipTest(contexts, why);
  };
  const register = (name: string, judge: (report: Report, contexts: Context[]) => void, isSkipped = false) =>
    (isSkipped ? test.skip.bind(test) : test)(
      name,
      // No parameters: runners take their number, and their names, for what the test wants from them.
      function () {
        // biome-ignore lint/complexity/noArguments: see above
        const contexts: Context[] = Array.from(arguments);
        contexts[1]?.setTimeout?.(runTimeoutMs);
        run ??= runContract(options);
        return run.then((report) => judge(report, contexts));
      },
      runTimeoutMs,
    );
  for (const { id, title, needs } of selectedBy(options).due) {
    const isSkipped = cannotSkipLater(test) && isForbidden(options, needs);
    register(`${title} (${id})`, (report, contexts) => decide(id, report, contexts), isSkipped);
  }
  register('the run reaches a verdict (run.verdict)', ({ exitCode, verdict, checks }) => {
    if (exitCode !== 0 && !checks.some(isFailed)) throw new Error(verdict);
  });
};
