import type { Answers } from '../generated/questions.ts';
import type { LogStyle } from '../http/context.ts';
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
} from '../validation/arguments.ts';
import type { StateDocument } from '../workspace/snapshot.ts';

export type MockOptions = {
  /** TCP port; 0, the default, takes any free one. */
  readonly port?: number;
  /** Address to listen on; loopback by default. */
  readonly host?: string;
  /** The only keys accepted, one at least. Without it every key `test_…` is, and each has a workspace of its own. */
  readonly acceptKeys?: readonly string[];
  /** What every workspace starts from and resets to: a file, JSON or YAML, or what would be in it. */
  readonly seed?: string | StateDocument;
  /** Files with a certificate and its key, in PEM: the mock then speaks HTTPS. */
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  /** File with the answers of a deployment, as `email-leads observe` writes it; `answers` win over it. */
  readonly profile?: string;
  /** Answers to open questions, by id; the assumed ones for the rest. */
  readonly answers?: Readonly<Partial<Answers>>;
  /** Messages kept in the outbox of a workspace; the oldest are dropped. 1000 by default. */
  readonly outboxLimit?: number;
  /** Bytes of memory, two for each character, that the messages of a workspace may take; the oldest are dropped. 64 MiB by default. */
  readonly outboxBytes?: number;
  /** Milliseconds every reply to an accepted key waits, up to a minute; 0 by default. */
  readonly delay?: number;
  /** Host names beside loopback under which the admin API may be called. */
  readonly allowedHosts?: readonly string[];
  /** Origins of other sites whose pages may call the admin API. */
  readonly allowedOrigins?: readonly string[];
  /** False leaves out the admin API. */
  readonly admin?: boolean;
  /** What is printed of each request; `silent` by default. */
  readonly log?: 'pretty' | 'json' | 'silent';
  /** True lets the process end though the mock was not closed; by default it stays for the mock's sake, as for any server. */
  readonly unref?: boolean;
};

/** From and to which number some options go. */
export const bounds = {
  port: [0, 65_535],
  outboxLimit: [1, 1_000_000],
  outboxBytes: [1, 128 * 1024 * 1024],
  delay: [0, 60_000],
} as const;

/** Whether it is an origin as browsers write it: nothing else would ever be equal to one. */
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
  profile: file,
  tlsCert: file,
  tlsKey: file,
  answers: object,
  outboxLimit: whole(...bounds.outboxLimit),
  outboxBytes: whole(...bounds.outboxBytes),
  delay: whole(...bounds.delay),
  allowedHosts: textList,
  allowedOrigins: listOf({ accepts: isOrigin, description: 'an origin, for example http://localhost:3000' }),
  admin: flag,
  log: oneOf('pretty', 'json', 'silent' satisfies LogStyle),
  unref: flag,
};

/**
 * @param caller whose options they are
 * @param names those that it takes
 * @throws TypeError for an option that is not known, or not of its form
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
