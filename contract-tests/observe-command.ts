import { command, flag, listFlag, UsageError } from '../mock/flags.ts';
import { listQuestions, nearest, type QuestionId } from '../mock/questions.ts';
import manifest from '../package.json' with { type: 'json' };
import { beginAsking, runAsking, usage, whyNothing } from './asking-command.ts';
import { type Observed, observe } from './observe.ts';
import { changeLines, summaryLines, tableHead, tableRow } from './observe-table.ts';
import type { Permissions } from './permissions.ts';
import { mailsOf, type Probe, probes, probesFor } from './probes/index.ts';
import { loadOrBegin, merge, type Profile, questionsDigest, writeProfile } from './profile.ts';
import { createRedactor } from './redact.ts';
import { visible } from './report/visible.ts';
import { inRun } from './run.ts';
import type { Target } from './target.ts';
import { chooseTarget, permissionsOf, type TargetFlags, withTargetFlags } from './target-flags.ts';
import { exitCodes } from './verdict.ts';

type Flags = TargetFlags & { output?: string; only: string[] };

const definition = () =>
  withTargetFlags(
    command('email-leads observe', 'Find out what a deployment does where the document is silent.'),
  )
    .addOption(flag('--output <file>', 'write what is found into this profile; pinned answers stay'))
    .addOption(listFlag('--only <id>', 'ask this question or group of questions only (repeatable)'))
    .addHelpText(
      'after',
      `
The key of a deployment comes from EMAIL_LEADS_API_KEY. A deployment is only read until --allow-writes and --send-to.
Exit codes: 0 printed or written, 2 usage, 3 could not test at all, 130 interrupted.`,
    );

/** `email-leads observe` */
export const runObserveCommand = (argv: readonly string[]): Promise<number> =>
  runAsking(() => observeWith(definition().parse(argv, { from: 'user' }).opts<Flags>()));

const observeWith = async (flags: Flags): Promise<number> => {
  const asked = select(flags.only);
  const target = await chooseTarget(flags.url, process.env);
  try {
    // Read before anything is asked: a file that cannot be used is said at once.
    const profile = usage(() => profileFor(flags.output, target));
    return await observeTarget(target, flags, asked, profile);
  } finally {
    await target.close();
  }
};

/** @throws UsageError for what matches no question, so that nothing asked never looks like nothing found */
const select = (only: readonly string[]): readonly Probe[] => {
  if (only.length === 0) return probes;
  const ids = probes.map(({ question }) => question);
  const matches = (pattern: string, id: QuestionId): boolean =>
    id === pattern || id.startsWith(`${pattern}.`);
  for (const pattern of only) {
    if (ids.some((id) => matches(pattern, id))) continue;
    const known = listQuestions().some(({ id }) => id === pattern);
    throw new UsageError(
      known
        ? `${pattern} cannot be found out from outside; state it with email-leads pin FILE ${pattern}=ANSWER`
        : `there is no question ${JSON.stringify(pattern)}; did you mean ${nearest(pattern, ids)}?`,
    );
  }
  return probesFor(ids.filter((id) => only.some((pattern) => matches(pattern, id))));
};

const addressOf = (target: Target): string =>
  target.kind === 'embedded mock' ? 'the embedded mock' : createRedactor(target.key)(target.url);

const profileFor = (file: string | undefined, target: Target): Profile | undefined => {
  if (file === undefined) return undefined;
  const profile = loadOrBegin(file, addressOf(target));
  if (profile.questions_digest !== questionsDigest())
    console.error(
      `warning: ${file} was made for other questions than ${manifest.version} asks; what still fits is kept`,
    );
  return profile;
};

const observeTarget = async (
  target: Target,
  flags: Flags,
  asked: readonly Probe[],
  profile: Profile | undefined,
): Promise<number> => {
  const permissions = permissionsOf(target, flags);
  const redact = createRedactor(target.key);
  console.log(redact(`email-leads observe ${manifest.version}: ${target.kind} at ${target.url}`));
  if (target.kind === 'deployment') for (const line of mailLines(asked, permissions)) console.log(line);
  const { options, whatIsLeft, end } = beginAsking(target, flags, permissions);
  try {
    console.log(`\n${tableHead}`);
    const observed = await inRun(options, 'observe', (shared) =>
      observe(shared, asked, { onFound: (found) => console.log(visible(redact(tableRow(found)))) }),
    );
    for (const line of summaryLines(observed, observed.found.length)) console.log(visible(redact(line)));
    console.log(`${observed.exchanges.length} requests, of which ${observed.mailsRequested} asked for mail`);
    for (const line of whatIsLeft()) console.log(line);
    if (profile && flags.output !== undefined) write(flags.output, profile, observed);
    return observed.interrupted ? exitCodes.interrupted : exitCodes.conforms;
  } catch (error) {
    for (const line of whatIsLeft()) console.error(line);
    const reason = whyNothing(error);
    if (!reason) throw error;
    console.error(reason.headline);
    return reason.exitCode;
  } finally {
    end();
  }
};

/** An interrupted run writes what it had found: every answer in it was seen twice. */
const write = (file: string, before: Profile, { found }: Observed): void => {
  const made = { at: new Date().toISOString(), version: manifest.version };
  const { profile, changes } = merge(before, found, made);
  const written = usage(() => writeProfile(file, profile));
  console.log(written ? `Written: ${file}` : `${file} says so already`);
  for (const line of changeLines(changes)) console.log(line);
};

const mailLines = (asked: readonly Probe[], { sendTo, unaddressed, maxSends }: Permissions): string[] => {
  const mails = mailsOf(asked);
  if (sendTo === undefined || mails === 0) return [];
  const others = unaddressed ? ', some of them naming no recipient (--allow-unaddressed)' : '';
  return [
    `This run asks for ${Math.min(mails, maxSends)} mails, to ${sendTo}${others}; repeats after failures included, for ${maxSends} at most (--max-sends).`,
  ];
};
