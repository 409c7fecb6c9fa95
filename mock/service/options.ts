import type { Answers } from '../generated/questions.ts';
import type { StateDocument } from '../nouns/state.ts';
import type { JsonSchema } from '../validation/json-schema.ts';

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

const within = ([minimum, maximum]: readonly [number, number]) => ({ type: 'integer', minimum, maximum });
const file = { type: 'string', 'x-form': 'the path of a file' };

/** An origin of pages that may call the admin API. */
export const originSchema = {
  type: 'string',
  format: 'origin',
  'x-form': 'an origin, for example http://localhost:3000',
};

/** A host as the `Host` header names it: any other text would never match. */
export const hostSchema = {
  type: 'string',
  pattern: '^([\\w.-]+|\\[[\\da-fA-F:.]+\\])$',
  'x-form': 'a host name without scheme and port, for example email-leads',
};

/** The schemas of the options. */
export const optionSchemas: Readonly<Record<keyof MockOptions, JsonSchema>> = {
  port: within(bounds.port),
  host: { type: 'string', minLength: 1, 'x-form': 'an address' },
  acceptKeys: {
    type: 'array',
    items: { type: 'string' },
    minItems: 1,
    'x-form': 'a list of one key or more; without it every key test_… is accepted',
  },
  seed: { type: ['string', 'object'], 'x-form': 'a file or a state' },
  state: file,
  profile: file,
  tlsCert: file,
  tlsKey: file,
  answers: { type: 'object' },
  outboxLimit: within(bounds.outboxLimit),
  delay: within(bounds.delay),
  allowedHosts: { type: 'array', items: hostSchema },
  allowedOrigins: { type: 'array', items: originSchema },
  admin: { type: 'boolean' },
  log: { enum: logStyles },
  unref: { type: 'boolean' },
};
