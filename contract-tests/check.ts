import type { OperationId } from '../mock/spec.ts';
import { sharedEnd, sharedStart } from './common-ends.ts';
import type { Exchange } from './exchange.ts';
import type { Session } from './session.ts';

/** `documented`: the document states it. `derived`: it does not, but no sensible reading goes without it. */
export type Level = 'documented' | 'derived';

/** What a check does to a deployment: reads, changes leads, or requests mail. */
export type Need = 'read' | 'writes' | 'mail';

type Claim = {
  /** Stable slug, dotted: `leads.add.echoes-fields`. */
  readonly id: string;
  /** The fact, in present tense. */
  readonly title: string;
  /** Section of the interface document it comes from. */
  readonly section: string;
  readonly level: Level;
  readonly operation: OperationId;
  readonly needs: Need;
};

/** A check that sends requests of its own. It fails by throwing what `fail` makes; returning is passing. */
export type ActiveCheck = Claim & {
  readonly run: (session: Session) => Promise<void>;
  /** Mails it may cause at most on a deployment that takes every request. */
  readonly mails?: number;
};

/** A check that looks at every reply the run has seen, whoever asked: intermittent faults show here. */
export type ReplyCheck = Claim & {
  /** `every`: replies of all six operations, not only those of `operation`. */
  readonly scope?: 'every';
  /** What is wrong with this reply, or nothing; `not applicable` where the claim does not speak of it. */
  readonly inspect: (exchange: Exchange) => Problem | 'fine' | 'not applicable';
  /** What is wrong with all the replies together, where each alone is fine. */
  readonly overall?: (exchanges: readonly Exchange[]) => Problem | undefined;
  /** Asks for replies to look at, where the other checks ask too seldom for a fault that comes and goes. */
  readonly provoke?: (session: Session) => Promise<void>;
  /** Mails `provoke` may cause at most. */
  readonly mails?: number;
};

/** A check of what the clean-up brings to light: run when everything the run created was deleted. */
export type ClosingCheck = Claim & { readonly conclude: (session: Session) => Promise<void> };

export type Check = ActiveCheck | ReplyCheck | ClosingCheck;

/** What a claim came down to. */
export type Problem = {
  readonly expected: string;
  readonly actual: string;
  /** The exchange that shows it, for the curl that replays it. */
  readonly exchange?: Exchange | undefined;
  /** JSON Pointer to the place in the reply, where there is one. */
  readonly pointer?: string;
};

export class CheckFailed extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`expected ${problem.expected}, got ${problem.actual}`);
    this.problem = problem;
  }
}

/** The check has nothing to look at on this deployment, or may not look. */
export class CheckSkipped extends Error {}

/** The deployment's answers do not tell whether the claim holds. */
export class CheckInconclusive extends Error {}

/** @throws CheckFailed */
export const fail = (expected: string, actual: string, exchange?: Exchange): never => {
  throw new CheckFailed({ expected, actual, exchange });
};

/**
 * A text of a reply: shown if it is of this run, else only described, because it may be about a customer.
 * @param expected what should have come; a text that is much like it is of this run too
 */
export const showOwn = (value: unknown, expected = ''): string =>
  typeof value !== 'string' || value === '' || /contract.?test/i.test(value) || isMuchLike(value, expected)
    ? show(value)
    : `another text of ${value.length} characters`;

/** Two thirds are the same, from the beginning and from the end. */
const isMuchLike = (one: string, other: string): boolean => {
  const shared = sharedStart(one, other);
  const rest = sharedEnd(one.slice(shared), other.slice(shared));
  return shared + rest >= Math.max(8, (one.length * 2) / 3);
};

/** The type of a value that may be about somebody: `a number`, `null`. */
export const typeName = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};

/** A value as it stands in a finding. */
export const show = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};
