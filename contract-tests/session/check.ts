import type { OperationId } from '../../mock/contract/operation-id.ts';
import type { Exchange } from '../client/exchange.ts';
import type { Failure } from './outcome.ts';
import type { Session } from './session.ts';

/**
 * `documented`: the document states it. `derived`: the document does not state it, but no
 * sensible interpretation works without it.
 */
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
  /** Maximum number of its own leads that exist at the same time; `usualLeads` by default. */
  readonly leads?: number;
  /** Spends most of its time waiting: other checks run in the meantime. */
  readonly waits?: true;
  /** Needs a lead that was added before all checks, and that no other check uses. */
  readonly needsIdleLead?: true;
  /** Runs while no other check runs: leads that others add or change would hide the fault. */
  readonly alone?: true;
};

/** Enough leads for most checks. */
export const usualLeads = 3;

/** Maximum number of leads of all checks at the same time, in addition to the shared one and the idle one. */
export const maxLeads = 10;

/** A check that sends its own requests. It passes when `run` returns, and fails when it throws the error of `fail`. */
export type ActiveCheck = Claim & {
  readonly run: (session: Session) => Promise<void>;
  /** Maximum number of mails it may cause on a deployment that accepts every request. */
  readonly mails?: number;
};

/** A check that inspects every response of the run, whichever check sent the request: it finds intermittent faults. */
export type ReplyCheck = Claim & {
  /**
   * `every`: responses of all operations; `related`: of operations that need the same
   * permission. By default of `operation` only.
   */
  readonly scope?: 'every' | 'related';
  /** The defect of this response, or `fine`; `not applicable` if the claim does not concern it. */
  readonly inspect: (exchange: Exchange) => Failure | 'fine' | 'not applicable';
  /** A defect of all responses together, if each one alone is fine. @throws CheckInconclusive */
  readonly inspectAll?: (exchanges: readonly Exchange[]) => Failure | undefined;
  /** What the responses lack if none of them can be inspected. */
  readonly describeMissing?: (exchanges: readonly Exchange[]) => string | undefined;
  /** Sends requests to get more responses, if the other checks send too few to find an intermittent fault. */
  readonly generateTraffic?: (session: Session) => Promise<void>;
  /** Maximum number of mails that `generateTraffic` may cause. */
  readonly mails?: number;
};

/** A check of the state after the clean-up: it runs when everything that the run created is deleted. */
export type ClosingCheck = Claim & { readonly afterCleanup: (session: Session) => Promise<void> };

export type Check = ActiveCheck | ReplyCheck | ClosingCheck;

export const isActive = (check: Check): check is ActiveCheck => 'run' in check;

export const isClosing = (check: Check): check is ClosingCheck => 'afterCleanup' in check;

export const isReplyCheck = (check: Check): check is ReplyCheck => 'inspect' in check;
