// The flags of the commands that test a deployment, each described once. A command names those that it has.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { withConfigFlag } from '../../mock/cli/config-file.ts';
import {
  command,
  duration,
  flag,
  idListFlag,
  jsonFlag,
  listFlag,
  numberFlag,
  switchFlag,
  wholeNumber,
} from '../../mock/cli/flags.ts';
import { type OperationId, operationIds } from '../../mock/contract/operation-id.ts';
import { defaultMaxSends, mostSends, plainAddress } from '../client/permissions.ts';
import { defaultMaxWait, intervalOf } from '../client/throttle.ts';
import { type ReportKind, reportKinds } from '../reports/index.ts';

/** Makes a flag when a command is defined, because making it may read its environment variable. */
type Make<Value> = (() => Option) & { readonly value?: Value };

const made = <Value>(make: () => Option): Make<Value> => make;

type Words = readonly [flags: string, description: string];

const text = (...words: Words) => made<string | undefined>(() => flag(...words));

const textOr = (fallback: string, ...words: Words) => made<string>(() => flag(...words).default(fallback));

const onOff = (...words: Words) => made<boolean | undefined>(() => switchFlag(...words));

const list = (...words: readonly [...Words, whenEmpty?: string]) => made<string[]>(() => listFlag(...words));

const ids = (...words: Words) => made<string[]>(() => idListFlag(...words));

const parsed = <Value>(parse: (value: string) => Value, ...words: Words) =>
  made<Value | undefined>(() => flag(...words).argParser(parse));

/** A flag for a time. @param usual its default, in milliseconds and as the help shows it */
const time = (
  parse: ReturnType<typeof duration>,
  usual: readonly [ms: number, shown: string],
  ...words: Words
) =>
  made<number>(() =>
    flag(...words)
      .default(...usual)
      .argParser(parse),
  );

/** A flag for some of these names, with commas, which may be repeated. */
const names = <Name extends string>(known: readonly Name[], whenEmpty: string, ...words: Words) =>
  made<Name[]>(() =>
    flag(...words)
      .default([], whenEmpty)
      .argParser((value: string, previous: Name[]) => {
        const given = value.split(/[\s,]+/).filter((name) => name !== '');
        const isKnown = (name: string): name is Name => known.some((other) => other === name);
        if (given.length > 0 && given.every(isKnown)) return [...previous, ...given];
        throw new InvalidArgumentError(`It must be one or more of: ${known.join(', ')}.`);
      }),
  );

/** A flag without an environment variable: a permission, or what nobody wants in every run. */
const withoutVariable = <Value = boolean>(...words: Words) =>
  made<Value | undefined>(() => new Option(...words));

const address = (value: string): string => {
  if (plainAddress.test(value)) return value;
  throw new InvalidArgumentError('It must be one address like me@example.com.');
};

const interval = (rate: string): number => {
  const ms = intervalOf(rate);
  if (ms === undefined) throw new InvalidArgumentError('It must be a rate like 5/s or 90/m.');
  return ms;
};

const blocked = 'requests that break the contract (400) and responses that break a documented fact (502)';
const { usual, thorough } = defaultMaxSends;

/** All flags, by the name that commander gives to their values. */
const flags = {
  url: text('--url <url>', 'base URL (default: start the mock and test it)'),
  wait: time(duration('60m'), [0, '0s'], '--wait <time>', 'how long to wait for its start'),
  from: parsed(address, '--from <address>', 'sender of test mails (default: that of --send-to)'),

  upstream: text('--upstream <url>', 'base URL of the deployment to forward to'),
  port: made<number>(() => numberFlag('--port <number>', 'port to listen on, 0 for any', 4020, [0, 65_535])),
  host: textOr('127.0.0.1', '--host <address>', 'address to listen on'),
  enforce: onOff('--enforce', `block ${blocked}`),
  faults: text('--faults <file>', 'fault rules for these requests (JSON)'),
  allowedHost: list(
    '--allowed-host <name>',
    'also accept this host name (repeatable)',
    'the names of this machine',
  ),

  header: list('--header <field>', 'field of every request, "Name: value" (repeatable)'),
  clientCert: text('--client-cert <file>', 'client certificate for TLS, in PEM'),
  clientKey: text('--client-key <file>', 'the key of the client certificate, in PEM'),
  ca: text('--ca <file>', 'certificate authorities to trust, in PEM'),
  insecure: onOff('--insecure', 'do not check the certificate of the server'),

  allowWrites: withoutVariable('--allow-writes', 'allow adding, changing and deleting leads'),
  sendTo: made<string | undefined>(() =>
    new Option('--send-to <address>', 'allow mail to this address, by Send email only').argParser(address),
  ),
  allowUnaddressed: withoutVariable('--allow-unaddressed', 'allow mail without `to`, and all template mails'),

  maxSends: parsed(
    wholeNumber(0, mostSends),
    '--max-sends <number>',
    `mails (default ${usual}, observe/--thorough ${thorough}, mock none)`,
  ),
  rateLimit: parsed(interval, '--rate-limit <rate>', 'maximum rate: 90/m (default: 20/s, loopback none)'),
  timeout: time(
    duration('10m', 1),
    [10_000, '10s'],
    '--timeout <time>',
    'maximum time to wait for a response',
  ),
  maxWait: time(
    duration('60m'),
    [defaultMaxWait, '2m'],
    '--max-wait <time>',
    'time for pauses and missing responses',
  ),

  record: text('--record <file>', 'write the exchanges, without keys, for check (HAR)'),
  reportDir: textOr('email-leads-reports', '--report-dir <directory>', 'directory for reports'),
  quiet: onOff('--quiet', 'print only findings and the verdict'),
  verbose: onOff('--verbose', 'print a line for every exchange'),
  report: names<ReportKind>(
    reportKinds,
    'console',
    '--report <list>',
    `reports to write, with commas: ${reportKinds.join(', ')}`,
  ),
  color: withoutVariable('--no-color', 'do not colour the output (as NO_COLOR=1)'),

  profile: text('--profile <file>', 'report changed answers; a pinned one is drift'),
  waivers: text('--waivers <file>', 'known findings: a list of {check, reason, until}'),
  strict: onOff('--strict', 'broken derived facts fail the run too'),

  require: names<OperationId>(
    operationIds,
    'none',
    '--require <operations>',
    'exit with 3 unless these succeed: sendEmail,addLead',
  ),
  output: text('--output <file>', 'write the answers to this profile; pinned answers do not change'),
  // EMAIL_LEADS_SEED names the seed that `mock` reads, which must not be overwritten with data of a deployment.
  seed: withoutVariable<string>('--seed <file>', 'write the templates as a seed for the mock'),

  only: ids('--only <id>', 'only these ids, groups or patterns'),
  skip: ids('--skip <id>', 'run all but these'),
  onlyFailed: text('--only-failed <report>', 'repeat what failed or was undecided in this report'),
  thorough: onOff('--thorough', 'run every check: more requests, mails and wrong keys'),
  list: onOff('--list', 'list the checks and exit'),
  json: made<boolean | undefined>(() => jsonFlag('with --list: JSON, an array of {id, level, cost, …}')),
  clean: withoutVariable<string>('--clean <ledger>', 'delete the leads that a killed run left; no checks'),
};

type Name = keyof typeof flags;

/** The values of some flags. */
export type Flags<Names extends Name> = {
  readonly [Each in Names]: (typeof flags)[Each] extends Make<infer Value> ? Value : never;
};

/** The flags of a command, in the groups of its help. */
type Groups = Readonly<Record<string, readonly Name[]>>;

/** The values of the flags of a command. */
export type FlagsIn<Of extends Groups> = Flags<Of[keyof Of][number]>;

/** A command that a configuration file may set flags of. @param help what follows the list of its flags */
export const withFlags = (
  words: Parameters<typeof command>,
  groups: Groups,
  help: string,
  usage?: string,
): Command => {
  const described = withConfigFlag(command(...words), usage).addHelpText('after', `\n${help}`);
  for (const [heading, group] of Object.entries(groups)) {
    described.optionsGroup(`${heading}:`);
    for (const name of group) described.addOption(flags[name]());
  }
  return described;
};

/** How to pass a gateway in front of a deployment. */
export const gatewayFlags = {
  Gateway: ['header', 'clientCert', 'clientKey', 'ca', 'insecure'],
} as const satisfies Groups;

/** The deployment, the permissions on it, and how fast to send requests: of every command that sends some. */
export const targetFlags = {
  Target: ['url', 'wait', 'from'],
  ...gatewayFlags,
  Permissions: ['allowWrites', 'sendTo', 'allowUnaddressed'],
  Limits: ['maxSends', 'rateLimit', 'timeout', 'maxWait'],
} as const satisfies Groups;

/** How findings count. */
export const findingFlags = { Findings: ['profile', 'waivers', 'strict'] } as const satisfies Groups;

/** What the traffic of other clients must contain, and the file for its templates. */
export const trafficFlags = { ...findingFlags, Traffic: ['require', 'seed'] } as const satisfies Groups;
