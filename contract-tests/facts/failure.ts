import type { Exchange } from '../exchange/exchange.ts';

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
  /** Whether a request was refused that should have been accepted: another one may be refused the next time. */
  readonly effect?: 'refused';
  /** It needs no rerun: the history shows it more than once, or one response is proof, as the success of a wrong key. */
  readonly isProven?: true;
  /** Requests of other checks that may have caused the failure: a replay sends them too. */
  readonly causes?: readonly Exchange[];
};

/** What was found instead, and how often. */
export const describeActual = ({ actual, seen }: Pick<Failure, 'actual' | 'seen'>): string =>
  seen === undefined ? actual : `${actual} (${seen})`;
