import { stringify } from 'yaml';
import { contractUnder } from '../mock/contract-view.ts';
import { command, flag, runCommand, UsageError } from '../mock/flags.ts';
import { answersIn } from '../mock/profile.ts';
import { type Answers, resolveAnswers } from '../mock/questions.ts';
import { loadProfile, ProfileError } from './profile.ts';
import { differences } from './spec-diff.ts';

type Flags = { profile?: string; diff?: string; format: 'yaml' | 'json' };

const definition = () =>
  command(
    'email-leads spec',
    'Print the contract as a profile makes it: OpenAPI 3.1 with concrete statuses, fields and paths.',
  )
    .addOption(flag('--profile <file>', 'the answers; the assumed ones without it'))
    .addOption(flag('--diff <file>', 'say instead how this other profile differs'))
    .addOption(
      flag('--format <format>', 'how to print the contract').choices(['yaml', 'json']).default('yaml'),
    );

/** `email-leads spec`: the document the mock serves under the same answers. */
export const runSpecCommand = (argv: readonly string[]): Promise<number> =>
  runCommand(async () => {
    const { profile, diff, format } = definition().parse(argv, { from: 'user' }).opts<Flags>();
    const given = answersOf(profile);
    process.stdout.write(diff === undefined ? specText(given, format) : diffText(given, answersOf(diff)));
    return 0;
  });

const answersOf = (file: string | undefined): Partial<Answers> => {
  try {
    return file === undefined ? {} : (answersIn(loadProfile(file)) as Partial<Answers>);
  } catch (error) {
    throw error instanceof ProfileError ? new UsageError(error.message) : error;
  }
};

export const specText = (given: Partial<Answers>, format: Flags['format']): string => {
  const document = contractUnder(resolveAnswers(given));
  return format === 'json'
    ? `${JSON.stringify(document, null, 2)}\n`
    : stringify(document, { aliasDuplicateObjects: false });
};

const diffText = (from: Partial<Answers>, to: Partial<Answers>): string => {
  const lines = differences(from, to);
  return lines.length === 0 ? 'the two give the same answers\n' : `${lines.join('\n')}\n`;
};
