import { command, runCommand, UsageError } from '../mock/flags.ts';
import { explain, nearestId } from './explain.ts';

const definition = () =>
  command(
    'email-leads explain',
    'Say what the document leaves open or claims, and what the suite and the mock make of it.',
  ).argument('<id>', 'an open question or a check');

/** `email-leads explain` */
export const runExplainCommand = (argv: readonly string[]): Promise<number> =>
  runCommand(async () => {
    const [id] = definition().parse(argv, { from: 'user' }).processedArgs as [string];
    const lines = explain(id);
    if (!lines)
      throw new UsageError(
        `there is no question and no check ${JSON.stringify(id)}; did you mean ${nearestId(id)}?`,
      );
    console.log(lines.join('\n'));
    return 0;
  });
