import type { Gateway } from '../../mock/contract/gateway.ts';
import type { OperationId } from '../../mock/contract/operation-id.ts';
import { redactErrors } from '../../mock/contract/printable.ts';
import type { Profile } from '../../mock/contract/profile.ts';
import type { Answer, QuestionId } from '../../mock/contract/questions.ts';
import type { Redact } from '../../mock/contract/redaction.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { operationsThatNeed } from '../exchange/operations.ts';
import type { Check } from '../facts/check.ts';
import { createModel } from '../model/create-model.ts';
import { maxLagMs } from '../model/model.ts';
import { createCoverage } from '../reports/report.ts';
import type { Run } from '../runner/run.ts';
import { emptyResult } from '../runner/summary.ts';
import { newRunId } from '../session/shared.ts';
import { checkKey } from '../session/target.ts';
import { createAnswers, type ShownAnswer } from './answers.ts';
import {
  findOperation,
  type Injected,
  isServicePath,
  type ObservedExchange,
  type ObservedRequest,
} from './exchanges/observed.ts';
import { createExchangeReader, createKeys } from './exchanges/reader.ts';
import {
  createRequestFindings,
  createSuccesses,
  inspectRequest,
  inspectRoute,
  isBreach,
  type RequestFinding,
} from './exchanges/requests.ts';
import { createTrafficJudge, type Finding, presentFailure } from './judge.ts';

/** A pinned answer of the profile that an exchange contradicts. */
export type Drift = { readonly question: QuestionId; readonly pinned: Answer; readonly actual: Answer };

/** The result of one exchange. */
export type Judgement = {
  readonly operation?: OperationId;
  readonly findings: readonly Finding[];
  readonly requests: readonly RequestFinding[];
  readonly drift: readonly Drift[];
  /** Why the response was not checked. */
  readonly skipped?: string;
};

type TrafficOptions = {
  readonly checks: readonly Check[];
  /** The key of the deployment, if it is known. */
  readonly key?: string | undefined;
  /** What the gateway in front of the deployment wants; its values are redacted. */
  readonly gateway?: Gateway | undefined;
  /** Whether the headers with keys were removed from the recording. */
  readonly keysUnknown?: boolean;
  /** Milliseconds until a response shows a change, as the recorded run has measured it; by default as long as is usual. */
  readonly lagMs?: number | undefined;
  /** The profile whose pinned answers every exchange is compared with. */
  readonly profile?: Profile | undefined;
};

/**
 * Checks traffic passively: receives exchanges of other clients, from a proxy or a
 * recording, and reports the claims that they break.
 */
export type TrafficSession = ReturnType<typeof createTrafficSession>;

/** Methods that browsers and tools use in addition to the requests of an app. */
const isAside = (method: string): boolean => method === 'OPTIONS' || method === 'HEAD';

const nothing = { findings: [], requests: [], drift: [] } as const;

export const createTrafficSession = (options: TrafficOptions) => {
  const { checks, key, keysUnknown = false, lagMs, profile } = options;
  const startedAt = new Date().toISOString();
  const started = performance.now();
  const runId = newRunId();
  if (key !== undefined) checkKey(key);
  const keys = createKeys(key, keysUnknown, options.gateway);
  redactErrors(keys.redact);
  const model = createModel(lagMs === undefined ? { lagMs: maxLagMs } : { lagMs, textLagMs: lagMs });
  const successes = createSuccesses();
  const requests = createRequestFindings();
  const counts = createCounts(keys.redact);
  const answers = createAnswers();
  const { requestOf, exchangeOf } = createExchangeReader({ keys, model, successes });
  const judge = createTrafficJudge({
    checks,
    model,
    present: (failure, exchange) => presentFailure(failure, exchange, keys.redact),
  });

  const skip = (reason: string, judgement: Judgement): Judgement => {
    counts.skip(reason);
    return { ...judgement, skipped: reason };
  };

  /** Reads a request, and compares it with the document. */
  const inspect = (request: ObservedRequest) => {
    const { method, target, requestHeaders } = request;
    // Registers the key, which is redacted whatever the result is.
    keys.credentialsOf(requestHeaders.authorization);
    const operation = findOperation(method, target);
    if (operation === undefined) return { findings: [inspectRoute(method, target)] };
    const seen = requestOf(operation, request);
    return { seen, findings: inspectRequest(seen, request, keysUnknown) };
  };

  /** Processes one exchange at once, so that no finding can be lost. */
  const observe = (observed: ObservedExchange): Judgement => {
    const { method, target, status, injected } = observed;
    const { seen, findings: requestFindings } = inspect(observed);
    if (!isServicePath(target)) {
      counts.outside();
      return { ...nothing, skipped: 'not a request to the service' };
    }
    if (injected) counts.injected(injected);
    if (isAside(method)) return skip(`with the method ${method}`, nothing);
    for (const finding of requestFindings) requests.add(finding);
    if (!seen) {
      counts.undocumented(status);
      return { ...nothing, requests: requestFindings, skipped: 'not an operation of the document' };
    }
    const { operation } = seen;
    const exchange = exchangeOf(seen, observed, requestFindings.length === 0);
    if ('missing' in exchange)
      return skip(exchange.missing, { ...nothing, operation, requests: requestFindings });
    const drift = driftIn(answers.add(exchange, model), profile);
    const findings = judge.inspect(exchange);
    if (exchange.outcome === 'success') successes.note(seen);
    counts.judged(exchange, findings.length > 0);
    return { operation, findings, requests: requestFindings, drift };
  };

  /** The deviations of a request from the contract, before it is sent. They are counted here only if the request is refused. */
  const refuse = (request: ObservedRequest): readonly RequestFinding[] => {
    const { findings } = inspect(request);
    const breaches = findings.filter(isBreach);
    if (breaches.length === 0) return [];
    for (const finding of findings) requests.add(finding);
    counts.skip('refused by --enforce');
    return breaches;
  };

  const run = (): Run => ({
    ...emptyResult,
    waitedMs: 0,
    verdicts: judge.verdicts(),
    runId,
    startedAt,
    durationMs: Math.round(performance.now() - started),
    // Records that the session did not create appear in no report.
    exchanges: judge.exchanges().filter(({ own }) => own === true),
    mailsRequested: counts.mails(),
    leftoverLeads: [],
    redact: keys.redact,
  });

  return {
    observe,
    refuse,
    run,
    redact: keys.redact,
    counts,
    answers,
    requestFindings: requests.list,
    evicted: () => judge.evicted() + model.evicted(),
  };
};

const driftIn = (shown: readonly ShownAnswer[], profile: Profile | undefined): Drift[] =>
  shown.flatMap(([question, actual]) => {
    const entry = profile?.answers[question];
    const isDrift = entry?.state === 'pinned' && entry.answer !== actual;
    return isDrift ? [{ question, pinned: entry.answer, actual }] : [];
  });

/** Counts exchanges, and what their responses show. @param redact removes the keys that are known when a report is created */
const createCounts = (redact: Redact) => {
  const coverage = createCoverage();
  const skipReasons = new Map<string, number>();
  const injections = new Map<string, number>();
  const successes = new Map<OperationId, number>();
  let outside = 0;
  let undocumented = 0;
  let judged = 0;
  let broken = 0;
  let mails = 0;

  return {
    outside: (): void => {
      outside += 1;
    },
    undocumented: (status: number): void => {
      undocumented += 1;
      coverage.countStatus('undocumented', status);
    },
    skip: (reason: string): void => increase(skipReasons, reason),
    injected: ({ what }: Injected): void => increase(injections, what),
    judged: (exchange: Exchange, isBroken: boolean): void => {
      judged += 1;
      if (isBroken) broken += 1;
      coverage.note(exchange);
      if (operationsThatNeed('mail').includes(exchange.operation)) mails += 1;
      // `--require` counts documented requests whose responses break no claim.
      if (exchange.outcome === 'success' && !isBroken)
        successes.set(exchange.operation, (successes.get(exchange.operation) ?? 0) + 1);
    },
    mails: (): number => mails,
    /** Number of all requests under `/api/v1`. */
    total: (): number => judged + undocumented + sum(skipReasons.values()),
    successes: (operation: OperationId): number => successes.get(operation) ?? 0,
    /** What a report says about the traffic. */
    summary: () => ({
      judged,
      broken,
      undocumented,
      outside,
      skip_reasons: Object.fromEntries([...skipReasons].map(([reason, count]) => [redact(reason), count])),
      ...(injections.size > 0 ? { injected: Object.fromEntries(injections) } : {}),
    }),
    shown: coverage.shown,
  };
};

const increase = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);
