#!/usr/bin/env node
// The command line. Loads only the half that was asked for.
import manifest from '../package.json' with { type: 'json' };

type Command = {
  readonly does: string;
  readonly run: (argv: readonly string[]) => Promise<number>;
  /** Exit code where the command itself cannot be run; 1 unless that says something of a deployment. */
  readonly broken?: number;
};

const commands: Readonly<Record<string, Command>> = {
  mock: {
    does: 'run a local stand-in for the service',
    run: async (argv) => (await import('../mock/command.ts')).runMock(argv),
  },
  health: {
    does: 'tell whether a mock is ready, for containers and scripts',
    run: async (argv) => (await import('../mock/health-command.ts')).runHealth(argv),
  },
  contract: {
    does: 'hold a deployment, or the mock, against the contract',
    run: async (argv) => (await import('../contract-tests/command.ts')).runContractCommand(argv),
    broken: 3,
  },
  observe: {
    does: 'find out what a deployment does where the document is silent',
    run: async (argv) => (await import('../contract-tests/observe-command.ts')).runObserveCommand(argv),
    broken: 3,
  },
  pin: {
    does: 'decide that answers of a profile are to stay as they are',
    run: async (argv) => (await import('../contract-tests/pin-command.ts')).runPinCommand(argv),
  },
  spec: {
    does: 'print the contract as a profile makes it, or how two profiles differ',
    run: async (argv) => (await import('../contract-tests/spec-command.ts')).runSpecCommand(argv),
  },
  explain: {
    does: 'explain an open question or a check',
    run: async (argv) => (await import('../contract-tests/explain-command.ts')).runExplainCommand(argv),
  },
};

const usage = `email-leads ${manifest.version}: a mock server and a contract test suite for the Email and Leads service

Usage: email-leads COMMAND [flags]      (email-leads COMMAND --help lists the flags)

${Object.entries(commands)
  .map(([name, { does }]) => `  ${name.padEnd(10)}${does}`)
  .join('\n')}`;

const run = async ({ run, broken = 1 }: Command, argv: readonly string[]): Promise<number> => {
  try {
    return await run(argv);
  } catch (error) {
    console.error(`email-leads itself failed. Is all of it installed?\n${(error as Error).stack ?? error}`);
    return broken;
  }
};

const [name = '', ...rest] = process.argv.slice(2);
const chosen = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (chosen) process.exitCode = await run(chosen, rest);
else if (name === '--version') console.log(manifest.version);
else if (name === '--help' || name === 'help') console.log(usage);
else {
  console.error(
    name === ''
      ? usage
      : `email-leads: there is no command ${JSON.stringify(name)}; email-leads --help lists them`,
  );
  process.exitCode = 2;
}
