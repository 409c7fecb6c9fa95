import type { Exchange } from '../exchange/exchange.ts';
import type { Model } from '../model/model.ts';

/** How a claim is broken. */
export type Failure = {
  readonly expected: string;
  readonly actual: string;
  /** The exchange that shows the failure, for the curl command that replays it. */
  readonly exchange?: Exchange | undefined;
  /** JSON Pointer to the place in the response, if there is one. */
  readonly pointer?: string;
  /** How often it was seen, if not always. */
  readonly seen?: string;
  /** The response is correct the next time, so that a right one in a replay shows nothing. */
  readonly sporadic?: true;
  /** A request was refused that should have been accepted. */
  readonly isRefused?: true;
  /** It needs no rerun: the history shows it more than once, or one response is proof, as the success of a wrong key. */
  readonly isProven?: true;
  /** Requests of other checks that may have caused the failure: a replay sends them too. */
  readonly causes?: readonly Exchange[];
};

/** What was found instead, and how often. */
export const describeActual = ({ actual, seen }: Pick<Failure, 'actual' | 'seen'>): string =>
  seen === undefined ? actual : `${actual} (${seen})`;

/** What an exchange shows of one check: it holds, it is broken, or something in front of the service keeps it from being tested. */
export type Result = {
  readonly check: string;
  readonly broken?: Failure;
  readonly undecided?: string;
};

/**
 * A statement of the document about one exchange, given what may be true after those before it. It names the checks that it
 * decides, and sends nothing.
 */
export type Fact = (exchange: Exchange, model: Model) => readonly Result[];

export const holds = (check: string): Result => ({ check });

export const broken = (
  check: string,
  exchange: Exchange,
  expected: string,
  actual: string,
  pointer?: string,
): Result & { readonly broken: Failure } => ({
  check,
  broken: { expected, actual, exchange, ...(pointer === undefined ? {} : { pointer }) },
});

/** The same with more of a failure. */
export const brokenAs =
  (kind: Pick<Failure, 'isProven' | 'isRefused' | 'causes'>) =>
  (...words: Parameters<typeof broken>): Result => {
    const { check, broken: failure } = broken(...words);
    return { check, broken: { ...failure, ...kind } };
  };

/** The same for what needs no rerun. */
export const proven = brokenAs({ isProven: true });

/** The same for a request that was refused. */
export const refused = brokenAs({ isRefused: true });
