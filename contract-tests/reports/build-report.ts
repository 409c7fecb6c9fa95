import type { Redact } from '../../mock/contract/redaction.ts';
import { clip } from '../../mock/contract/shown-text.ts';
import manifest from '../../package.json' with { type: 'json' };
import { deleteCurl } from '../client/curl.ts';
import { RequestFailed } from '../client/errors.ts';
import { plural } from '../exchange/describe.ts';
import {
  type Exchange,
  excerpt,
  hasSuccessStatus,
  isObject,
  itemsOf,
  jsonTypeOf,
  sentFields,
} from '../exchange/exchange.ts';
import { groupBy } from '../exchange/lists.ts';
import { type Check, defectOf, isReplyCheck } from '../facts/check.ts';
import { describeActual, type Failure } from '../facts/fact.ts';
import { CannotTest } from '../runner/preflight.ts';
import type { Run } from '../runner/run.ts';
import type { AnswerVerdict } from '../runner/summary.ts';
import { exitCodes, isUndecided, type Summary, summarise } from '../runner/summary.ts';
import type { Verdict } from '../runner/verdict.ts';
import type { Target } from '../session/target.ts';
import { applyWaivers, fingerprintOf, type Waiver } from '../waivers/waivers.ts';
import { coverageOf, createCoverage, type Shown } from './coverage.ts';
import { replayScript } from './replay/script.ts';
import { stepsOf } from './replay/steps.ts';
import type { CheckReport, ExchangeReport, FindingReport, Report } from './report.ts';
import { claimOf, groupFindings } from './report.ts';

/** The exit code and message for a run that did not start; `undefined` if the suite itself failed. */
export const abortReason = (error: unknown): Pick<Summary, 'exitCode' | 'headline'> | undefined => {
  if (error instanceof RequestFailed && error.kind === 'interrupted')
    return { exitCode: exitCodes.interrupted, headline: 'interrupted before anything was created' };
  if (!(error instanceof CannotTest)) return undefined;
  return { exitCode: exitCodes.couldNotTest, headline: `could not test: ${error.message}` };
};

/** What a report says about the tested deployment. */
type Subject = Pick<Target, 'kind' | 'url' | 'gateway'>;

export type ReportOptions = {
  readonly target: Subject;
  readonly run: Run;
  readonly strict?: boolean;
  readonly waivers?: readonly Waiver[];
  readonly command?: Report['suite']['command'];
  readonly answers?: readonly AnswerVerdict[] | undefined;
  /** Number of checks that were left to a thorough run. */
  readonly leftToThorough?: number | undefined;
  /** What responses have shown, if the run has not kept all of them. */
  readonly shown?: Shown;
  /** Changes what the verdicts alone would come to. */
  readonly conclude?: (summary: Summary) => Summary;
};

/** What a run comes to: its verdicts with the waivers applied, and a report of them. */
export const buildReport = ({
  target,
  run: { verdicts: found, ...rest },
  strict = false,
  waivers = [],
  command = 'contract',
  answers = [],
  leftToThorough = 0,
  shown = createCoverage(rest.exchanges).shown(),
  conclude = (summary) => summary,
}: ReportOptions): Report => {
  const { verdicts, unused } = applyWaivers(found, waivers, rest.startedAt.slice(0, 10));
  const run = { ...rest, verdicts };
  const { exitCode, headline, counts } = conclude(summarise(run, strict, unused, answers));
  // Requests of an app may be about leads and mails of others: no script repeats them.
  const origin = command === 'contract' ? target : undefined;
  const checks = verdicts.map((verdict) => describeVerdict(origin, run, verdict));
  const report: Report = {
    report_version: 1,
    suite: { name: 'email-leads', version: manifest.version, command },
    target: { kind: target.kind, url: target.url },
    run_id: run.runId,
    started_at: run.startedAt,
    duration_ms: run.durationMs,
    strict,
    verdict: { exit_code: exitCode, headline },
    counts,
    requests: run.requests,
    mails_requested: run.mailsRequested,
    waited_ms: Math.round(run.waitedMs),
    ran: `${ranLine(verdicts)}${leftToThorough === 0 ? '' : `; ${leftToThorough} more only with --thorough`}`,
    checks,
    answers,
    groups: groupFindings(verdicts),
    coverage: coverageOf(checks, run.adaptations, shown),
    leftovers: run.leftoverLeads.map((id) => ({ lead_id: id, curl: deleteCurl(target, id) })),
  };
  return redactFields(report, run.redact) as Report;
};

/** The numbers of decided, undecided and skipped checks, on one line. */
const ranLine = (verdicts: readonly Verdict[]): string => {
  const skipped = verdicts.filter(({ status }) => status === 'skipped');
  const undecided = verdicts.filter(isUndecided).length;
  const unstable = verdicts.filter(({ status }) => status === 'unstable').length;
  const because = [...groupBy(skipped, ({ reason = '' }) => excerpt(skipCause(reason)))]
    .sort(([, left], [, right]) => right.length - left.length)
    .map(([why, { length }]) => `${length} because ${why}`);
  if (because.length > 4) because.splice(4, because.length, 'the others for other reasons');
  const ran = verdicts.length - skipped.length;
  return `ran ${ran} of ${plural(verdicts.length, 'check')}: ${ran - undecided} decided${unstable === 0 ? '' : ` (${unstable} unstable)`}, ${undecided} undecided; ${skipped.length} skipped${because.length === 0 ? '' : `: ${because.join('; ')}`}`;
};

/** Skips that need the same permission are grouped: its flag stands at the end of their reasons. */
const skipCause = (reason: string): string => {
  const [flag] = /--(allow-writes|send-to|allow-unaddressed)$/.exec(reason) ?? [];
  return flag === undefined ? reason : `${flag} is missing`;
};

/** @param origin where the requests of a finding may be repeated, if they may */
const describeVerdict = (
  origin: Subject | undefined,
  run: Run,
  { check, status, reason, waived, waiverNote, failure }: Verdict,
): CheckReport => ({
  ...claimOf(check),
  status,
  ...(reason === undefined ? {} : { reason }),
  ...(waived === undefined ? {} : { waived }),
  ...(waiverNote === undefined ? {} : { waiver_note: waiverNote }),
  ...(failure ? { finding: describeFinding(origin, run, check, failure) } : {}),
});

const describeFinding = (
  origin: Subject | undefined,
  run: Run,
  check: Check,
  failure: Failure,
): FindingReport => {
  const { expected, pointer } = failure;
  const steps = stepsOf(isAlwaysWrong(check, failure, run) ? { ...failure, causes: [] } : failure, run);
  const last = steps.exchanges.at(-1);
  const also = otherOccurrences(check, failure, run);
  const begin = Math.min(...[...run.exchanges, ...steps.exchanges].map(({ sentAt }) => sentAt));
  const isShown = last !== undefined && mayBeShown(last, run.runId);
  const replay = origin && replayScript(origin, check, failure, steps, isShown);
  return {
    expected,
    actual: describeActual(failure),
    fingerprint: fingerprintOf(check, failure),
    ...(pointer === undefined ? {} : { pointer }),
    ...(also.length > 0 ? { also } : {}),
    ...(replay === undefined ? {} : { replay }),
    exchanges: steps.exchanges.map((step) => describeStep(run.runId, step, begin)),
  };
};

/** Whether the form of every such response is wrong, so that nothing before the request matters but the lead that it names. */
const isAlwaysWrong = (check: Check, { exchange }: Failure, { exchanges }: Run): boolean => {
  if (!exchange || !isReplyCheck(check) || !/^(bytes|envelope|fields)$/.test(check.about ?? '')) return false;
  const isAlike = ({ operation, outcome }: Exchange): boolean =>
    operation === exchange.operation && outcome === exchange.outcome;
  return exchanges.every((other) => !isAlike(other) || !check.applies(other) || defectOf(check, other));
};

/** Other operations, statuses and kinds of responses with the same defect, so that one correction can cover them all. */
const otherOccurrences = (check: Check, { actual, exchange }: Failure, run: Run): string[] => {
  if (!exchange || !isReplyCheck(check) || check.scope !== 'every') return [];
  const lines = run.exchanges.flatMap((other) => {
    const defect = defectOf(check, other);
    return defect ? [`${other.operation}: ${defect.actual}`] : [];
  });
  const kinds = groupBy([`${exchange.operation}: ${actual}`, ...lines], (line) =>
    line.replaceAll(/"[^"]*"|\d{4,}/g, '…'),
  );
  return [...kinds.values()].flatMap(([first]) => first ?? []).slice(1, maxOccurrences);
};

/** Limit for a server with many defects, for which the first ones are enough. */
const maxOccurrences = 25;

const describeStep = (runId: string, exchange: Exchange, begin: number): ExchangeReport => {
  const { method, path, credentials: key, scenario, contentType } = exchange;
  const { status, size, sentAt, receivedAt } = exchange;
  const body = shownBody(exchange);
  return {
    request: {
      ...{ method, path, key, scenario },
      ...(contentType === undefined ? {} : { content_type: contentType }),
      ...(body === undefined ? {} : { body }),
    },
    reply: { status, size, excerpt: replyExcerpt(exchange, runId) },
    sent_ms: Math.round(sentAt - begin),
    took_ms: Math.max(0, Math.round(receivedAt - sentAt)),
  };
};

/** The body of a request; of one about a lead that others added, only the names of its fields. */
const shownBody = (exchange: Exchange): string | undefined =>
  exchange.own === false && exchange.body !== undefined
    ? JSON.stringify(Object.fromEntries(Object.keys(sentFields(exchange)).map((name) => [name, '…'])))
    : exchange.body;

/** The response text if it concerns a record of this run, is an error response or a page; otherwise only its outline. */
const replyExcerpt = (exchange: Exchange, runId: string): string => {
  const { json, text } = exchange;
  if (mayBeShown(exchange, runId)) return excerpt(text, json === undefined ? 200 : 300);
  return json === undefined && text !== '' && exchange.own !== false
    ? `not JSON: ${excerpt(withoutTexts(text), 200)}`
    : outline(json);
};

/** A text like JSON without the texts in its quotes, which may be those of a record. The last quote may be missing. */
const withoutTexts = (text: string): string => text.slice(0, 1000).replaceAll(/"(?:[^"\\]|\\.)*"?/gs, '"…"');

const mayBeShown = (exchange: Exchange, runId: string): boolean => {
  const { operation, text, json, own } = exchange;
  if (own === false) return false;
  if (json === undefined && !/[{[]/.test(text.slice(0, 200))) return true;
  const isOwnRecord = (own ?? text.includes(runId)) && operation !== 'listTemplates';
  // An error response with a list contains data that must not be in a report.
  const isRefused = !hasSuccessStatus(exchange) && itemsOf(exchange).length === 0;
  return isOwnRecord || isRefused || hasNoRecord(json);
};

/** Whether a response contains only a confirmation and no record: `{"success":true,"message":"…","data":null}`. */
const hasNoRecord = (json: unknown): boolean => {
  const isEmpty = (value: unknown): boolean =>
    typeof value !== 'object' || Object.keys(value ?? {}).length === 0;
  return isObject(json) && Object.values(json).every(isEmpty);
};

/** The names of the fields, and how many items there are. */
const outline = (json: unknown): string => {
  if (!isObject(json)) return json === undefined ? 'not JSON' : `JSON: ${jsonTypeOf(json)}`;
  const { data } = json;
  const shown = isObject(data)
    ? `data {${Object.keys(data).join(', ')}}`
    : Array.isArray(data)
      ? `data [${plural(data.length, 'item')}]`
      : 'data';
  const names = Object.keys(json).map((name) => (name === 'data' ? shown : name));
  return `fields: ${names.join(', ')}`;
};

/** Fields with fixed texts of the suite. They are never redacted, because a key may equal such a text, for example `pass`. */
const UNREDACTED_FIELDS = new Set([
  ...['id', 'title', 'section', 'level', 'operation', 'operations', 'needs', 'status', 'waived'],
  ...['name', 'version', 'command', 'kind', 'run_id', 'started_at', 'method', 'key', 'unobservable'],
]);

/** `checks` of a group are ids, `checks` of the report contain responses. */
const isUnredacted = (name: string, value: unknown): boolean =>
  UNREDACTED_FIELDS.has(name) ||
  (name === 'checks' && Array.isArray(value) && value.every((id) => typeof id === 'string'));

/** Maximum length of every text of a report. The longest request of a check is shorter. */
const longestText = 100_000;

/** Cuts and redacts all texts of a report. */
const redactFields = (node: unknown, redact: Redact): unknown => {
  if (typeof node === 'string') return redact(clip(node, longestText));
  if (Array.isArray(node)) return node.map((item) => redactFields(item, redact));
  if (node === null || typeof node !== 'object') return node;
  const shown = (name: string, value: unknown): unknown =>
    isUnredacted(name, value) ? value : redactFields(value, redact);
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, shown(name, value)]));
};
