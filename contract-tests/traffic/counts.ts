import type { OperationId } from '../../mock/contract/operation-id.ts';
import type { Redact } from '../../mock/contract/redaction.ts';
import { type Exchange, excerpt } from '../exchange/exchange.ts';
import { operations, operationsThatNeed } from '../exchange/operations.ts';
import { compareFields, fieldPointers } from '../facts/replies/response-schema.ts';
import { countStatus, type StatusCounts } from '../reports/report.ts';
import type { Injected } from './exchanges/observed.ts';

/** Maximum number of fields per operation to remember, and maximum length of each pointer. */
const [maxFields, maxPointerLength] = [500, 68];

/** Counts exchanges, statuses and fields. @param redact removes the keys that are known when a report is created */
export const createCounts = (redact: Redact) => {
  const statuses: StatusCounts = {};
  const fields = new Map<OperationId, Set<string>>();
  const skipReasons = new Map<string, number>();
  const injections = new Map<string, number>();
  const successes = new Map<OperationId, number>();
  let outside = 0;
  let undocumented = 0;
  let judged = 0;
  let broken = 0;
  let mails = 0;

  const noteFields = ({ operation, json }: Exchange): void => {
    const pointers = fields.get(operation) ?? new Set();
    fields.set(operation, pointers);
    for (const pointer of fieldPointers(json))
      if (pointers.size < maxFields) pointers.add(excerpt(pointer, maxPointerLength));
  };

  return {
    outside: (): void => {
      outside += 1;
    },
    undocumented: (status: number): void => {
      undocumented += 1;
      countStatus(statuses, 'undocumented', status);
    },
    skip: (reason: string): void => increase(skipReasons, reason),
    injected: ({ what }: Injected): void => increase(injections, what),
    judged: (exchange: Exchange, isBroken: boolean): void => {
      judged += 1;
      if (isBroken) broken += 1;
      countStatus(statuses, exchange.operation, exchange.status);
      if (operationsThatNeed('mail').includes(exchange.operation)) mails += 1;
      if (exchange.outcome !== 'success') return;
      noteFields(exchange);
      // `--require` counts documented requests whose responses break no claim.
      if (!isBroken) successes.set(exchange.operation, (successes.get(exchange.operation) ?? 0) + 1);
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
    /** The coverage by all exchanges, of which a report has only those of the session's own records. */
    coverage: () => {
      const rows = operations.flatMap(({ id }) => {
        const pointers = fields.get(id);
        return pointers ? [compareFields(id, pointers)] : [];
      });
      return {
        statuses,
        never_seen: rows.flatMap(({ never }) => never),
        undocumented: rows.flatMap(({ extra }) => extra.map(redact)),
      };
    },
  };
};

const increase = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);
