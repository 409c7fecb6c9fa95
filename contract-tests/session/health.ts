// Whether the deployment still responds as at the start of the run.

import type { OperationId } from '../../mock/contract/operation-id.ts';
import type { Client } from '../client/client.ts';
import {
  type Call,
  cleanUp,
  describeRefusal,
  type Exchange,
  hasSuccessStatus,
  isRateLimit,
  preflight,
} from '../exchange/exchange.ts';
import { concernsOneLead, operationOf } from '../exchange/operations.ts';
import { hasServiceForm, isTrouble } from '../exchange/origin.ts';
import { isNotModified } from '../exchange/responses.ts';
import { CheckInconclusive } from './outcome.ts';

/** The longest outage in milliseconds that only some requests notice, as when one of two servers is down. */
export const outageMs = 15_000;

/** Fewer wrong keys than this cause no lock-out. */
const fewKeys = 6;

/** Whether a documented request succeeded, which must succeed again. A probe may use another path, or a body with GET. */
const isRepeatableSuccess = ({ operation, path, method, body, outcome, credentials }: Exchange): boolean =>
  outcome === 'success' &&
  credentials === 'key' &&
  (concernsOneLead(operation) ||
    (operationOf(operation).paths.includes(path) && (method !== 'GET' || body === undefined)));

/**
 * Whether a complete request was refused without an explanation in its content: the record that it names may be gone. It needs a
 * control request.
 */
export const isUnexplained = (exchange: Exchange): boolean => {
  const { intent, operation, credentials } = exchange;
  if (credentials !== 'key' || intent !== 'complete' || hasSuccessStatus(exchange)) return false;
  return concernsOneLead(operation) || operation === 'sendTemplateEmail' ? isTrouble(exchange) : true;
};

/**
 * The operation whose success shows that a refusal is not a sign of an outage or a lock-out. Every operation refuses a wrong key
 * for the same reason, so that a list shows it without a mail or a lead.
 */
const controlOf = ({ operation, credentials, status }: Exchange): OperationId =>
  credentials !== 'key' && status === 401 ? 'listTemplates' : operation;

/** What to do after the first response that is a sign of the end. */
const adviceAfter = (first: Exchange | undefined): string => {
  if (first && isRateLimit(first))
    return 'send fewer requests a second (--rate-limit), or wait longer (--max-wait)';
  return first?.status === 401
    ? 'check that the key is still valid, and run again'
    : 'run again when it succeeds again';
};

/**
 * The operations that control requests have found to have ended, and what that says about earlier responses. Nothing else follows
 * from an outage: a finding counts only if it comes again while control requests succeed.
 */
export const createHealth = ({ exchanges }: Pick<Client, 'exchanges'>) => {
  const closed = new Map<OperationId, string>();
  let stopReason: string | undefined;

  const endOf = (operation: OperationId): string | undefined => stopReason ?? closed.get(operation);

  /** A success that was pending when a response arrived does not count. */
  const hasSucceededSince = ({ operation, receivedAt }: Exchange): boolean =>
    exchanges.some(
      (later) => later.sentAt > receivedAt && later.operation === operation && isRepeatableSuccess(later),
    );

  const isUnconfirmed = (exchange: Exchange): boolean =>
    exchange.outcome !== 'success' && !hasSucceededSince(exchange);

  /**
   * The sentence about what has ended, from the first response since the last success that is a sign of it.
   * @param failure what the response to the control request says, or why there was none
   */
  const describe = (what: string, failure: string, operation?: OperationId): string => {
    // The control request needs an operation that has ended, and fails for the same reason.
    if ([...closed.values()].includes(failure)) return failure;
    const own = exchanges.filter((exchange) => operation === undefined || exchange.operation === operation);
    const since = own.slice(
      own.findLastIndex(({ outcome, credentials }) => outcome === 'success' && credentials === 'key') + 1,
    );
    const first = since.find(
      (exchange) => exchange.credentials === 'key' && (isUnexplained(exchange) || isTrouble(exchange)),
    );
    const text = first ? describeRefusal(first) : failure;
    const isWrongKey = ({ credentials }: Exchange): boolean => credentials !== 'key';
    const wrongKeys = exchanges.filter(isWrongKey).length;
    // A client that is locked out is refused by every operation.
    const isLockOut = operation === undefined && since.some(isWrongKey) && wrongKeys >= fewKeys;
    if (isLockOut && first && first.status < 500)
      return `after ${wrongKeys} wrong keys the deployment also refuses the valid key (${text}): it may lock out clients; run again later`;
    const request = (first ? exchanges.indexOf(first) : exchanges.length) + 1;
    return `since request ${request} ${what} succeeded: ${text}; ${adviceAfter(first)}`;
  };

  return {
    /** @throws CheckInconclusive if the run or the operation has stopped */
    admit: ({ operation, scenario }: Pick<Call, 'operation' | 'scenario'>): void => {
      if (scenario === cleanUp) return;
      const reason = endOf(operation);
      if (reason !== undefined) throw new CheckInconclusive(reason);
    },
    /** Ends the requests to an operation: a control request to it failed, and another operation succeeds. */
    close: (operation: OperationId, failure: string): void => {
      if (!closed.has(operation)) closed.set(operation, describe(`no ${operation}`, failure, operation));
    },
    /** Ends the run: control requests fail. */
    stop: (failure: string): void => {
      stopReason ??= describe('no request', failure);
    },
    /** Why an operation, or the run, has ended; `undefined` if it has not. */
    endOf,
    hasStopped: (): boolean => stopReason !== undefined,
    /**
     * What the deployment stopped doing, one sentence each; empty if nothing went wrong. Control requests of several scenarios fail
     * at the same time: the end of the run says it for all operations.
     */
    troubles: (): readonly string[] =>
      stopReason === undefined ? [...new Set(closed.values())] : [stopReason],
    /** Operations that have not succeeded since they refused a request. */
    unconfirmed: (): readonly OperationId[] => {
      // The service itself says what is wrong with a request that need not succeed.
      const isExplained = (exchange: Exchange): boolean =>
        exchange.intent === 'probe' && hasServiceForm(exchange) && !isTrouble(exchange);
      const isWatched = (exchange: Exchange): boolean =>
        ![cleanUp, preflight].includes(exchange.scenario) &&
        !isNotModified(exchange) &&
        !isExplained(exchange);
      const refused = exchanges.filter((exchange) => isWatched(exchange) && isUnconfirmed(exchange));
      return [...new Set(refused.map(controlOf))];
    },
    /** Whether the operation has succeeded after a response. */
    hasSucceededSince,
    /** Whether a response is a refusal after which its operation has not succeeded yet. */
    isUnconfirmed,
    /** Whether a refusal decides nothing, because its operation has not succeeded since, and was closed. */
    isDoubtful: (exchange: Exchange): boolean =>
      endOf(exchange.operation) !== undefined && isUnconfirmed(exchange),
  };
};
