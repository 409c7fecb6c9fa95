import type { OperationId } from '../../mock/contract/operation-id.ts';
import type { Exchange } from '../client/exchange.ts';
import type { Failure } from './outcome.ts';
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
  /** Leads of its own that it holds at most at a time; `usualLeads` unless it says otherwise. */
  readonly leads?: number;
  /** Mostly waits: other checks run meanwhile. */
  readonly waits?: true;
  /** Runs when no other check does: what others add or change would hide what it looks for. */
  readonly alone?: true;
};

/** Enough for most checks. */
export const usualLeads = 3;

/** Leads that all checks together hold at most at a time, beside the shared one. */
export const maxLeads = 11;

/** A check that sends requests of its own. It fails by throwing what `fail` makes; returning is passing. */
export type ActiveCheck = Claim & {
  readonly run: (session: Session) => Promise<void>;
  /** Mails it may cause at most on a deployment that takes every request. */
  readonly mails?: number;
};

/** A check that looks at every reply the run has seen, whoever asked: intermittent faults show here. */
export type ReplyCheck = Claim & {
  /** `every`: responses of all operations; `related`: of those that need the same permission. Otherwise of `operation` only. */
  readonly scope?: 'every' | 'related';
  /** What is wrong with this reply, or nothing; `not applicable` where the claim does not speak of it. */
  readonly inspect: (exchange: Exchange) => Failure | 'fine' | 'not applicable';
  /** What is wrong with all the replies together, where each alone is fine. @throws CheckInconclusive */
  readonly inspectAll?: (exchanges: readonly Exchange[]) => Failure | undefined;
  /** What the replies lack, where there are some and none can be inspected. */
  readonly whyNone?: (exchanges: readonly Exchange[]) => string | undefined;
  /** Asks for replies to look at, where the other checks ask too seldom for a fault that comes and goes. */
  readonly generateTraffic?: (session: Session) => Promise<void>;
  /** Mails `generateTraffic` may cause at most. */
  readonly mails?: number;
};

/** A check of what the clean-up brings to light: run when everything the run created was deleted. */
export type ClosingCheck = Claim & { readonly afterCleanup: (session: Session) => Promise<void> };

export type Check = ActiveCheck | ReplyCheck | ClosingCheck;

export const isActive = (check: Check): check is ActiveCheck => 'run' in check;

export const isClosing = (check: Check): check is ClosingCheck => 'afterCleanup' in check;

export const isReplyCheck = (check: Check): check is ReplyCheck => 'inspect' in check;
