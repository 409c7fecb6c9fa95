import type { OperationId } from '../../mock/contract/operation-id.ts';
import { pathOf } from '../../mock/contract/path-template.ts';
import type { Profile, QuestionId } from '../../mock/contract/questions.ts';
import { excerpt } from '../exchange/exchange.ts';
import { compareAnswers } from '../questions/profile.ts';
import { buildReport, type ReportOptions } from '../reports/build-report.ts';
import type { Report } from '../reports/report.ts';
import { exitCodes, type Summary } from '../runner/summary.ts';
import { noResponse, type ObservedExchange } from './exchanges/observed.ts';
import type { Finding } from './judge.ts';
import type { TrafficJudgement, TrafficSession } from './session.ts';

type ConclusionOptions = Required<Pick<ReportOptions, 'strict' | 'command' | 'waivers'>> & {
  readonly session: TrafficSession;
  /** The base URL of the deployment. */
  readonly url: string;
  /** Operations that must occur in the traffic. */
  readonly require: readonly OperationId[];
  /** The profile whose pinned answers must still hold. */
  readonly profile?: Profile | undefined;
};

/** Creates the report of a traffic session: the report of `contract`, with statistics of the traffic. */
export const conclude = (options: ConclusionOptions): Report => {
  const { session, url, require, profile, ...reported } = options;
  const { counts, redact, answers } = session;
  const traffic = counts.summary();
  const required = Object.fromEntries(require.map((id) => [id, counts.successes(id)]));
  const results = answers.results(Object.keys(profile?.answers ?? {}) as QuestionId[]);
  const report = buildReport({
    ...reported,
    target: { kind: 'deployment', url: redact(url) },
    run: session.run(),
    answers: profile && compareAnswers(profile, results, { url }),
    shown: counts.coverage.shown(),
    conclude: (summary) => withEvidence(summary, counts.total(), traffic.judged, required),
  });
  const requests = session.deviations().map(({ operation, message, ...deviation }) => {
    return { ...deviation, operation: redact(operation), message: redact(message) };
  });
  const evicted = session.evicted();
  return { ...report, requests: counts.total(), traffic: { ...traffic, evicted, required, requests } };
};

/** Without sufficient traffic the summary is "could not test". A broken claim stays broken, whatever is missing. */
const withEvidence = (
  summary: Summary,
  total: number,
  judged: number,
  required: Readonly<Record<string, number>>,
): Summary => {
  const missing = Object.keys(required).filter((id) => required[id] === 0);
  const problems = [
    total === 0 && 'no request under /api/v1 was seen',
    judged === 0 && 'no response of a documented operation could be checked',
    missing.length > 0 &&
      `no successful and documented exchange of ${missing.join(', ')} was seen (--require)`,
  ];
  const problem = problems.find(Boolean);
  if (!problem || summary.exitCode === exitCodes.broken) return summary;
  return { ...summary, exitCode: exitCodes.couldNotTest, headline: `could not test: ${problem}` };
};

const judgeFailed = 'on which the check itself failed';

/** Judges an exchange as it passes. An error of the suite itself is reported and counted, and does not stop the traffic. */
export const judgeLive = (
  { observe, redact, counts }: Pick<TrafficSession, 'observe' | 'redact' | 'counts'>,
  observed: ObservedExchange,
) => {
  const head = headOf(observed);
  const lines: string[] = [];
  let judgement: TrafficJudgement = { findings: [], deviations: [], skipped: judgeFailed };
  try {
    judgement = observe(observed);
  } catch (error) {
    counts.add('skipped', judgeFailed);
    lines.push(`! the suite failed to check ${head}, please report it: ${(error as Error).stack}`);
  }
  const { findings, skipped = '' } = judgement;
  const { injected } = observed;
  if (injected) lines.push(`${injected.effect === 'refused' ? '? refused' : '~'} ${head}: ${injected.what}`);
  if (skipped.startsWith(noResponse)) lines.push(`! ${head}: ${skipped}`);
  if (findings.length > 0) lines.push(`✗ ${head}: ${claimsIn(findings)}`);
  const documented = findings.filter(({ check }) => check.level === 'documented');
  return {
    judgement,
    /** Lines for broken claims, for missing responses, and for what a fault rule did. */
    lines: lines.map(redact),
    /** The documented facts that the response breaks, in one sentence. */
    problem: documented.length > 0 ? claimsIn(documented) : undefined,
  };
};

const claimsIn = (findings: readonly Finding[]): string => {
  const texts = findings.map(
    ({ check: { id, section, level }, failure: { expected, actual } }) =>
      `${id} (§${section}, ${level}): expected ${expected}, got ${actual}`,
  );
  return excerpt(texts.join('; '), 600);
};

const headOf = ({ method, target, status }: ObservedExchange): string =>
  `${new Date().toISOString().slice(11, 19)} ${method} ${excerpt(pathOf(target), 120)}${status === 0 ? '' : ` → ${status}`}`;
