import type { Check, Level, Need } from '../check.ts';
import { curlFor, deleteCurl } from '../curl.ts';
import type { Status, Verdict } from '../engine.ts';
import { type Exchange, excerpt, isObject } from '../exchange.ts';
import type { AnswerVerdict } from '../gate.ts';
import type { Run } from '../run.ts';
import type { Target } from '../target.ts';
import type { Summary } from '../verdict.ts';
import { type Coverage, coverageOf } from './coverage.ts';
import { type Group, groupFindings } from './group.ts';

/** A run as plain data: what every kind of report is written from. Holds no key and no record of anybody else. */
export type Report = {
  /** Version of this shape. */
  readonly report_version: 1;
  readonly suite: { readonly name: 'email-leads'; readonly version: string };
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
  /** `ran N of M, K skipped because …` */
  readonly ran: string;
  readonly checks: readonly CheckReport[];
  /** What became of the answers of a profile; empty where the run was given none. */
  readonly answers: readonly AnswerVerdict[];
  /** Findings with one cause, together. */
  readonly groups: readonly Group[];
  readonly coverage: Coverage;
  /** Leads of the run that could not be deleted, each with the command that does. */
  readonly leftovers: readonly { readonly lead_id: string; readonly curl: string }[];
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
  /** Why, for everything but a pass. */
  readonly reason?: string;
  /** Reason of the waiver, for a finding that does not count. */
  readonly waived?: string;
  readonly finding?: FindingReport;
};

export type FindingReport = {
  readonly expected: string;
  readonly actual: string;
  /** JSON Pointer into the reply, where it is about one place. */
  readonly pointer?: string;
  readonly request?: { readonly method: string; readonly path: string; readonly key: string };
  readonly reply?: { readonly status: number; readonly size: number; readonly excerpt: string };
  /** Replays the request, the key taken from `$EMAIL_LEADS_API_KEY`. */
  readonly curl?: string;
};

export type ReportOptions = {
  readonly target: Target;
  readonly run: Run;
  readonly summary: Summary;
  readonly strict: boolean;
  readonly version: string;
  readonly answers?: readonly AnswerVerdict[] | undefined;
};

export const buildReport = ({
  target,
  run,
  summary,
  strict,
  version,
  answers = [],
}: ReportOptions): Report => {
  const checks = run.verdicts.map((verdict) => describeVerdict(target.url, run.runId, verdict));
  const report: Report = {
    report_version: 1,
    suite: { name: 'email-leads', version },
    target: { kind: target.kind, url: target.url },
    run_id: run.runId,
    started_at: run.startedAt,
    duration_ms: run.durationMs,
    strict,
    verdict: { exit_code: summary.exitCode, headline: summary.headline },
    counts: summary.counts,
    requests: run.exchanges.length,
    mails_requested: run.mailsRequested,
    ran: ranLine(run.verdicts),
    checks,
    answers,
    groups: groupFindings(checks),
    coverage: coverageOf(run),
    leftovers: run.leftovers.map((id) => ({ lead_id: id, curl: deleteCurl(target.url, id) })),
  };
  return redacted(report, run.redact) as Report;
};

const ranLine = (verdicts: readonly Verdict[]): string => {
  const reasons = new Map<string, number>();
  for (const { status, reason = '' } of verdicts) {
    if (status === 'skipped') reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const skipped = [...reasons.values()].reduce((sum, count) => sum + count, 0);
  const because = [...reasons].map(([reason, count]) => `${count} because ${reason}`).join('; ');
  return `ran ${verdicts.length - skipped} of ${verdicts.length} checks, ${skipped} skipped${because === '' ? '' : `: ${because}`}`;
};

const operationOf = (check: Check): string => ('scope' in check ? 'every' : check.operation);

const describeVerdict = (
  base: string,
  runId: string,
  { check, status, reason, waived, problem }: Verdict,
): CheckReport => ({
  id: check.id,
  title: check.title,
  section: check.section,
  level: check.level,
  operation: operationOf(check),
  needs: check.needs,
  status,
  ...(reason === undefined ? {} : { reason }),
  ...(waived === undefined ? {} : { waived }),
  ...(problem
    ? {
        finding: {
          expected: problem.expected,
          actual: problem.actual,
          ...(problem.pointer === undefined ? {} : { pointer: problem.pointer }),
          ...(problem.exchange ? describeExchange(base, runId, problem.exchange) : {}),
        },
      }
    : {}),
});

const describeExchange = (base: string, runId: string, exchange: Exchange): Partial<FindingReport> => ({
  request: { method: exchange.method, path: exchange.path, key: exchange.credentials },
  reply: { status: exchange.status, size: exchange.size, excerpt: shareable(exchange, runId) },
  curl: curlFor(base, exchange),
});

/** The reply itself where it is about a record of this run or says why it refuses; else only its outline. */
const shareable = ({ operation, outcome, text, json }: Exchange, runId: string): string => {
  const own = text.includes(runId) && operation !== 'listTemplates';
  if (own || outcome !== 'success') return outcome === 'broken' && !own ? outline(json) : excerpt(text, 300);
  return outline(json);
};

const outline = (json: unknown): string => {
  if (!isObject(json))
    return json === undefined ? 'not JSON' : `JSON: ${Array.isArray(json) ? 'an array' : typeof json}`;
  const data = isObject(json.data)
    ? `{${Object.keys(json.data).join(', ')}}`
    : Array.isArray(json.data)
      ? `[${json.data.length} items]`
      : '';
  return `fields: ${Object.keys(json)
    .map((name) => (name === 'data' && data !== '' ? `data ${data}` : name))
    .join(', ')}`;
};

/** The suite's own words, which are never redacted: a key may well be called `pass`. */
const ownWords = new Set([
  ...['id', 'title', 'section', 'level', 'operation', 'operations', 'needs', 'status', 'waived'],
  ...['name', 'version', 'kind', 'run_id', 'started_at', 'method', 'key', 'unobservable'],
]);

/** `checks` of a group are ids, `checks` of the report are what came. */
const isOwn = (name: string, value: unknown): boolean =>
  ownWords.has(name) ||
  (name === 'checks' && Array.isArray(value) && value.every((id) => typeof id === 'string'));

const redacted = (node: unknown, redact: (text: string) => string): unknown => {
  if (typeof node === 'string') return redact(node);
  if (Array.isArray(node)) return node.map((item) => redacted(item, redact));
  if (node === null || typeof node !== 'object') return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, isOwn(name, value) ? value : redacted(value, redact)]),
  );
};
