import manifest from '../../package.json' with { type: 'json' };
import { type ClientOptions, createClient, type Effort } from '../client/client.ts';
import { createLedger } from '../client/ledger.ts';
import type { Call, Exchange } from '../exchange/exchange.ts';
import { createHistory } from '../judge/history.ts';
import type { Judgement } from '../judge/judge.ts';
import { createShared, newRunId, type Shared } from '../session/shared.ts';
import type { RunResult } from './check-runner.ts';
import { CannotTest, waitForService } from './preflight.ts';

/** What a run has done so far. */
export type Progress = Effort & {
  readonly ms: number;
  readonly judged: readonly Judgement[];
  /** Milliseconds that requests wait until a change is visible. */
  readonly lagMs: number;
  /** The request that has waited longest for its response, and since when. */
  readonly pending: Pending | undefined;
};

type Pending = { readonly call: Call; readonly at: number };

/** The deployment, the permissions on it, and how to send requests. */
export type TargetOptions = Pick<ClientOptions, 'key' | 'permissions'> &
  Partial<Omit<ClientOptions, 'base' | 'userAgent' | 'onSend'>> & {
    readonly url: string;
    /** Sender of test mails. */
    readonly sender?: string;
    readonly runId?: string;
    /** Called for each request that was sent, when it has ended. */
    readonly onExchange?: ((exchange: Exchange) => void) | undefined;
    /** Called every `progressMs`. */
    readonly onProgress?: ((progress: Progress) => void) | undefined;
    readonly progressMs?: number;
    /** Milliseconds to wait for a service that is starting and does not respond yet. */
    readonly waitForStart?: number | undefined;
    /** Whether to test everything, whatever it costs. */
    readonly thorough?: boolean | undefined;
  };

/** Facts that exist for every run, of either kind. */
export type RunFacts = Effort & {
  readonly runId: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly exchanges: readonly Exchange[];
  /** The requests that got no response, and may have taken effect. */
  readonly lost?: readonly Exchange[];
  /** Leads of the run that could not be deleted. */
  readonly leftoverLeads: readonly string[];
  readonly redact: (text: string) => string;
  /** Milliseconds until a response shows a change; 0 where it does so at once. */
  readonly lagMs?: number;
};

export type Run = RunResult & RunFacts;

/** A run begins now: what is known of its identity and its time so far. */
export const beginRun = (runId = newRunId()) => {
  const startedAt = new Date().toISOString();
  const started = performance.now();
  return () => ({ runId, startedAt, durationMs: Math.round(performance.now() - started) });
};

/**
 * Does work on one deployment with its own client and ledger, after checking that the service is available.
 * @throws CannotTest if it is not available: no response, key refused, another service
 */
export const inRun = async <Result>(
  options: TargetOptions,
  name: 'contract' | 'observe',
  work: (shared: Shared) => Promise<Result>,
): Promise<Result & RunFacts> => {
  const { permissions, timeout = 10_000, onProgress, progressMs = 30_000 } = options;
  const { runId = newRunId(), ledger = createLedger() } = options;
  const factsNow = beginRun(runId);
  const history = createHistory();
  const pending = new Set<Pending>();
  const lost: Exchange[] = [];
  const client = createClient({
    ...options,
    onSend: (at, call) => {
      const end = history.begin(call, at);
      const request = { call, at: performance.now() };
      pending.add(request);
      return (exchange) => {
        pending.delete(request);
        end(exchange);
        if (exchange?.status === 0) lost.push(exchange);
        if (exchange) options.onExchange?.(exchange);
      };
    },
    base: options.url,
    ledger,
    timeout,
    userAgent: `email-leads-${name}/${manifest.version} run/${runId}`,
  });
  const describeProgress = (): Progress => ({
    ...client.effort(),
    ms: factsNow().durationMs,
    judged: history.judged,
    lagMs: history.model.dialect.lagMs,
    pending: [...pending][0],
  });
  const progress = setInterval(() => onProgress?.(describeProgress()), progressMs).unref();
  try {
    const sender = options.sender ?? permissions.sendTo ?? 'contract-suite@example.com';
    const shared = createShared({
      client,
      ledger,
      permissions,
      runId,
      sender,
      history,
      isThorough: options.thorough === true,
    });
    await waitForService(shared, options);
    const result = await work(shared);
    return {
      ...result,
      ...factsNow(),
      ...client.effort(),
      exchanges: client.exchanges,
      lost,
      leftoverLeads: ledger.open(),
      redact: client.redact,
      lagMs: history.model.dialect.lagMs,
    };
  } catch (error) {
    throw error instanceof CannotTest
      ? new CannotTest(client.redact(error.message), { effort: client.effort() })
      : error;
  } finally {
    clearInterval(progress);
    await client.close();
  }
};
