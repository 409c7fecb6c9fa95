// The commands of the command line, each with its module, which is loaded only for this command.
import type { Command as Definition } from 'commander';

type Run = (argv: readonly string[]) => Promise<number>;

export type Command = {
  readonly does: string;
  readonly load: () => Promise<readonly [definition: () => Definition, run: Run]>;
  /** Exit code if the command itself cannot be run. 1 unless that code would be a statement about a deployment. */
  readonly broken?: number;
};

export const commands: Readonly<Record<string, Command>> = {
  mock: {
    does: 'run a local mock server',
    load: () => import('../mock/cli/mock.ts').then((its) => [its.definition, its.runMock]),
  },
  health: {
    does: 'check whether a mock is ready, for containers and scripts',
    load: () => import('../mock/cli/health.ts').then((its) => [its.definition, its.runHealth]),
  },
  contract: {
    does: 'check a deployment (or the mock) against the contract',
    load: () =>
      import('../contract-tests/cli/contract.ts').then((its) => [its.definition, its.runContractCommand]),
    broken: 3,
  },
  observe: {
    does: 'record how a deployment answers the open questions',
    load: () =>
      import('../contract-tests/cli/observe.ts').then((its) => [its.definition, its.runObserveCommand]),
    broken: 3,
  },
  proxy: {
    does: 'forward the traffic of an app to a deployment and check it',
    load: () => import('../contract-tests/cli/proxy.ts').then((its) => [its.definition, its.runProxyCommand]),
    broken: 3,
  },
  check: {
    does: 'check recorded traffic (HAR files)',
    load: () => import('../contract-tests/cli/check.ts').then((its) => [its.definition, its.runCheckCommand]),
    broken: 3,
  },
  waive: {
    does: 'waive findings of a report, so that only new ones fail',
    load: () => import('../contract-tests/cli/waive.ts').then((its) => [its.definition, its.runWaiveCommand]),
  },
  pin: {
    does: 'pin observed answers so that changes fail as drift',
    load: () =>
      import('../contract-tests/cli/profile.ts').then((its) => [its.pinDefinition, its.runPinCommand]),
  },
  spec: {
    does: 'print the OpenAPI document for a profile, or the differences of two profiles',
    load: () =>
      import('../contract-tests/cli/profile.ts').then((its) => [its.specDefinition, its.runSpecCommand]),
  },
  explain: {
    does: 'explain an open question or a check',
    load: () =>
      import('../contract-tests/cli/explain.ts').then((its) => [its.definition, its.runExplainCommand]),
  },
};

/** The definition of every command. */
export const loadDefinitions = async (): Promise<Readonly<Record<string, () => Definition>>> =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(commands).map(async ([name, { load }]) => [name, (await load())[0]] as const),
    ),
  );
