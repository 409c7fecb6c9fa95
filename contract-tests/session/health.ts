import { RequestFailed } from '../client/errors.ts';
// Whether the deployment still responds as at the start of the run.

import { setTimeout as wait } from 'node:timers/promises';
import type { OperationId } from '../../mock/contract/operation-id.ts';
import type { Client } from '../client/client.ts';
import {
  type Call,
  cleanUp,
  controlCheck,
  describeRefusal,
  type Exchange,
  preflight,
} from '../client/exchange.ts';
import { CheckInconclusive, RunStopped } from './outcome.ts';
import { concernsOneLead, routes } from './routes.ts';
import {
  describeEnd,
  gatewayPauseMs,
  hasBooleanSuccess,
  isNotModified,
  isOfService,
  isTrouble,
  refusesKey,
  rememberedMs,
} from './trouble.ts';

/**
 * Sends a control request when several requests in a row have no success. If it fails too, the run stops, or ends its requests
 * to one operation. Nothing else follows from an outage: a finding counts only if it comes again while control requests succeed.
 */
export type Health = {
  /** @throws CheckInconclusive if the run or the operation has stopped */
  readonly admit: (call: Pick<Call, 'operation' | 'check'>) => void;
  /** Records a response, and sends a control request in case of doubt. @throws RunStopped if that fails */
  readonly note: (exchange: Exchange) => Promise<void>;
  /** Records a request without a response. @throws RunStopped */
  readonly noteFailure: (call: Call, failure: RequestFailed) => Promise<void>;
  /** Ends the requests to an operation. */
  readonly close: (operation: OperationId, reason: string) => void;
  /** Operations that have not succeeded since they refused a request. */
  readonly unconfirmed: () => readonly OperationId[];
  /** Whether a response is a refusal after which its operation has not succeeded yet. */
  readonly isUnconfirmed: (exchange: Exchange) => boolean;
  /** Whether a refusal decides nothing, because its operation has not succeeded since, and was closed. */
  readonly isDoubtful: (exchange: Exchange) => boolean;
  /** What the deployment stopped doing, one sentence each; empty if nothing went wrong. */
  readonly troubles: () => readonly string[];
  readonly hasStopped: () => boolean;
  /** Sets the function that tries a valid request before an operation is closed: its requests may be refused for their content. */
  readonly confirmWith: (succeeds: (operation: OperationId) => Promise<boolean>) => void;
};

/** A request without a success. `isComplete`: it was complete, and such requests succeeded before. */
type Doubt = {
  readonly at: number;
  readonly request: number;
  readonly exchange?: Exchange;
  readonly text: string;
  readonly isComplete?: boolean;
};

/** From this sum of weights on a control request is sent. Refusals that may be due to their requests count less. */
const maxWeight = 6;
const weightOf = ({ exchange }: Doubt): number => (!exchange || isTrouble(exchange) ? 2 : 1);

/** Number of complete requests to an operation that may be refused in a row. */
const maxRefusals = 3;

/** Number of attempts of a control request before its failure counts, because an error may be a coincidence. */
export const controlAttempts = 3;
/** The same if a cache may return the response to a wrong key, or if the service behind a gateway may be restarting. */
const patientAttempts = 5;

/** Failures of the first requests of a run are explained by the preflight, and the last requests decide nothing. */
const isWatched = ({ check }: Pick<Call, 'check'>): boolean => check !== cleanUp && check !== preflight;

/** Whether a documented request was sent, which must succeed again. A probe may use another path, or a body with GET. */
const isRepeatable = ({ operation, path, method, body }: Exchange): boolean =>
  concernsOneLead(operation) ||
  (routes[operation].paths.includes(path) && (method !== 'GET' || body === undefined));

/** Whether a complete request was refused without an explanation in its content: the record that it names may be gone. */
const isUnexplained = (exchange: Exchange): boolean => {
  const { intent, outcome, operation, credentials } = exchange;
  if (credentials !== 'key' || intent !== 'complete' || outcome === 'success' || outcome === 'broken')
    return false;
  return concernsOneLead(operation) || operation === 'sendTemplateEmail' ? isTrouble(exchange) : true;
};

/** Whether a request should have had a success, or its response is not one of the service. */
const isSignOfEnd = ({ exchange, isComplete }: Doubt): boolean =>
  !exchange || isComplete === true || isTrouble(exchange);

export const createHealth = (client: Client): Health => {
  /** The last success of each operation. */
  const proven = new Map<OperationId, Exchange>();
  const closed = new Map<OperationId, string>();
  /** Requests since the last success of any operation, and since the last success of each. */
  let doubts: readonly Doubt[] = [];
  const doubtsOf = new Map<OperationId, readonly Doubt[]>();
  let requests = 0;
  let wrongKeys = 0;
  let stopReason: string | undefined;
  let control: Promise<void> | undefined;
  let isTryingOther = false;
  let succeeds = async (_operation: OperationId): Promise<boolean> => false;

  /** Whether a wrong key was sent since the last success. */
  const hasWrongKey = (): boolean =>
    doubts.some(({ exchange }) => exchange && exchange.credentials !== 'key');

  /** A success that was pending when a refusal arrived does not confirm it. A wrong success has the form of the service. */
  const isUnconfirmed = ({ operation, outcome, receivedAt, json }: Exchange): boolean =>
    outcome !== 'success' &&
    !(outcome === 'broken' && hasBooleanSuccess({ json })) &&
    (proven.get(operation)?.sentAt ?? -Infinity) <= receivedAt;

  const noteSuccess = (exchange: Exchange): void => {
    const { operation, sentAt } = exchange;
    const isLater = ({ at }: Doubt): boolean => at > sentAt;
    doubts = doubts.filter(isLater);
    if (!isRepeatable(exchange)) return; // a GET of another path shows nothing about the list of templates
    proven.set(operation, exchange);
    doubtsOf.set(operation, (doubtsOf.get(operation) ?? []).filter(isLater));
  };

  /** Whether the operation succeeded before, at this path if it has several: a deployment may offer only one of them. */
  const hasSucceeded = ({ operation, path }: Exchange): boolean =>
    proven.has(operation) && (concernsOneLead(operation) || proven.get(operation)?.path === path);

  const noteRefusal = (exchange: Exchange): void => {
    const { operation, receivedAt: at, credentials } = exchange;
    if (credentials !== 'key') wrongKeys += 1;
    const isComplete = isUnexplained(exchange) && hasSucceeded(exchange);
    const doubt = { at, request: requests, exchange, text: describeRefusal(exchange), isComplete };
    doubts = [...doubts, doubt];
    doubtsOf.set(operation, [...(doubtsOf.get(operation) ?? []), doubt]);
  };

  const endOf = (what: string, first: Doubt | undefined, text: string, status?: number): string =>
    describeEnd({
      what,
      request: first?.request ?? requests,
      text: first?.text ?? text,
      status: first?.exchange?.status ?? status,
      wrongKeys: hasWrongKey() ? wrongKeys : 0,
    });

  const stop = (text: string, status?: number): never => {
    const own = doubts.filter(({ exchange }) => !exchange || exchange.credentials === 'key');
    // A probe may have been refused before.
    const first = own.find(isSignOfEnd) ?? own[0];
    stopReason ??= endOf('no request', first, text, status);
    throw new RunStopped(stopReason);
  };

  const close: Health['close'] = (operation, reason) => {
    if (!closed.has(operation)) closed.set(operation, reason);
  };

  /** Closes only the list if another operation still succeeds, otherwise stops the run. */
  const closeListOrStop = async (exchange: Exchange): Promise<void> => {
    const failing = new Set(doubts.flatMap((doubt) => doubt.exchange?.operation ?? []));
    const other = (['updateLead', 'addLead'] as const).find(
      (id) => proven.has(id) && !failing.has(id) && !closed.has(id),
    );
    if (!other || doubts.some((doubt) => !doubt.exchange))
      return stop(describeRefusal(exchange), exchange.status);
    const before = proven.get(other);
    isTryingOther = true;
    await succeeds(other);
    isTryingOther = false;
    // Only a success counts: an outage may have the status 200 as well.
    if (proven.get(other) === before) return stop(describeRefusal(exchange), exchange.status);
    const first = doubtsOf.get('listTemplates')?.find(({ isComplete }) => isComplete);
    close('listTemplates', endOf('no listTemplates', first, describeRefusal(exchange), exchange.status));
  };

  /** Repeats the list of templates at the path where it succeeded before, because it changes nothing. */
  const sendControl = async (listed: Exchange, attempt = 1): Promise<void> => {
    const { operation, method, path } = listed;
    const call: Call = {
      ...{ operation, method, path },
      credentials: 'key',
      intent: 'complete',
      check: controlCheck,
    };
    try {
      const exchange = await client.send(call);
      requests += 1;
      if (
        exchange.outcome === 'success' ||
        isOfService(exchange, client.exchanges) ||
        isNotModified(exchange)
      )
        return noteSuccess(exchange);
      const isGateway = exchange.outcome === 'gateway';
      const mayBeRemembered = refusesKey(exchange) && hasWrongKey();
      const attempts = isGateway || mayBeRemembered ? patientAttempts : controlAttempts;
      const hasPaused = !isGateway || client.pause(gatewayPauseMs * attempt, describeRefusal(exchange));
      if (attempt >= attempts || !hasPaused) return await closeListOrStop(exchange);
      if (mayBeRemembered && attempt > 1) await wait(rememberedMs);
      return await sendControl(listed, attempt + 1);
    } catch (error) {
      if (!(error instanceof RequestFailed) || error.kind === 'interrupted') throw error;
      return stop(error.message);
    }
  };

  const confirm = async (): Promise<void> => {
    const listed = proven.get('listTemplates');
    if (listed === undefined || closed.has('listTemplates')) return;
    control ??= sendControl(listed).finally(() => {
      control = undefined;
    });
    await control;
  };

  /** Closes operations that refuse complete requests while the list still succeeds, for example because of a quota. */
  const closeRefusing = async (): Promise<void> => {
    for (const [operation, list] of doubtsOf) {
      const [first, ...more] = list.filter(({ isComplete }) => isComplete);
      const isDue = more.length >= maxRefusals - 1 && !closed.has(operation);
      if (isDue && !(await succeeds(operation))) close(operation, endOf(`no ${operation}`, first, ''));
    }
  };

  const resolveDoubts = async (check: string): Promise<void> => {
    if (client.hasWaitedEnough() && doubts.some(({ exchange }) => !exchange || isTrouble(exchange)))
      stop('no time is left for waiting (--max-wait)');
    const weight = doubts.reduce((sum, doubt) => sum + weightOf(doubt), 0);
    // Checks that are refused during a control request wait for it: another wrong key would falsify its result.
    const isPartOfControl = isTryingOther && check === controlCheck;
    if (!isPartOfControl && (control || weight >= maxWeight)) await confirm();
    if (stopReason !== undefined) throw new RunStopped(stopReason);
    // The control request itself must not wait here for a decision that depends on it.
    if (check !== controlCheck) await closeRefusing();
  };

  return {
    admit: ({ operation, check }) => {
      if (check === cleanUp) return;
      if (stopReason !== undefined) throw new RunStopped(stopReason);
      const reason = closed.get(operation);
      if (reason !== undefined) throw new CheckInconclusive(reason);
    },
    note: async (exchange) => {
      requests += 1;
      if (exchange.outcome === 'success') {
        if (exchange.credentials === 'key') noteSuccess(exchange);
        return;
      }
      if (isNotModified(exchange) || !isWatched(exchange)) return;
      noteRefusal(exchange);
      await resolveDoubts(exchange.check);
    },
    noteFailure: async ({ check, credentials }, failure) => {
      requests += 1;
      if (!isWatched({ check }) || failure.kind === 'interrupted') return;
      if (credentials === 'key')
        doubts = [...doubts, { at: performance.now(), request: requests, text: failure.message }];
      await resolveDoubts(check);
    },
    close,
    unconfirmed: () =>
      [...doubtsOf].flatMap(([operation, list]) =>
        list.some(({ exchange }) => exchange && isUnconfirmed(exchange)) ? [operation] : [],
      ),
    isUnconfirmed,
    isDoubtful: (exchange) =>
      (stopReason !== undefined || closed.has(exchange.operation)) && isUnconfirmed(exchange),
    troubles: () => [...new Set([...(stopReason === undefined ? [] : [stopReason]), ...closed.values()])],
    hasStopped: () => stopReason !== undefined,
    confirmWith: (confirmOperation) => {
      succeeds = confirmOperation;
    },
  };
};
