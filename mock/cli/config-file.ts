import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import type { Command, Option } from 'commander';
import { describeUnknown } from '../contract/questions.ts';
import { parseFileFor, UsageError } from '../contract/system-errors.ts';
import { compileJsonSchema } from '../validation/json-schema.ts';
import { checkSchema, type StateError } from '../validation/schema-errors.ts';
import schema from './config.schema.json' with { type: 'json' };
import { environmentName, flag } from './flags.ts';

// The configuration file: flags of the commands that test a deployment, written down once, and targets by name.

const configNames = ['email-leads.config.json', 'email-leads.config.yaml', 'email-leads.config.yml'];

type Value = string | number | boolean | readonly (string | number)[];
type Settings = Readonly<Record<string, Value>>;
type Targets = Readonly<Record<string, Settings>>;
type Content = {
  readonly $schema?: string;
  /** That of a command that names none. */
  readonly target?: string;
  readonly targets?: Targets;
};

/** What no file may set, and why. */
const forbidden: readonly (readonly [name: RegExp, why: string])[] = [
  [
    /^(api-?)?key(-file)?$/i,
    'a file in version control must not contain a key: set EMAIL_LEADS_API_KEY, or EMAIL_LEADS_API_KEY_FILE',
  ],
  [
    /^(allow-?writes|send-?to|allow-?unaddressed)$/i,
    'permissions are given on the command line only, so that no file changes data or sends mail',
  ],
];

export const withConfigFlag = (command: Command, usage = '[target] [options]'): Command =>
  command
    .usage(usage)
    .optionsGroup('Target:')
    .addOption(flag('--config <file>', 'file with targets and flags, JSON or YAML'));

// The published schema has a setting for every flag that a file may set. Its words for "no other fields" are those of editors.
const settingsSchema = { ...schema.$defs.settings, additionalProperties: false };
const validate = compileJsonSchema({
  ...settingsSchema,
  properties: {
    ...schema.properties,
    ...settingsSchema.properties,
    targets: { type: 'object', additionalProperties: settingsSchema },
  },
});

/** @throws UsageError for a file that cannot be read, a setting that no flag has, or a value of the wrong type */
const readConfig = (file: string) => {
  // Loaded only when there is a file.
  const { parse } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
  const toError = (reason: string): Error => new UsageError(`--config ${reason}`);
  const content: unknown = parseFileFor(file, (bytes) => parse(bytes.toString()), toError) ?? {};
  try {
    checkSchema(validate, content);
  } catch (error) {
    const { pointer, message } = error as StateError;
    const name = pointer.slice(pointer.lastIndexOf('/') + 1);
    const why = forbidden.find(([pattern]) => pattern.test(name))?.[1];
    const problem = why === undefined ? message : `${pointer} has no place in a file: ${why}`;
    throw new UsageError(`--config ${file}: ${problem}`);
  }
  const { $schema: _, target, targets = {}, ...settings } = content as Content;
  return { file, target, targets, settings: settings as Settings };
};

/** The file here, else beside the nearest package.json. */
const findConfig = (): string | undefined => {
  const here = configNames.find((name) => existsSync(name));
  if (here !== undefined) return here;
  for (let folder = resolve(); folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, 'package.json')))
      return configNames.map((name) => relative('', join(folder, name))).find((file) => existsSync(file));
  return undefined;
};

/** A setting as flags. Files are named from the folder of the configuration file. */
const flagsFor = (option: Option, value: Value, folder: string): string[] => {
  if (value === false) return [];
  if (value === true) return [String(option.long)];
  const isPath = /<(file|directory)>/.test(option.flags);
  const parts = Array.isArray(value) ? value : [value];
  return parts.map((part) => `${option.long}=${isPath ? relative('', resolve(folder, String(part))) : part}`);
};

export type ConfigOptions = {
  /** Whether the first argument names a target; `if named`: only if the file has a target of this name. */
  readonly takesTarget: boolean | 'if named';
};

/**
 * The arguments of a command together with those that its configuration file adds: a flag has priority over its environment
 * variable, and that over the file. Settings that the command does not have are left out.
 * @throws UsageError for a file that cannot be used, or a target that it does not name
 */
export const withConfig = (
  command: Command,
  argv: readonly string[],
  { takesTarget }: ConfigOptions,
): string[] => {
  // What the arguments say. The command forgets it, and begins anew when it parses them with those of the file.
  command.saveStateBeforeParse();
  command.parseOptions([...argv]);
  const { config: file = process.env.EMAIL_LEADS_CONFIG || findConfig() } = command.opts<{
    config?: string;
  }>();
  const config = file === undefined ? undefined : readConfig(file);
  const [first = ''] = argv;
  const isKnown = config !== undefined && Object.hasOwn(config.targets, first);
  const mayName = takesTarget === 'if named' ? isKnown : takesTarget;
  const named = mayName && /^\w[\w.-]*$/.test(first) ? first : undefined;
  if (named !== undefined && config === undefined)
    throw new UsageError(
      `there is no target ${JSON.stringify(named)}, because there is no file email-leads.config.yaml that names targets; set the deployment with --url URL`,
    );
  const rest = named === undefined ? argv : argv.slice(1);
  if (config === undefined) return [...rest];
  const optionOf = (setting: string): Option | undefined => {
    const isUpstream = setting === 'url' && command.options.some(({ long }) => long === '--upstream');
    return command.options.find(({ long }) => long === `--${isUpstream ? 'upstream' : setting}`);
  };
  const isGiven = (option: Option | undefined): boolean =>
    option !== undefined &&
    (command.getOptionValueSource(option.attributeName()) === 'cli' ||
      (process.env[environmentName(option.flags)] ?? '') !== '');
  // Another address is another deployment: the settings of the usual target do not concern it.
  const usual = takesTarget === false || isGiven(optionOf('url')) ? undefined : config.target;
  const name = named ?? usual;
  const target = name === undefined ? {} : config.targets[name];
  if (target === undefined)
    throw new UsageError(
      `${config.file}: ${describeUnknown('target', String(name), Object.keys(config.targets), 'the file names them under "targets"')}`,
    );
  const settings: Settings = { ...config.settings, ...target };
  const added = Object.entries(settings).flatMap(([setting, value]) => {
    const option = optionOf(setting);
    if (option === undefined || isGiven(option)) return [];
    return flagsFor(option, value, dirname(config.file));
  });
  return [...added, ...rest];
};
