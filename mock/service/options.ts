import type { Answers } from '../generated/questions.ts';
import type { StateDocument } from '../nouns/state.ts';
import { URL } from '../runtime/platform.ts';
import {
  checkFields,
  flag,
  listOf,
  object,
  oneOf,
  text,
  type ValueRule,
  whole,
} from '../validation/fields.ts';

export type MockOptions = {
  /** TCP port; 0, the default, uses any free port. */
  readonly port?: number;
  /** Address to listen on; loopback by default. */
  readonly host?: string;
  /** The only accepted keys, at least one. By default every key `test_…` is accepted. Each key has its own workspace. */
  readonly acceptKeys?: readonly string[];
  /** Initial state of every workspace, also after a reset: the path of a JSON or YAML file, or its content. */
  readonly seed?: string | StateDocument;
  /** A file that keeps all workspaces over restarts. It is read at the start, if it exists, and written after changes and by `close`. */
  readonly state?: string;
  /** Files with a certificate and its key, in PEM; the mock then uses HTTPS. */
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  /** File with the answers of a deployment, as `email-leads observe` writes it. `answers` override it. */
  readonly profile?: string;
  /** Answers to open questions, by id. All others have their assumed answer. */
  readonly answers?: Readonly<Partial<Answers>>;
  /** Messages kept in the outbox of a workspace; the oldest are dropped. 1000 by default. */
  readonly outboxLimit?: number;
  /** Delay of every response to an accepted key, in milliseconds, up to a minute; 0 by default. */
  readonly delay?: number;
  /** Host names under which any machine may call the admin API. Loopback names are for callers on this machine. */
  readonly allowedHosts?: readonly string[];
  /** Origins of other sites whose pages may call the admin API. */
  readonly allowedOrigins?: readonly string[];
  /** False leaves out the admin API. */
  readonly admin?: boolean;
  /** Format of the request log on standard output; `silent` by default. */
  readonly log?: (typeof logStyles)[number];
  /** True lets the process end while the mock is open. By default it keeps running, as with any server. */
  readonly unref?: boolean;
};

/** Lowest and highest values of numeric options. */
export const bounds = {
  port: [0, 65_535],
  outboxLimit: [1, 1_000_000],
  delay: [0, 60_000],
} as const;

export const logStyles = ['pretty', 'json', 'silent'] as const;

/** Whether a value is an origin as browsers send it. Any other text would never match. */
export const isOrigin = (value: unknown): boolean =>
  typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value;

const file: ValueRule = { accepts: text.accepts, description: 'the path of a file' };

const textList = listOf(text);

const fields: Readonly<Record<keyof MockOptions, ValueRule>> = {
  port: whole(...bounds.port),
  host: { accepts: (value) => text.accepts(value) && value !== '', description: 'an address' },
  acceptKeys: {
    accepts: (value) => textList.accepts(value) && (value as string[]).length > 0,
    description: 'a list of one key or more; without it every key test_… is accepted',
  },
  seed: {
    accepts: (value) => text.accepts(value) || object.accepts(value),
    description: 'a file or a state',
  },
  state: file,
  profile: file,
  tlsCert: file,
  tlsKey: file,
  answers: object,
  outboxLimit: whole(...bounds.outboxLimit),
  delay: whole(...bounds.delay),
  allowedHosts: textList,
  allowedOrigins: listOf({ accepts: isOrigin, description: 'an origin, for example http://localhost:3000' }),
  admin: flag,
  log: oneOf(...logStyles),
  unref: flag,
};

/**
 * @param caller the function that takes the options
 * @param names the options it takes
 * @throws TypeError for an unknown option, or one with a wrong value
 */
export const checkOptions = (
  caller: string,
  options: MockOptions,
  names = Object.keys(fields) as readonly (keyof MockOptions)[],
): void =>
  checkFields(
    `the options of ${caller}`,
    options,
    Object.fromEntries(names.map((name) => [name, fields[name]])),
  );
