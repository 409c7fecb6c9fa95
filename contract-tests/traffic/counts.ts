import type { OperationId } from '../../mock/contract/operation-id.ts';
import type { Redact } from '../../mock/contract/redaction.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { operationsThatNeed } from '../exchange/operations.ts';
import { createCoverage } from '../reports/coverage.ts';
import type { Injected } from './exchanges/observed.ts';

/** Counts exchanges, and what their responses show. @param redact removes the keys that are known when a report is created */
export const createCounts = (redact: Redact) => {
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
