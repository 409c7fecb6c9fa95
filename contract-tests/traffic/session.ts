import type { OperationId } from '../../mock/contract/operation-id.ts';
import { redactErrors } from '../../mock/contract/printable.ts';
import type { Redact } from '../../mock/contract/redaction.ts';
import type { Gateway } from '../client/gateway.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { mayHaveSentMail } from '../exchange/responses.ts';
import type { Check } from '../facts/check.ts';
import { createModel } from '../model/model.ts';
import { maxLagMs } from '../model/register.ts';
import { leadIdOf } from '../model/requests.ts';
import { createCoverage } from '../reports/coverage.ts';
import { deviationText } from '../reports/text.ts';
import { beginRun, type Run } from '../runner/run.ts';
import { emptyResult } from '../runner/summary.ts';
import { checkKey } from '../session/target.ts';
import { createAnswers } from './answers.ts';
import { createKeys } from './exchanges/keys.ts';
import {
  findOperation,
  type Injected,
  isAuxiliary,
  isServicePath,
  type ObservedExchange,
  type ObservedRequest,
} from './exchanges/observed.ts';
import { createExchangeReader } from './exchanges/reader.ts';
import { type Deviation, inspectRequest, isBreach } from './exchanges/requests.ts';
import { createTrafficJudge, type Finding } from './judge.ts';
import { createTally } from './tally.ts';

/** What one exchange shows. */
export type TrafficJudgement = {
  readonly operation?: OperationId | undefined;
  readonly findings: readonly Finding[];
  /** Of the request from the document. */
  readonly deviations: readonly Deviation[];
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
};

/**
 * Checks traffic passively: receives exchanges of other clients, from a proxy or a
 * recording, and reports the claims that they break.
 */
export type TrafficSession = ReturnType<typeof createTrafficSession>;

/** The error response to a request that breaks the contract. */
export type Refusal = { readonly status: number; readonly problem: string };

/** Why the service did not get a request: for it, such a request did not happen. */
const unsentReasons: { readonly [Effect in Injected['effect']]?: string } = {
  answered: 'answered by a fault rule of the proxy',
  refused: 'refused by --enforce',
};

export const createTrafficSession = (options: TrafficOptions) => {
  const { checks, key, keysUnknown = false, lagMs } = options;
  const factsNow = beginRun();
  if (key !== undefined) checkKey(key);
  const keys = createKeys(key, keysUnknown, options.gateway);
  redactErrors(keys.redact);
  const model = createModel(lagMs === undefined ? { lagMs: maxLagMs } : { lagMs, textLagMs: lagMs });
  const tally = createTally<Deviation>(
    ({ kind, operation, message }) => `${kind} ${operation} ${message}`,
    200,
  );
  const counts = createCounts(keys.redact);
  const answers = createAnswers();
  const readExchange = createExchangeReader(keys, model);
  const judge = createTrafficJudge(checks, model, keys.redact);

  /** Reads a request, and compares it with the document. */
  const inspect = (request: ObservedRequest) => {
    // Registers the key, which is redacted whatever the result is.
    keys.credentialsOf(request.requestHeaders.authorization);
    const operation = findOperation(request.method, request.target);
    return { operation, deviations: inspectRequest(operation, request, keysUnknown) };
  };

  /** Processes one exchange at once, so that no finding can be lost. */
  const observe = (observed: ObservedExchange): TrafficJudgement => {
    const { method, target, status, injected } = observed;
    const { operation, deviations } = inspect(observed);
    const skip = (kind: Counted, skipped: string, of = deviations): TrafficJudgement => {
      counts.add(kind, skipped);
      return { operation, findings: [], deviations: of, skipped };
    };
    const unsent = injected && unsentReasons[injected.effect];
    if (unsent === undefined && !isServicePath(target))
      return skip('outside', 'not a request to the service', []);
    if (injected && injected.effect !== 'refused') counts.add('injected', injected.what);
    if (isAuxiliary(method)) return skip('skipped', `with the method ${method}`, []);
    for (const deviation of deviations) tally.add(deviation);
    if (unsent !== undefined) return skip('skipped', unsent);
    if (operation === undefined) {
      // It may have changed any lead, unless it was refused.
      if (method !== 'GET' && (status < 400 || status >= 500)) model.beginEpoch();
      return skip('undocumented', 'not an operation of the document');
    }
    const { exchange, missing } = readExchange(operation, observed, deviations.length === 0);
    // The order in which two requests at the same time took effect is unknown.
    const forget = (): void => {
      const window = { from: exchange.sentAt, to: exchange.receivedAt };
      if (observed.overlaps) model.forget(leadIdOf(exchange), window);
    };
    forget();
    if (missing === undefined) answers.add(exchange, model, deviations);
    const findings = judge.inspect(exchange, missing === undefined);
    forget();
    if (missing !== undefined) return skip('skipped', missing);
    counts.judged(exchange, findings.length > 0);
    return { operation, findings, deviations };
  };

  /** Why a request must not be sent: the document excludes it, instead of leaving it open. */
  const refuse = (request: ObservedRequest): Refusal | undefined => {
    const breaches = inspect(request).deviations.filter(isBreach);
    if (breaches.length === 0) return undefined;
    const isEncoded = breaches.some(({ kind }) => kind === 'content encoding');
    const problem = breaches.map((breach) => deviationText(breach)).join('; ');
    return { status: isEncoded ? 415 : 400, problem };
  };

  const run = (): Run => ({
    // No exchanges: they may be many, and a report repeats no request of others.
    ...emptyResult,
    ...factsNow(),
    verdicts: judge.verdicts(),
    mailsRequested: counts.mails(),
    redact: keys.redact,
  });

  return {
    observe,
    refuse,
    run,
    redact: keys.redact,
    counts,
    answers,
    deviations: tally.list,
    evicted: model.evicted,
  };
};

type Counted =
  | 'outside'
  | 'undocumented'
  | 'skipped'
  | 'injected'
  | 'judged'
  | 'mails'
  | 'broken'
  | 'succeeded';

/**
 * Counts exchanges, by reason or by operation, and what their responses show.
 * @param redact removes the keys that are known when a report is created
 */
const createCounts = (redact: Redact) => {
  const coverage = createCoverage();
  const tally = createTally<{ kind: Counted; name: string }>(({ kind, name }) => `${kind} ${name}`);
  const add = (kind: Counted, name = ''): void => tally.add({ kind, name });
  const of = (kind: Counted) => tally.list().filter((counted) => counted.kind === kind);
  const byName = (kind: Counted): Record<string, number> =>
    Object.fromEntries(of(kind).map(({ name, count }) => [redact(name), count]));
  const total = (kind: Counted, names?: readonly string[]): number =>
    of(kind).reduce((sum, { name, count }) => sum + (names?.includes(name) === false ? 0 : count), 0);
  return {
    add,
    coverage,
    judged: (exchange: Exchange, isBroken: boolean): void => {
      const { operation, outcome } = exchange;
      add('judged', operation);
      if (mayHaveSentMail(exchange)) add('mails');
      if (isBroken) add('broken');
      // `--require` counts documented requests whose responses break no claim.
      else if (outcome === 'success') add('succeeded', operation);
      coverage.note(exchange);
    },
    mails: (): number => total('mails'),
    /** Number of all requests under `/api/v1`. */
    total: (): number => total('judged') + total('undocumented') + total('skipped'),
    successes: (operation: OperationId): number => total('succeeded', [operation]),
    /** What a report says about the traffic. */
    summary: () => ({
      judged: total('judged'),
      broken: total('broken'),
      undocumented: total('undocumented'),
      outside: total('outside'),
      skip_reasons: byName('skipped'),
      ...(total('injected') === 0 ? {} : { injected: byName('injected') }),
    }),
  };
};
