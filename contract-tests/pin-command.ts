import { command, runCommand, UsageError } from '../mock/flags.ts';
import manifest from '../package.json' with { type: 'json' };
import { pin } from './pin.ts';
import { loadProfile, ProfileError, writeProfile } from './profile.ts';

type Flags = { all: boolean; reason?: string };

const definition = () =>
  command(
    'email-leads pin',
    'Decide that answers of a profile are to stay as they are: contract --profile gates on them.',
  )
    .argument('<file>', 'the profile')
    .argument('[questions...]', 'QUESTION keeps the answer of the file, QUESTION=ANSWER states one')
    .option('--all', 'pin every observed answer', false)
    .option('--reason <text>', 'why; it stands in the file');

/** `email-leads pin` */
export const runPinCommand = (argv: readonly string[]): Promise<number> =>
  runCommand(async () => {
    const parsed = definition().parse(argv, { from: 'user' });
    const [file, questions] = parsed.processedArgs as [string, string[]];
    const { all, reason = '' } = parsed.opts<Flags>();
    if (all === questions.length > 0) throw new UsageError('name the questions to pin, or give --all');
    if (reason.trim() === '')
      throw new UsageError('give a --reason: who reads the file later will ask for it');
    const made = { reason, at: new Date().toISOString(), version: manifest.version };
    try {
      const { profile, lines } = pin(loadProfile(file), all ? 'all' : questions, made);
      writeProfile(file, profile);
      for (const line of lines) console.log(line);
      return 0;
    } catch (error) {
      throw error instanceof ProfileError ? new UsageError(error.message) : error;
    }
  });
