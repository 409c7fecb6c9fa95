import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { describeFault, printError } from '../contract/printable.ts';
import { suggest } from '../contract/questions.ts';
import { UsageError } from '../contract/system-errors.ts';

/** Exit code for wrong usage or configuration. */
const usageError = 2;

/** The environment variable of a flag: `--outbox-limit` → `EMAIL_LEADS_OUTBOX_LIMIT`. */
export const environmentName = (flag: string): string =>
  `EMAIL_LEADS_${flag.replace(/^--/, '').split(' ', 1)[0]?.replaceAll('-', '_').toUpperCase()}`;

/** A flag that an environment variable can set too. */
class Flag extends Option {}

/** The environment variable that sets a flag, if there is one. */
export const variableOf = (option: Option): string | undefined =>
  option instanceof Flag ? environmentName(option.flags) : undefined;

/** A flag that can also be set by its environment variable, unless that is empty, as CI sets it. The flag has priority. */
export const flag = (flags: string, description: string): Option => {
  const option = new Flag(flags, description);
  const name = environmentName(flags);
  return process.env[name] ? option.env(name) : option;
};

/** A flag without a value. @throws UsageError for a variable like `EMAIL_LEADS_STRICT=no`, which the library would take for true */
export const switchFlag = (flags: string, description: string): Option => {
  const option = new Flag(flags, description);
  const name = environmentName(flags);
  const value = process.env[name] ?? '';
  if (['', '0', 'false'].includes(value)) return option;
  if (['1', 'true'].includes(value)) return option.env(name);
  throw new UsageError(`${name} is ${JSON.stringify(value)}; it must be 1, true, 0 or false`);
};

/** Has no variable: a program decides about each of its calls. */
export const jsonFlag = (description: string): Option => new Option('--json', description);

/** What a flag does and its default, without its variable: one sentence of the help states the rule for all of them. */
export const describeFlag = (option: Option): string => {
  const { description, argChoices, defaultValue, defaultValueDescription: shown } = option;
  const choices = argChoices === undefined ? [] : [argChoices.join(', ')];
  const hasDefault = defaultValue !== undefined && !option.isBoolean() && shown !== 'none';
  const defaults = hasDefault ? [`default: ${shown ?? String(defaultValue)}`] : [];
  const notes = [...choices, ...defaults];
  return notes.length === 0 ? description : `${description} (${notes.join('; ')})`;
};

const variableRule = (options: readonly Option[]): string => {
  const shown = options.filter(({ hidden }) => !hidden);
  const example = shown.find((option) => variableOf(option) !== undefined);
  if (!example) return '';
  const others = shown.filter((option) => variableOf(option) === undefined).map(({ long }) => long);
  const exception = others.length === 0 ? '' : ` except ${others.join(', ')}`;
  return [
    `\nAn environment variable can set every flag${exception}:`,
    `${variableOf(example)} for ${example.long}. The flag has priority. A flag that may be repeated has one value per line there.`,
  ].join('\n');
};

/**
 * A flag that may be repeated; its environment variable contains one value per line.
 * @param whenEmpty the default, for the help
 */
export const listFlag = (flags: string, description: string, whenEmpty = 'none'): Option =>
  splitFlag(flags, description, /\r?\n/, whenEmpty);

/** A flag for a whole number within bounds. */
export const numberFlag = (
  flags: string,
  description: string,
  fallback: number,
  bounds: readonly [min: number, max: number],
): Option =>
  flag(flags, description)
    .default(fallback)
    .argParser(wholeNumber(...bounds));

/** A flag for ids, which may be repeated or contain several ids: `leads.add,templates`. */
export const idListFlag = (flags: string, description: string): Option =>
  splitFlag(flags, `${description}, with commas`, /[\s,]+/, 'none');

const splitFlag = (flags: string, description: string, separator: RegExp, whenEmpty: string): Option =>
  flag(flags, description)
    .default([], whenEmpty)
    .argParser((value: string, previous: string[]) => {
      const parts = value.split(separator).filter((part) => part !== '');
      // An unset variable of the shell (`--accept-key "$KEY"`) is a mistake, for --accept-key a dangerous one.
      if (parts.length === 0) throw new InvalidArgumentError('It must not be empty.');
      return [...previous, ...parts];
    });

/** All environment variables of the commands. A test compares them with the flags. */
export const variables: readonly string[] = [
  'ACCEPT_KEY ALLOWED_HOST ALLOWED_ORIGIN ANSWER API_KEY API_KEY_FILE CA CLIENT_CERT CLIENT_KEY CONFIG',
  'DELAY DIFF ENFORCE FAULTS FORMAT FROM HEADER HOST INSECURE LIST LOG MAX_SENDS MAX_WAIT NO_ADMIN ONLY',
  'ONLY_FAILED OUTBOX_LIMIT OUTPUT PORT PROFILE QUIET RATE_LIMIT RECORD REPORT REPORT_DIR REQUIRE SEED SKIP STATE STRICT',
  'THOROUGH TIMEOUT TLS_CERT TLS_KEY UPSTREAM URL VERBOSE WAIT WAIVERS',
].flatMap((line) => line.split(' ').map((name) => `EMAIL_LEADS_${name}`));

/** Permissions have no variable. Commands that ask for a permission warn about these. */
const withoutVariable = /^EMAIL_LEADS_(ALLOW_WRITES|SEND_TO|ALLOW_UNADDRESSED)$/;

/** Warns about variables with almost the name of a known one. Others may belong to another program. */
const warnOfMisspelling = (environment: NodeJS.ProcessEnv): void => {
  for (const name of Object.keys(environment)) {
    if (!name.startsWith('EMAIL_LEADS_') || variables.includes(name) || withoutVariable.test(name)) continue;
    const withoutPrefix = (variable: string): string => variable.slice('EMAIL_LEADS_'.length);
    const meant = suggest(withoutPrefix(name), variables.map(withoutPrefix));
    if (meant !== undefined)
      printError(
        `warning: the environment variable ${name} is not known and has no effect; did you mean EMAIL_LEADS_${meant}?`,
      );
  }
};

/** Parses a whole number within bounds. */
export const wholeNumber =
  (min: number, max: number) =>
  (value: string): number => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };

/**
 * Parses a time with its unit, `500ms`, `30s` or `2m`, into milliseconds; a bare number is seconds.
 * @param min in milliseconds
 */
export const duration =
  (max: string, min = 0) =>
  (value: string): number => {
    const parsed = milliseconds(value);
    if (parsed !== undefined && parsed >= min && parsed <= (milliseconds(max) ?? 0)) return parsed;
    const least = min > 0 ? ` at least ${min}ms and` : '';
    throw new InvalidArgumentError(`It must be a time like 500ms, 30s or 2m,${least} at most ${max}.`);
  };

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

const milliseconds = (text: string): number | undefined => {
  const [, number, unit = 's'] = /^(\d{1,6})(ms|s|m)?$/.exec(text) ?? [];
  return number === undefined ? undefined : Number(number) * (units[unit] ?? 0);
};

/** The answers of `--answer id=value` flags, as texts. */
export const answersOfFlags = (pairs: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    pairs.map((pair) => {
      const [id = '', ...value] = pair.split('=');
      if (value.length === 0) throw new UsageError(`--answer ${pair}: write it as id=value`);
      return [id, value.join('=')];
    }),
  );

/**
 * A command whose usage errors are thrown instead of ending the process with exit code 1.
 * @param example its most common use, which the help shows first
 */
export const command = (name: string, description: string, example: string): Command => {
  const created: Command = new Command(name)
    .description(description)
    .addHelpOption(new Option('-h, --help').hideHelp())
    .configureHelp({ optionDescription: describeFlag })
    .addHelpText('before', `Example:  ${example}\n`)
    .addHelpText('after', () => variableRule(created.options))
    .allowExcessArguments(false)
    .configureOutput({ writeErr: () => undefined })
    .exitOverride();
  return created;
};

const isUsageError = (error: unknown): error is Error =>
  error instanceof CommanderError || error instanceof UsageError;

/**
 * Handles uncaught errors, which Node.js would print with the keys in them; the handler that was added last runs first.
 * @returns a function that removes the handler
 */
export const onUncaught = (handle: (error: unknown) => void): (() => void) => {
  process.prependListener('uncaughtException', handle).prependListener('unhandledRejection', handle);
  return () => void process.off('uncaughtException', handle).off('unhandledRejection', handle);
};

/** How a command reports its errors. */
type Reporting = {
  /** Reports an error that is no usage error. @returns the exit code */
  readonly fail?: (error: unknown) => number;
  /** Returns a hint for an unknown flag of this name, or for an unexpected argument, whose name is empty. */
  readonly hint?: (name: string) => string | undefined;
};

const failed = (error: unknown): number => {
  printError(`email-leads itself failed: ${describeFault(error)}`);
  return 1;
};

/** Runs a command and converts its error to an exit code. A usage error is printed as one line on stderr. */
export const runCommand = async (
  run: () => Promise<number>,
  { fail = failed, hint = () => undefined }: Reporting = {},
): Promise<number> => {
  const ignoreErrors = onUncaught((error) => process.exit(fail(error)));
  try {
    warnOfMisspelling(process.env);
    return await run();
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0; // --help
    if (!isUsageError(error)) return fail(error);
    printError(`email-leads: ${withHint(error, hint)}`);
    return usageError;
  } finally {
    ignoreErrors();
  }
};

/** The message of an error, with a hint if it is about an unknown flag or an unexpected argument. */
const withHint = (error: Error, hint: (name: string) => string | undefined): string => {
  const message = oneLine(error.message);
  if (!(error instanceof CommanderError)) return message;
  if (!['commander.unknownOption', 'commander.excessArguments'].includes(error.code)) return message;
  const text = hint(message.split("'")[1] ?? '');
  return text === undefined ? message : `${message.replace(/\.$/, '')}; ${text}`;
};

const oneLine = (message: string): string =>
  withoutValue(message.replace(/^error: /, '')).replaceAll(/\s*\n\s*/g, ' ');

/** Removes the value of an unknown flag from a message: a mistyped `--acept-key=…` or `-k…` must not print the key. */
const withoutValue = (message: string): string => {
  const [head] = /^unknown option '(?:-[^-']|--[^=']*)/.exec(message) ?? [];
  return head === undefined ? message : head + message.slice(message.lastIndexOf("'"));
};
