import type { OperationId } from '../../mock/contract/operation-id.ts';
import { concernsOneLead, type Need, operations, routes } from '../exchange/operations.ts';
import type { Check, Level } from '../facts/check.ts';
import { compareFields, type FieldCoverage, fieldPointers } from '../facts/replies/response-schema.ts';
import type { Run } from '../runner/run.ts';
import type { AnswerVerdict } from '../runner/summary.ts';
import type { Status } from '../runner/verdict.ts';
import type { Target } from '../session/target.ts';

type Coverage = {
  /** Documented facts with a verdict, and their total number. */
  readonly documented: { readonly checked: number; readonly total: number };
  /** Documented facts about the operations of the run that cannot be observed from outside. */
  readonly unobservable: readonly string[];
  /** Number of responses with each status, by operation. */
  readonly statuses: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Documented response fields that no success contained, as `operation /pointer`. */
  readonly never_seen: readonly string[];
  /** Fields of success responses that the document does not name; they are allowed, and reported for information. */
  readonly undocumented: readonly string[];
  /**
   * What the requests of the run contain in addition to the documented fields, because the
   * deployment refuses requests without it.
   */
  readonly adaptations: readonly string[];
};

const unobservableFacts: readonly (readonly [operation: OperationId, fact: string])[] = [
  ['sendEmail', '§4.1 the email is sent to the specified recipient'],
  ['sendTemplateEmail', '§4.3 the email is built from the template with the variables supplied'],
];

/** What a check states, whatever its result. */
export const claimOf = (
  check: Check,
): Pick<CheckReport, 'id' | 'title' | 'section' | 'level' | 'operation' | 'needs'> => {
  const { id, title, section, level, needs } = check;
  const operation = 'scope' in check && check.scope === 'every' ? 'every' : check.operation;
  return { id, title, section, level, operation, needs };
};

/** The statuses of checks that were decided. */
const decidedStatuses: ReadonlySet<string> = new Set(['pass', 'fail', 'unstable']);

/** How many of the documented facts were checked. @param unobservable those that nobody can check from outside */
export const documentedIn = (
  checks: readonly Pick<CheckReport, 'level' | 'status'>[],
  unobservable: readonly string[],
): Coverage['documented'] => {
  const documented = checks.filter(({ level }) => level === 'documented');
  return {
    checked: documented.filter(({ status }) => decidedStatuses.has(status)).length,
    total: documented.length + unobservable.length,
  };
};

export const coverageOf = (
  checks: readonly Pick<CheckReport, 'level' | 'status' | 'operation'>[],
  { exchanges, adaptations }: Pick<Run, 'exchanges' | 'adaptations'>,
): Coverage => {
  const fields = operations.map(({ id }) => fieldsOf(id, exchanges));
  const unobservable = unobservableFacts
    .filter(([unseen]) => checks.some(({ operation }) => operation === unseen))
    .map(([, fact]) => fact);
  const statuses: StatusCounts = {};
  for (const { operation, status } of exchanges) countStatus(statuses, operation, status);
  return {
    documented: documentedIn(checks, unobservable),
    unobservable,
    // Which operation responded first differs from run to run.
    statuses: Object.fromEntries(Object.entries(statuses).sort(([left], [right]) => (left < right ? -1 : 1))),
    never_seen: fields.flatMap(({ never }) => never),
    undocumented: fields.flatMap(({ extra }) => extra),
    adaptations,
  };
};

/** Number of responses with each status, by operation. */
export type StatusCounts = Record<string, Record<string, number>>;

export const countStatus = (
  counts: StatusCounts,
  operation: string,
  status: number | string,
  times = 1,
): void => {
  const row = counts[operation] ?? {};
  counts[operation] = row;
  row[status] = (row[status] ?? 0) + times;
};

const fieldsOf = (operation: OperationId, exchanges: Run['exchanges']): FieldCoverage => {
  const successes = exchanges.filter(
    // Excludes responses at paths that the document does not have, such as a list of leads.
    ({ operation: id, outcome, path }) =>
      id === operation && outcome === 'success' && (concernsOneLead(id) || routes[id].paths.includes(path)),
  );
  if (successes.length === 0) return { never: [], extra: [] };
  return compareFields(operation, new Set(successes.flatMap(({ json }) => fieldPointers(json))));
};

/** Findings with the same cause, possibly in several operations, with one headline for the group. */
export type Group = {
  readonly headline: string;
  readonly status: CheckReport['status'];
  readonly section: string;
  readonly checks: readonly string[];
  readonly operations: readonly string[];
};

/** A request and its response, without data that may be personal. */
export type ExchangeReport = {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly key: string;
    /** The check or the part of the run that sent it. */
    readonly check?: string;
    readonly content_type?: string;
    readonly body?: string;
  };
  readonly reply: { readonly status: number; readonly size: number; readonly excerpt: string };
  /** When the request of a step was sent, in milliseconds after the first one of the run, and how long the response took. */
  readonly sent_ms?: number;
  readonly took_ms?: number;
};

/** The requests of a run in intervals of one length, by when they were sent. */
export type Timeline = {
  readonly interval_ms: number;
  readonly intervals: readonly {
    readonly requests: number;
    /** Responses with a status of 500 or more. */
    readonly server_errors: number;
  }[];
};

export type FindingReport = Partial<ExchangeReport> & {
  readonly expected: string;
  readonly actual: string;
  /** What the finding shows, for the waiver of this difference and no other. */
  readonly fingerprint: string;
  /** JSON Pointer to the place in the response, if the finding concerns one place. */
  readonly pointer?: string;
  /** Other responses with the same defect, one line per operation, status and kind. */
  readonly also?: readonly string[];
  /** A command that repeats only the last request; it reads the key from `$EMAIL_LEADS_API_KEY`. */
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
  /** Milliseconds from its first request to its last response; 0 if it only inspected responses to other checks. */
  readonly duration_ms: number;
  /** The reason; of a passed check, which texts it could not test. */
  readonly reason?: string;
  /** The reason from the waiver, if the finding is waived. */
  readonly waived?: string;
  /** Why a waiver of this check does not apply, so that the finding counts. */
  readonly waiver_note?: string;
  readonly finding?: FindingReport;
};

/** Undocumented or missing parts in requests of one kind. */
export type RequestReport = {
  readonly kind: string;
  readonly operation: string;
  readonly message: string;
  readonly section: string;
  /** The open question that it concerns. */
  readonly question?: string | undefined;
  readonly count: number;
};

/** The traffic from a proxy or a recording: how much of it was checked, and where requests differ from the document. */
export type TrafficReport = {
  readonly judged: number;
  /** Exchanges that break a claim. */
  readonly broken: number;
  /** Requests under `/api/v1` with a path or a method that the document does not have. */
  readonly undocumented: number;
  /** Requests outside `/api/v1`. */
  readonly outside: number;
  /** Number of exchanges that were not checked, by reason. */
  readonly skip_reasons: Readonly<Record<string, number>>;
  /** Number of exchanges that each fault rule of the proxy changed. What a rule answered is not checked. */
  readonly injected?: Readonly<Record<string, number>>;
  /** Number of exchanges, or leads, that were dropped before claims about several responses could use them. */
  readonly evicted: number;
  /** Number of successful exchanges of each operation in `--require`. */
  readonly required: Readonly<Record<string, number>>;
  /** Where requests differ from the document: undocumented or missing parts. None of this counts against the service. */
  readonly requests: readonly RequestReport[];
};

/** The commands with a verdict on a deployment. */
export type JudgingCommand = 'contract' | 'proxy' | 'check';

/**
 * A run as plain data, from which every kind of report is created. It contains no key and no
 * record that the run did not create.
 */
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
  /** Milliseconds spent waiting: for requested pauses and for requests that timed out. */
  readonly waited_ms: number;
  /** `ran N of M checks: D decided, U undecided; K skipped because …` */
  readonly ran: string;
  readonly checks: readonly CheckReport[];
  /** The comparison with the answers of a profile; empty without a profile. */
  readonly answers: readonly AnswerVerdict[];
  /** Findings grouped by cause. */
  readonly groups: readonly Group[];
  readonly coverage: Coverage;
  /** Only in reports of `contract`, and not in merged ones, whose parts may have run at the same time. */
  readonly timeline?: Timeline;
  /** Only in reports of `proxy` and `check`. */
  readonly traffic?: TrafficReport;
  /** Leads of the run that could not be deleted, each with a command that deletes it. */
  readonly leftovers: readonly { readonly lead_id: string; readonly curl: string }[];
};
