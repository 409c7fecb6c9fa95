import { print, printError } from '../../mock/contract/printable.ts';
import { describeUnknown, listQuestions } from '../../mock/contract/questions.ts';
import { UsageError } from '../../mock/contract/system-errors.ts';
import manifest from '../../package.json' with { type: 'json' };
import { matchesId, withGroups } from '../checks/patterns.ts';
import { mailNotice } from '../cost/cost.ts';
import { plural } from '../exchange/describe.ts';
import { groupBy } from '../exchange/lists.ts';
import { mailsOf, type ObserveResult, observe, type QuestionResult } from '../questions/observe.ts';
import { probes, probesFor } from '../questions/probes/index.ts';
import type { Probe } from '../questions/probes/probe.ts';
import { type Change, loadOrCreate, merge, questionsDigest, writeProfile } from '../questions/profile.ts';
import { effortLines } from '../reports/text.ts';
import { inRun } from '../runner/run.ts';
import { exitCodes } from '../runner/summary.ts';
import { type ConsoleSink, createConsoleSink } from './console-sink.ts';
import { type FlagsIn, targetFlags, withFlags } from './flags.ts';
import { forFlag, runDeploymentCommand } from './lifecycle.ts';
import { type RunContext, withRun } from './run.ts';
import { addressOf } from './target.ts';

const widths = [33, 5, 13, 11] as const;

const row = (...cells: readonly string[]): string => {
  const padded = cells.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  return padded.join(' ').trimEnd();
};

const tableHead: string = row('question', '§', 'answer', 'assumed', 'evidence');

/** A row for a question. The assumed answer is `=` if the deployment gives the same. */
const tableRow = (result: QuestionResult): string => {
  const { id, section, assumed } = result.question;
  const [answer, said] =
    result.status === 'answered' ? [result.answer, result.evidence] : [result.status, result.reason];
  return row(id, section, String(answer), answer === assumed ? '=' : String(assumed), said);
};

/** The number of questions and answers. */
const summaryLines = ({ results, interrupted }: ObserveResult): string[] => {
  const byStatus = groupBy(results, ({ status }) => status);
  const counts = ['answered', 'unstable', 'inconclusive', 'skipped'].flatMap((status) => {
    const { length } = byStatus.get(status) ?? [];
    return length > 0 || status === 'answered' ? [`${length} ${status}`] : [];
  });
  return [
    `${plural(results.length, 'question')}: ${counts.join(', ')}`,
    ...(interrupted ? ['interrupted: the remaining questions were not asked'] : []),
  ];
};

/** The changes of the profile: changed answers and drift one by one, and counts. */
const changeLines = (changes: readonly Change[]): string[] => {
  const count = (...kinds: Change['kind'][]): number =>
    changes.filter(({ kind }) => kinds.includes(kind)).length;
  return [
    ...changes.flatMap(({ kind, id, before, after }) => {
      if (kind === 'changed') return [`  changed: ${id}, ${before} → ${after}`];
      return kind === 'drift' ? [`  drift: ${id} is pinned as ${before}, is now ${after}; not changed`] : [];
    }),
    `  ${count('new')} new, ${count('changed')} changed, ${count('same')} unchanged, ${count('pinned', 'drift')} pinned and not changed`,
  ];
};

const flagNames = {
  ...targetFlags,
  Reports: ['record', 'reportDir', 'quiet', 'verbose'],
  'Selection and result': ['output', 'seed', 'only'],
} as const;

type Flags = FlagsIn<typeof flagNames>;

export const definition = () =>
  withFlags(
    [
      'email-leads observe',
      'Record how a deployment answers the open questions.',
      'email-leads observe --url https://staging.example.com --allow-writes --output staging.json',
    ],
    flagNames,
    `The key of a deployment comes from EMAIL_LEADS_API_KEY. Without --allow-writes and --send-to, a deployment is only read.
Exit codes: 0 printed or written, 2 usage, 3 the deployment stopped responding, or no question of an --only could be
asked, 130 interrupted. Without --only, questions that need another permission are skipped, and that is 0.`,
  );

/** `email-leads observe` */
export const runObserveCommand = (argv: readonly string[]): Promise<number> =>
  runDeploymentCommand({ definition, argv, takesTarget: true }, async (flags: Flags) => {
    const selected = select(flags.only);
    const sink = createConsoleSink(flags, process.env);
    const settings = { command: 'observe', flags, sink, isThorough: true } as const;
    return await withRun(settings, (run) => observeIn(run, selected, flags, sink));
  });

/** @throws UsageError for a pattern that matches no question, so that a typing error does not look like an empty result */
const select = (only: readonly string[]): readonly Probe[] => {
  if (only.length === 0) return probes;
  const ids = probes.map(({ question }) => question);
  const pattern = only.find((wanted) => !ids.some((id) => matchesId(wanted, id)));
  if (pattern === undefined)
    return probesFor(ids.filter((id) => only.some((wanted) => matchesId(wanted, id))));
  throw new UsageError(
    listQuestions().some(({ id }) => id === pattern)
      ? `${pattern} cannot be observed from outside; set it with email-leads pin FILE ${pattern}=ANSWER`
      : describeUnknown('question', pattern, withGroups(ids), 'contract-tests/open-questions.md lists them'),
  );
};

/** A sentence for each pattern of `--only` whose questions were all skipped: otherwise the run would look complete. */
const unaskedPatterns = (only: readonly string[], results: readonly QuestionResult[]): string[] =>
  only.flatMap((pattern) => {
    const named = results.filter(({ question }) => matchesId(pattern, question.id));
    const [first] = named;
    const isUnasked = named.every(({ status }) => status === 'skipped');
    return isUnasked && first?.status === 'skipped'
      ? [`${pattern} was skipped, because ${first.reason}`]
      : [];
  });

const observeIn = async (
  { title, options, describeLeftovers, record }: RunContext,
  selected: readonly Probe[],
  { output, only }: Flags,
  sink: ConsoleSink,
): Promise<number> => {
  const { version } = manifest;
  // Read before the first request, so that an unusable file is reported at once.
  const profile = output && forFlag('--output', () => loadOrCreate(output, addressOf(options)));
  if (profile && profile.questions_digest !== questionsDigest())
    printError(
      `warning: ${output} was written for other questions than those of ${version}; answers that are still valid are kept`,
    );
  sink.note(title);
  const { kind, permissions } = options;
  const mails = mailsOf(selected, permissions);
  if (kind === 'deployment' && mails > 0) sink.note(mailNotice(mails, permissions));
  sink.note('');
  const observed = await inRun(options, 'observe', (shared) => observe(shared, selected));
  const { results, requests, mailsRequested, waitedMs, interrupted, redact } = observed;
  for (const line of [tableHead, ...results.map(tableRow), '']) sink.note(redact(line));
  for (const line of summaryLines(observed)) print(redact(line));
  for (const line of effortLines(requests, mailsRequested, waitedMs)) sink.note(line);
  for (const line of describeLeftovers()) print(line);
  if (profile && output) {
    // Also after an interruption: every answer was confirmed by a second attempt.
    const merged = merge(profile, results, { at: new Date().toISOString(), version });
    const isWritten = writeProfile(output, merged.profile);
    sink.note(isWritten ? `Written: ${output}` : `${output} is already up to date`);
    for (const line of changeLines(merged.changes)) print(line);
  }
  record(observed);
  if (interrupted) return exitCodes.interrupted;
  const obstacles = [...observed.troubles, ...unaskedPatterns(only, results)];
  for (const obstacle of obstacles) printError(`not everything could be asked: ${obstacle}`);
  return obstacles.length > 0 ? exitCodes.couldNotTest : exitCodes.conforms;
};
