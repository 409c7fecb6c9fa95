import { URL } from 'node:url';
import type { Answers } from '../generated/questions.ts';
import type { LogStyle } from '../log.ts';
import type { StateDocument } from '../state-document.ts';
import { checkFields, type Form, flag, listOf, object, oneOf, text, whole } from './check-fields.ts';

export type MockOptions = {
  /** TCP port; 0, the default, takes any free one. */
  readonly port?: number;
  /** Address to listen on; loopback by default. */
  readonly host?: string;
  /** The only keys accepted, one at least. Without it every key `test_…` is, and each has a workspace of its own. */
  readonly acceptKeys?: readonly string[];
  /** What every workspace starts from and resets to: a file, JSON or YAML, or what would be in it. */
  readonly seed?: string | StateDocument;
  /** File with the answers of a deployment, as `email-leads observe` writes it; `answers` win over it. */
  readonly profile?: string;
  /** Answers to open questions, by id; the assumed ones for the rest. */
  readonly answers?: Readonly<Partial<Answers>>;
  /** Messages kept in the outbox of a workspace; the oldest are dropped. 1000 by default. */
  readonly outboxLimit?: number;
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
  /** For tests of the mock itself: a reply that breaks the contract in force becomes a 500. */
  readonly validateReplies?: boolean;
};

/** From and to which number some options go. */
export const bounds = { port: [0, 65_535], outboxLimit: [1, 1_000_000], delay: [0, 60_000] } as const;

/** Whether it is an origin as browsers write it: nothing else would ever be equal to one. */
export const isOrigin = (given: unknown): boolean =>
  typeof given === 'string' && URL.canParse(given) && new URL(given).origin === given;

const texts = listOf(text);

const fields: Readonly<Record<keyof MockOptions, Form>> = {
  port: whole(...bounds.port),
  host: { fits: (value) => text.fits(value) && value !== '', words: 'an address' },
  acceptKeys: {
    fits: (value) => texts.fits(value) && (value as string[]).length > 0,
    words: 'a list of one key or more; without it every key test_… is accepted',
  },
  seed: { fits: (value) => text.fits(value) || object.fits(value), words: 'a file or a state' },
  profile: { fits: text.fits, words: 'the path of a file' },
  answers: object,
  outboxLimit: whole(...bounds.outboxLimit),
  delay: whole(...bounds.delay),
  allowedHosts: texts,
  allowedOrigins: listOf({ fits: isOrigin, words: 'an origin, for example http://localhost:3000' }),
  admin: flag,
  log: oneOf('pretty', 'json', 'silent' satisfies LogStyle),
  unref: flag,
  validateReplies: flag,
};

/** @throws TypeError for an option that is not known, or not of its form */
export const checkOptions = (options: MockOptions): void =>
  checkFields('the options of startMock', options, fields);
