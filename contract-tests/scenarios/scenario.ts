import type { Need } from '../exchange/operations.ts';
import type { Tools } from './tools.ts';

/** Brings a deployment into a situation and reads what it shows. It asserts nothing: facts judge its exchanges. */
export type Scenario = {
  /** Stable slug; every request of the scenario carries it. */
  readonly id: string;
  readonly needs: Need;
  /** The checks that it decides: where it cannot run, they are undecided. */
  readonly decides: readonly string[];
  /** Largest number of leads that exist at the same time; none by default. */
  readonly leads?: number;
  /** Largest number of requests that may cause a mail; none by default. */
  readonly mails?: number;
  /** Part of a thorough run only. */
  readonly thorough?: true;
  /** Runs when everything else is decided, because a deployment may lock out a client that tries wrong keys. */
  readonly triesKeys?: true;
  readonly run: (tools: Tools) => Promise<void>;
};
