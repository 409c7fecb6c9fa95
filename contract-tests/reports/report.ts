import type { OperationId } from '../../mock/contract/operation-id.ts';
import { compareFields, type FieldCoverage, fieldPointers } from '../checks/support/response-schema.ts';
import type { Run } from '../runner/run.ts';
import type { AnswerVerdict } from '../runner/summary.ts';
import type { Status } from '../runner/verdict.ts';
import type { Check, Level, Need } from '../session/check.ts';
import { operations } from '../session/operations.ts';
import { concernsOneLead, routes } from '../session/routes.ts';
import type { Target } from '../session/target.ts';

type Coverage = {
  /** Documented facts with a verdict, of all there are. */
  readonly documented: { readonly checked: number; readonly total: number };
  /** Documented facts about the operations of the run that cannot be seen from outside. */
  readonly unobservable: readonly string[];
  /** How often each status was seen, by operation. */
  readonly statuses: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Documented reply fields that no success carried, as `operation /pointer`. */
  readonly never_seen: readonly string[];
  /** Reply fields of successes that the document does not name; allowed, and good to know. */
  readonly undocumented: readonly string[];
  /** What the requests of the run carry beyond the documented ones, because the deployment refuses those. */
  readonly adaptations: readonly string[];
};

const unobservableFacts: readonly (readonly [operation: OperationId, fact: string])[] = [
  ['sendEmail', '§4.1 the email is sent to the specified recipient'],
  ['sendTemplateEmail', '§4.3 the email is built from the template with the variables supplied'],
];

/** The operation that a check is about, or `every`. */
export const operationOfCheck = (check: Check): OperationId | 'every' =>
  'scope' in check && check.scope === 'every' ? 'every' : check.operation;

const decidedStatuses = new Set(['pass', 'fail', 'unstable']);

export const coverageOf = ({ verdicts, exchanges, adaptations }: Run): Coverage => {
  const documented = verdicts.filter(({ check }) => check.level === 'documented');
  const fields = operations.map(({ id }) => fieldsOf(id, exchanges));
  const unobservable = unobservableFacts
    .filter(([operation]) => verdicts.some(({ check }) => operationOfCheck(check) === operation))
    .map(([, fact]) => fact);
  return {
    documented: {
      checked: documented.filter(({ status }) => decidedStatuses.has(status)).length,
      total: documented.length + unobservable.length,
    },
    unobservable,
    statuses: statusesOf(exchanges),
    never_seen: fields.flatMap(({ never }) => never),
    undocumented: fields.flatMap(({ extra }) => extra),
    adaptations,
  };
};

/** How often each status came, by operation. */
export type StatusCounts = Record<string, Record<string, number>>;

export const countStatus = (counts: StatusCounts, operation: string, status: number): void => {
  const row = counts[operation] ?? {};
  counts[operation] = row;
  row[status] = (row[status] ?? 0) + 1;
};

const statusesOf = (exchanges: Run['exchanges']): Coverage['statuses'] => {
  const counts: StatusCounts = {};
  for (const { operation, status } of exchanges) countStatus(counts, operation, status);
  return counts;
};

const fieldsOf = (operation: OperationId, exchanges: Run['exchanges']): FieldCoverage => {
  const successes = exchanges.filter(
    // Not the answers of paths that the document does not have, such as a list of leads.
    ({ operation: id, outcome, path }) =>
      id === operation && outcome === 'success' && (concernsOneLead(id) || routes[id].paths.includes(path)),
  );
  if (successes.length === 0) return { never: [], extra: [] };
  return compareFields(operation, new Set(successes.flatMap(({ json }) => fieldPointers(json))));
};

/** Findings that say the same of several operations: one headline for the group. */
export type Group = {
  readonly headline: string;
  readonly status: CheckReport['status'];
  readonly section: string;
  readonly checks: readonly string[];
  readonly operations: readonly string[];
};

/** A request and its reply, of which nothing is shown that may be about somebody. */
export type ExchangeReport = {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly key: string;
    /** The check that sent it, or the part of the run. */
    readonly check?: string;
    readonly content_type?: string;
    readonly body?: string;
  };
  readonly reply: { readonly status: number; readonly size: number; readonly excerpt: string };
};

export type FindingReport = Partial<ExchangeReport> & {
  readonly expected: string;
  readonly actual: string;
  /** JSON Pointer into the reply, where it is about one place. */
  readonly pointer?: string;
  /** Other responses that are wrong in the same way, a line for each operation, status and kind. */
  readonly also?: readonly string[];
  /** Repeats the last request alone, the key taken from `$EMAIL_LEADS_API_KEY`. */
  readonly curl?: string;
  /** A `sh` script that creates what it needs, repeats every step, and deletes what it created. */
  readonly replay?: string;
  /** The steps that led to the finding, in order. */
  readonly exchanges?: readonly ExchangeReport[];
};

export type CheckReport = {
  readonly id: string;
  readonly title: string;
  /** Section of the interface document. */
  readonly section: string;
  readonly level: Level;
  /** One of the six operations, or `every`. */
  readonly operation: string;
  readonly needs: Need;
  readonly status: Status;
  /** From its first request to its last response; 0 where it looked at responses to other checks only. */
  readonly duration_ms: number;
  /** Why, for everything but a pass. */
  readonly reason?: string;
  /** Reason of the waiver, for a finding that does not count. */
  readonly waived?: string;
  /** That a waiver of it has expired: it counts again. */
  readonly expired_waiver?: string;
  readonly finding?: FindingReport;
};

/** What requests of one kind have that the document does not, or lack. */
export type RequestReport = {
  readonly kind: string;
  readonly operation: string;
  readonly message: string;
  readonly section: string;
  /** The open question it is about. */
  readonly question?: string | undefined;
  readonly count: number;
};

/** What others sent through the proxy, or a recording held: how much of it was judged, and what clients do beside the document. */
export type TrafficReport = {
  readonly judged: number;
  /** Exchanges that break a claim. */
  readonly broken: number;
  /** Requests for paths or methods under `/api/v1` that the document does not have. */
  readonly undocumented: number;
  /** Requests outside `/api/v1`. */
  readonly outside: number;
  /** Exchanges that were not judged, by the reason. */
  readonly skip_reasons: Readonly<Record<string, number>>;
  /** Exchanges, or leads, that claims about several responses could not take into account. */
  readonly evicted: number;
  /** Successful exchanges of the operations of `--require`. */
  readonly required: Readonly<Record<string, number>>;
  /** What requests have that the document does not, or lack. Nothing of it counts against the service. */
  readonly requests: readonly RequestReport[];
};

/** The commands that judge a deployment. */
export type JudgingCommand = 'contract' | 'proxy' | 'check';

/** A run as plain data: what every kind of report is written from. Holds no key and no record of anybody else. */
export type Report = {
  /** Version of this shape. */
  readonly report_version: 1;
  readonly suite: {
    readonly name: 'email-leads';
    readonly version: string;
    readonly command: JudgingCommand;
  };
  readonly target: { readonly kind: Target['kind']; readonly url: string };
  readonly run_id: string;
  /** ISO 8601, UTC. */
  readonly started_at: string;
  readonly duration_ms: number;
  readonly strict: boolean;
  readonly verdict: { readonly exit_code: number; readonly headline: string };
  readonly counts: Readonly<Record<Status | 'waived', number>>;
  readonly requests: number;
  readonly mails_requested: number;
  /** Time spent waiting: for pauses that were asked for, and for answers that never came. */
  readonly waited_ms: number;
  /** `ran N of M checks: D decided, U undecided; K skipped because …` */
  readonly ran: string;
  readonly checks: readonly CheckReport[];
  /** What became of the answers of a profile; empty where the run was given none. */
  readonly answers: readonly AnswerVerdict[];
  /** Findings with one cause, together. */
  readonly groups: readonly Group[];
  readonly coverage: Coverage;
  /** Only of `proxy` and `check`. */
  readonly traffic?: TrafficReport;
  /** Leads of the run that could not be deleted, each with the command that does. */
  readonly leftovers: readonly { readonly lead_id: string; readonly curl: string }[];
};
