import { setTimeout as wait } from 'node:timers/promises';
import type { OperationId } from '../../mock/contract/operation-id.ts';
import { type Client, cleanUp, controlCheck, RequestFailed } from '../client/client.ts';
import { type Call, describeRefusal, type Exchange } from '../client/exchange.ts';
import { CheckInconclusive, type CircuitBreaker, RunStopped } from './outcome.ts';
import { createPassingOutages } from './passing-outage.ts';
import { concernsOneLead } from './routes.ts';
import {
  createForeignResponses,
  type Doubt,
  describeClosing,
  describeStop,
  exchangesIn,
  gatewayPauseMs,
  isNotModified,
  isOfService,
  isRepeatable,
  isTrouble,
  isUnavailable,
  isUnexplainedRefusal,
  isWatched,
  refusesKey,
  rememberedMs,
  saysNoAddress,
  troubleIn,
} from './trouble.ts';

/** Number of complete requests in a row that may fail before a control request is sent. */
const maxTroubles = 3;
/** Number of error responses of any kind in a row, including those for wrong keys, before a control request is sent. */
const maxUnconfirmed = 6;
/** Number of attempts of a control request before its failure counts, because an error may be a coincidence. */
export const controlAttempts = 3;
/** The same if a cache may return the response to a wrong key, or if the service behind a gateway may be restarting. */
const patientAttempts = 5;
/** Number of 503 responses followed by a success from which on 503 counts as a rate limit. */
const maxUnavailable = 3;

export const createCircuitBreaker = (client: Client): CircuitBreaker => {
  const proven = new Map<OperationId, Exchange>();
  const suspects = new Set<Exchange>();
  const foreign = createForeignResponses();
  const passing = createPassingOutages(client.exchanges);
  const closed = new Map<OperationId, string>();
  const failedControls: Exchange[] = [];
  /** Since the last success of any operation. */
  let doubts: readonly Doubt[] = [];
  /** Since the last success of each operation. */
  const doubtsOf = new Map<OperationId, readonly Doubt[]>();
  /** Those of them that were complete requests, and refused after an earlier success. */
  const refusals = new Map<OperationId, readonly Doubt[]>();
  let requests = 0;
  let unavailable = 0;
  let wrongKeys = 0;
  let stopReason: string | undefined;
  let control: Promise<void> | undefined;
  let isTryingOther = false;
  let succeeds = async (_operation: OperationId): Promise<boolean> => false;

  const admit: CircuitBreaker['admit'] = ({ operation, check }) => {
    if (check === cleanUp) return requests;
    if (stopReason !== undefined) throw new RunStopped(stopReason);
    const reason = closed.get(operation);
    if (reason !== undefined) throw new CheckInconclusive(reason);
    return requests;
  };

  const troubles = (): readonly Doubt[] => doubts.filter(({ trouble }) => trouble !== undefined);

  const noteSuccess = (exchange: Exchange, sentAt: number): void => {
    const { operation } = exchange;
    const isLater = ({ request }: Doubt): boolean => request > sentAt;
    // With a rate limit, a request that is sent too fast is refused, and the next one succeeds.
    unavailable += exchangesIn(doubts.filter((doubt) => !isLater(doubt))).filter(isUnavailable).length;
    if (unavailable >= maxUnavailable) client.expectRateLimit();
    doubts = doubts.filter(isLater);
    if (!isRepeatable(exchange)) return; // a GET of another path shows nothing about the list of templates
    proven.set(operation, exchange);
    for (const list of [doubtsOf, refusals]) list.set(operation, (list.get(operation) ?? []).filter(isLater));
  };

  /** Whether the operation succeeded before, at this path if it has several: a deployment may offer only one of them. */
  const hasSucceeded = ({ operation, path }: Exchange): boolean =>
    proven.has(operation) && (concernsOneLead(operation) || proven.get(operation)?.path === path);

  const noteRefusal = (exchange: Exchange): void => {
    const { operation, outcome, json, credentials } = exchange;
    if (credentials !== 'key') wrongKeys += 1;
    const doubt = { request: requests, exchange, trouble: troubleIn(exchange) };
    doubts = [...doubts, doubt];
    if (outcome !== 'broken' || json === undefined)
      doubtsOf.set(operation, [...(doubtsOf.get(operation) ?? []), doubt]);
    if (credentials === 'key' && isUnexplainedRefusal(exchange) && hasSucceeded(exchange))
      refusals.set(operation, [...(refusals.get(operation) ?? []), doubt]);
  };

  const stop = (text: string, status?: number): never => {
    const [first = { request: requests, trouble: text, exchange: undefined }] = troubles();
    const isRecent = exchangesIn(doubts).some(({ credentials }) => credentials !== 'key');
    const before = { count: wrongKeys, isRecent, alternates: unavailable > 0 };
    stopReason ??= describeStop(first, first.exchange?.status ?? status, before);
    // Also earlier error responses that no later success of their operation confirmed.
    const unproven = exchangesIn([...doubts, ...[...doubtsOf.values()].flat()]);
    for (const exchange of [...unproven, ...failedControls]) suspects.add(exchange);
    for (const exchange of [...exchangesIn(troubles()), ...failedControls])
      if (exchange.json === undefined || failedControls.includes(exchange)) foreign.add(exchange);
    throw new RunStopped(stopReason);
  };

  /** The operation for a second control request if the list fails: it succeeded, and has not failed since the last success. */
  const otherControl = (): OperationId | undefined => {
    const failing = new Set(troubles().map(({ exchange }) => exchange?.operation));
    const isSound = (id: OperationId): boolean =>
      proven.has(id) && !failing.has(id) && !closed.has(id) && (refusals.get(id) ?? []).length === 0;
    // Without a response, any operation may fail.
    return failing.has(undefined) ? undefined : (['updateLead', 'addLead'] as const).find(isSound);
  };

  /** Closes only the list if another operation still succeeds, otherwise stops the run. The clean-up adds no leads. */
  const closeListOrStop = async (exchange: Exchange): Promise<void> => {
    const other = exchange.check === cleanUp ? undefined : otherControl();
    const before = other && proven.get(other);
    isTryingOther = true;
    if (other) await succeeds(other);
    isTryingOther = false;
    // Only a success counts: an outage may have the status 200 as well.
    if (!other || proven.get(other) === before) return stop(describeRefusal(exchange), exchange.status);
    const isList = ({ exchange }: Doubt): boolean =>
      exchange?.credentials === 'key' && isRepeatable(exchange);
    const first = doubtsOf.get('listTemplates')?.find(isList) ?? { request: requests, exchange };
    for (const failed of failedControls.splice(0)) suspects.add(failed);
    distrust('listTemplates', describeClosing('listTemplates', first));
  };

  /** Repeats the list of templates at the path where it succeeded before, because it changes nothing. */
  const sendControl = async (listed: Exchange, check: string, attempt = 1): Promise<void> => {
    const { operation, method, path } = listed;
    const call: Call = { operation, method, path, credentials: 'key', intent: 'complete', check };
    const sentAt = requests;
    try {
      const exchange = await client.send(call);
      requests += 1;
      const isAnswered = isOfService(exchange, client.exchanges) || isNotModified(exchange);
      if (exchange.outcome === 'success' || isAnswered) return noteSuccess(exchange, sentAt);
      failedControls.push(exchange);
      const isRemembered = wrongKeys > 0 && refusesKey(exchange);
      const isGateway = exchange.outcome === 'gateway';
      const attempts = isRemembered || isGateway ? patientAttempts : controlAttempts;
      if (
        attempt >= attempts ||
        (isGateway && !client.pause(gatewayPauseMs * attempt, describeRefusal(exchange)))
      )
        return await closeListOrStop(exchange);
      if (isRemembered && attempt > 1) await wait(rememberedMs);
      return await sendControl(listed, check, attempt + 1);
    } catch (error) {
      if (!(error instanceof RequestFailed) || error.kind === 'interrupted') throw error;
      return stop(error.message);
    }
  };

  const confirm = async (check = controlCheck): Promise<void> => {
    const listed = proven.get('listTemplates');
    if (listed === undefined || closed.has('listTemplates')) return;
    control ??= sendControl(listed, check).finally(() => {
      control = undefined;
    });
    await control;
  };

  /** Closes operations that refuse complete requests while the list still succeeds, for example because of a quota. */
  const closeRefusing = async (): Promise<void> => {
    for (const [operation, list] of refusals) {
      const [first] = list;
      if (!first || list.length < maxTroubles || closed.has(operation)) continue;
      if (!(await succeeds(operation))) distrust(operation, describeClosing(operation, first));
    }
  };

  const distrust: CircuitBreaker['distrust'] = (operation, reason) => {
    if (!closed.has(operation)) closed.set(operation, reason);
    for (const exchange of exchangesIn(doubtsOf.get(operation) ?? [])) {
      suspects.add(exchange);
      if (exchange.intent === 'complete' && saysNoAddress(exchange)) foreign.add(exchange);
    }
    doubtsOf.delete(operation);
  };

  const resolveDoubts = async (check: string): Promise<void> => {
    const count = troubles().length;
    if (client.hasWaitedEnough() && count > 0 && stopReason === undefined)
      stop('no time is left for waiting (--max-wait)');
    // Checks that are refused during a control request wait for it: another wrong key would falsify its result.
    const isPartOfControl = isTryingOther && check === controlCheck;
    if (!isPartOfControl && (control || count >= maxTroubles || doubts.length >= maxUnconfirmed))
      await confirm();
    if (stopReason !== undefined) throw new RunStopped(stopReason);
    // The control request itself must not wait here for a decision that depends on it.
    if (check !== controlCheck) await closeRefusing();
  };

  const note: CircuitBreaker['note'] = async (exchange, sentAt) => {
    requests += 1;
    if (exchange.outcome === 'success') {
      if (exchange.credentials === 'key') noteSuccess(exchange, sentAt);
      return;
    }
    if (stopReason !== undefined || (exchange.check === cleanUp && isTrouble(exchange)))
      suspects.add(exchange);
    if (isNotModified(exchange)) return;
    // The clean-up sends no control requests. Its responses count when a control request of another check fails.
    if (exchange.check === cleanUp) doubts = [...doubts, { request: requests, exchange }];
    if (!isWatched(exchange)) return;
    noteRefusal(exchange);
    await resolveDoubts(exchange.check);
  };

  const noteFailure: CircuitBreaker['noteFailure'] = async ({ check, credentials }, failure) => {
    requests += 1;
    if (!isWatched({ check }) || failure.kind === 'interrupted') return;
    if (credentials === 'key') doubts = [...doubts, { request: requests, trouble: failure.message }];
    await resolveDoubts(check);
  };

  return {
    admit,
    note,
    noteFailure,
    unconfirmed: () => [...doubtsOf].flatMap(([operation, list]) => (list.length > 0 ? [operation] : [])),
    isUnconfirmed: (exchange) =>
      exchangesIn([...doubts, ...(doubtsOf.get(exchange.operation) ?? [])]).includes(exchange),
    distrust,
    isSuspect: (exchange) =>
      suspects.has(exchange) || foreign.includes(exchange) || passing.describe(exchange) !== undefined,
    describeOutage: (exchange) => passing.describe(exchange) ?? stopReason ?? [...closed.values()][0],
    troubles: () => [...new Set([...(stopReason === undefined ? [] : [stopReason]), ...closed.values()])],
    hasStopped: () => stopReason !== undefined,
    isAlive: async () => {
      if (stopReason === undefined)
        await confirm(cleanUp).catch((error: unknown) => {
          if (!(error instanceof RunStopped)) throw error;
        });
      return stopReason === undefined;
    },
    confirmWith: (confirmOperation) => {
      succeeds = confirmOperation;
    },
  };
};
