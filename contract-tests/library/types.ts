// What `email-leads/contract` takes and returns.
import type { components } from '../generated/report.ts';

type Globals = typeof globalThis;
type Instance<Name extends string> = Globals extends { [name in Name]: { prototype: infer Type } }
  ? Type
  : never;

/** Handles a request in the process: the handler of a Next.js route, `app.fetch` of Hono, or one around `inject` of Fastify. */
export type FetchHandler = (request: Instance<'Request'>) => Promise<Instance<'Response'>>;

/** A known finding that does not fail the run. */
export type KnownFinding = {
  /** Id of a check, or a pattern: `leads.add`, `leads.*.auth`. */
  readonly check: string;
  /** What the finding shows, as in a report (`finding.fingerprint`). Default: whatever the check finds. */
  readonly fingerprint?: string;
  readonly reason: string;
  /** Last day on which it applies, such as `2026-03-31`, in UTC. Default: no end. */
  readonly until?: string;
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
  /** Maximum rate of requests, such as `5/s` or `90/m`. Default: no limit. */
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
