import type { Exchange } from '../exchange/exchange.ts';
import type { Model } from '../model/model.ts';
import type { Failure } from './failure.ts';

/** What an exchange shows of one check: it holds, it is broken, or something in front of the service keeps it from being tested. */
export type Result = {
  readonly check: string;
  readonly broken?: Failure;
  readonly undecided?: string;
  /** Whether only a response of the operation itself shows it: not one at an absent path form, or at the path of a list. */
  readonly isOfOperation?: true;
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

/** The same for what needs no rerun. */
export const proven = (...words: Parameters<typeof broken>): Result => {
  const { check, broken: failure } = broken(...words);
  return { check, broken: { ...failure, isProven: true } };
};

/** The same for a request that was refused. */
export const refused = (...words: Parameters<typeof broken>): Result => {
  const { check, broken: failure } = broken(...words);
  return { check, broken: { ...failure, effect: 'refused' } };
};
