import { type Address, noGateway } from '../../mock/contract/gateway.ts';
import type { OperationId } from '../../mock/contract/operation-id.ts';
import type { Profile } from '../../mock/contract/profile.ts';
import type { QuestionId } from '../../mock/contract/questions.ts';
import { compareAnswers } from '../questions/drift.ts';
import { buildReport, type ReportOptions } from '../reports/build-report.ts';
import type { Report } from '../reports/report.ts';
import { type AnswerVerdict, exitCodes, type Summary, summarise } from '../runner/summary.ts';
import { applyWaivers, type Waiver } from '../waivers/waivers.ts';
import type { TrafficSession } from './session.ts';

type ConclusionOptions = Required<Pick<ReportOptions, 'strict' | 'version' | 'command'>> &
  Address & {
    readonly session: TrafficSession;
    readonly waivers: readonly Waiver[];
    /** Operations that must occur in the traffic. */
    readonly require: readonly OperationId[];
    /** The profile whose pinned answers must still hold. */
    readonly profile?: Profile | undefined;
  };

/** Creates the report of a traffic session: the report of `contract`, with statistics of the traffic. */
export const conclude = (options: ConclusionOptions): Report => {
  const { session, url, gateway = noGateway, version, command, strict, waivers, require, profile } = options;
  const { counts } = session;
  const run = session.run();
  const { verdicts, unused } = applyWaivers(run.verdicts, waivers, run.startedAt.slice(0, 10));
  const answers = profile && answersOf(profile, session, { url, gateway });
  const traffic = counts.summary();
  const required = Object.fromEntries(require.map((id) => [id, counts.successes(id)]));
  const waivedRun = { ...run, verdicts };
  const summary = summarise(waivedRun, strict, unused, answers);
  const report = buildReport({
    target: { kind: 'deployment', url: session.redact(url), gateway },
    run: waivedRun,
    summary: withEvidence(summary, counts.total(), traffic.judged, required),
    strict,
    version,
    command,
    answers,
    shown: counts.shown(),
  });
  const requests = session.requestFindings().map(({ question, ...finding }) => ({
    ...finding,
    ...(question === undefined ? {} : { question }),
    operation: session.redact(finding.operation),
    message: session.redact(finding.message),
  }));
  return {
    ...report,
    requests: counts.total(),
    traffic: {
      ...traffic,
      evicted: session.evicted(),
      required,
      requests,
    },
  };
};

/** The comparison of a profile with the answers that the traffic shows. */
const answersOf = (profile: Profile, { answers }: TrafficSession, target: Address): AnswerVerdict[] =>
  compareAnswers(profile, answers.results(Object.keys(profile.answers) as QuestionId[]), target);

/**
 * Changes the summary to "could not test" without sufficient traffic. A broken claim stays
 * broken, even if other traffic is missing.
 */
const withEvidence = (
  summary: Summary,
  total: number,
  judged: number,
  required: Readonly<Record<string, number>>,
): Summary => {
  if (summary.exitCode === exitCodes.broken) return summary;
  const couldNotTest = (headline: string): Summary => ({
    ...summary,
    exitCode: exitCodes.couldNotTest,
    headline,
  });
  if (total === 0) return couldNotTest('could not test: no request under /api/v1 was seen');
  if (judged === 0)
    return couldNotTest('could not test: no response of a documented operation could be checked');
  const missing = Object.keys(required).filter((id) => required[id] === 0);
  return missing.length === 0
    ? summary
    : couldNotTest(
        `could not test: no successful and documented exchange of ${missing.join(', ')} was seen (--require)`,
      );
};
