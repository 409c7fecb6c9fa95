import { type Address, noGateway } from '../../mock/contract/gateway.ts';
import type { OperationId } from '../../mock/contract/operation-id.ts';
import type { Profile } from '../../mock/contract/profile.ts';
import type { QuestionId } from '../../mock/contract/questions.ts';
import { compareAnswers } from '../questions/drift.ts';
import { buildReport, type ReportOptions } from '../reports/build-report.ts';
import type { Report } from '../reports/report.ts';
import { exitCodes, type Summary } from '../runner/summary.ts';
import type { TrafficSession } from './session.ts';

type ConclusionOptions = Required<Pick<ReportOptions, 'strict' | 'version' | 'command' | 'waivers'>> &
  Address & {
    readonly session: TrafficSession;
    /** Operations that must occur in the traffic. */
    readonly require: readonly OperationId[];
    /** The profile whose pinned answers must still hold. */
    readonly profile?: Profile | undefined;
  };

/** Creates the report of a traffic session: the report of `contract`, with statistics of the traffic. */
export const conclude = (options: ConclusionOptions): Report => {
  const { session, url, gateway = noGateway, require, profile, ...reported } = options;
  const { counts, redact, answers } = session;
  const traffic = counts.summary();
  const required = Object.fromEntries(require.map((id) => [id, counts.successes(id)]));
  const results = answers.results(Object.keys(profile?.answers ?? {}) as QuestionId[]);
  const report = buildReport({
    ...reported,
    target: { kind: 'deployment', url: redact(url), gateway },
    run: session.run(),
    answers: profile && compareAnswers(profile, results, { url, gateway }),
    shown: counts.shown(),
    conclude: (summary) => withEvidence(summary, counts.total(), traffic.judged, required),
  });
  const requests = session.requestFindings().map(({ question, ...finding }) => ({
    ...finding,
    ...(question === undefined ? {} : { question }),
    operation: redact(finding.operation),
    message: redact(finding.message),
  }));
  return {
    ...report,
    requests: counts.total(),
    traffic: { ...traffic, evicted: session.evicted(), required, requests },
  };
};

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
  const missing = Object.keys(required).filter((id) => required[id] === 0);
  const problem =
    total === 0
      ? 'no request under /api/v1 was seen'
      : judged === 0
        ? 'no response of a documented operation could be checked'
        : missing.length > 0
          ? `no successful and documented exchange of ${missing.join(', ')} was seen (--require)`
          : undefined;
  if (problem === undefined || summary.exitCode === exitCodes.broken) return summary;
  return { ...summary, exitCode: exitCodes.couldNotTest, headline: `could not test: ${problem}` };
};
