import { stringify } from 'yaml';
import { answersOfFlags, command, flag, jsonFlag, listFlag } from '../../mock/cli/flags.ts';
import { applyAnswers } from '../../mock/contract/in-force.ts';
import { print, printableLines, printJson } from '../../mock/contract/printable.ts';
import { type Answers, answersFrom, parseAnswers, resolveAnswers } from '../../mock/contract/questions.ts';
import { UsageError } from '../../mock/contract/system-errors.ts';
import manifest from '../../package.json' with { type: 'json' };
import { differencesOf, differenceText, loadProfile, pin, writeProfile } from '../questions/profile.ts';
import { runDeploymentCommand } from './lifecycle.ts';

export const pinDefinition = () =>
  command(
    'email-leads pin',
    'Pin observed answers so that changes fail as drift (contract --profile).',
    'email-leads pin staging.json lead.duplicate --reason "the sign-up form relies on it"',
  )
    .argument('<file>', 'the profile')
    .argument(
      '[questions...]',
      'QUESTION pins the answer in the profile, QUESTION=ANSWER pins this answer instead',
    )
    .option('--all', 'pin every observed answer', false)
    .option('--reason <text>', 'why; stored in the profile')
    .addOption(jsonFlag('as JSON: {file, pinned}, with the entries as in the profile'));

type PinFlags = { all: boolean; reason?: string; json?: boolean };

/** `email-leads pin` */
export const runPinCommand = (argv: readonly string[]): Promise<number> =>
  runDeploymentCommand({ definition: pinDefinition, argv }, async (flags: PinFlags, args) => {
    const [file, questions] = args as [string, string[]];
    const { all, reason = '', json } = flags;
    if (all === questions.length > 0)
      throw new UsageError(
        `name the questions to pin, or use --all${all ? ', not both' : ' for every observed one'}`,
      );
    const origin = { reason, at: new Date().toISOString(), version: manifest.version };
    const before = loadProfile(file);
    const { profile, lines } = pin(before, all ? 'all' : questions, origin);
    // Checked after the questions, so that the user need not write the reason again after an invalid question.
    if (reason.trim() === '')
      throw new UsageError('--reason is required: readers of the profile need to know why');
    writeProfile(file, profile);
    // The entries that are new, as the profile has them.
    const old = new Set(Object.values(before.answers));
    const pinned = Object.fromEntries(Object.entries(profile.answers).filter(([, entry]) => !old.has(entry)));
    if (json) printJson({ file, pinned });
    else for (const line of lines) print(line);
    return 0;
  });

type SpecFlags = {
  profile?: string;
  answer: string[];
  diff?: string;
  json?: boolean;
  format: 'yaml' | 'json';
};

const setAnswer = 'set the answer to an open question (repeatable; overrides the profile)';
const format = () => flag('--format <format>', 'format of the document');

export const specDefinition = () =>
  command(
    'email-leads spec',
    'Print the OpenAPI document for a profile: OpenAPI 3.1 with concrete statuses, fields and paths.',
    'email-leads spec --profile staging.json --diff production.json',
  )
    .addOption(flag('--profile <file>', 'profile with the answers (default: the assumed answers)'))
    .addOption(listFlag('--answer <id=value>', setAnswer))
    .addOption(flag('--diff <file>', 'print the differences to this other profile instead'))
    .addOption(jsonFlag('with --diff: a list of {question, section, subject, from, to}'))
    .addOption(format().choices(['yaml', 'json']).default('yaml').conflicts('diff'))
    .addHelpText(
      'after',
      '\nExit codes: 0 printed; with --diff, whether the profiles differ or not. 2 usage, or a file that is not a profile.',
    );

/** `email-leads spec`: the document that the mock serves with the same answers. */
export const runSpecCommand = (argv: readonly string[]): Promise<number> =>
  runDeploymentCommand({ definition: specDefinition, argv }, async (flags: SpecFlags) => {
    const { profile, answer, diff, json, format } = flags;
    const answers = { ...answersOf(profile), ...parsedAnswers(answer) };
    if (json && diff === undefined)
      throw new UsageError('--json belongs to --diff: for the document, use --format json');
    if (json) printJson(differencesOf(answers, answersOf(diff)));
    else
      process.stdout.write(
        printableLines(diff === undefined ? specText(answers, format) : diffText(answers, answersOf(diff))),
      );
    return 0;
  });

const answersOf = (file: string | undefined): Partial<Answers> =>
  file === undefined ? {} : (answersFrom(loadProfile(file)) as Partial<Answers>);

const parsedAnswers = (pairs: readonly string[]): Partial<Answers> => {
  try {
    return parseAnswers(answersOfFlags(pairs));
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError((error as Error).message);
  }
};

export const specText = (answers: Partial<Answers>, format: SpecFlags['format']): string => {
  const document = applyAnswers(resolveAnswers(answers));
  return format === 'json'
    ? `${JSON.stringify(document, null, 2)}\n`
    : stringify(document, { aliasDuplicateObjects: false });
};

const diffText = (from: Partial<Answers>, to: Partial<Answers>): string => {
  const lines = differencesOf(from, to).map(differenceText);
  return lines.length === 0 ? 'the two profiles give the same answers\n' : `${lines.join('\n')}\n`;
};
