import { operations } from '../../exchange/operations.ts';
import type { ReplyCheck } from '../check.ts';
import { type Fact, holds, type Result } from '../fact.ts';

/** The facts of checks that inspect every response of an operation. */
export const replyFacts = (checks: readonly ReplyCheck[]): Fact => {
  // Grouped once, because every exchange of an operation is inspected by these checks.
  const byOperation = new Map(
    operations.map(({ id }) => [
      id,
      checks.filter(({ operation, scope }) => scope === 'every' || operation === id),
    ]),
  );
  return (exchange, model) =>
    (byOperation.get(exchange.operation) ?? []).flatMap((check): readonly Result[] => {
      if (!check.applies(exchange, model)) return [];
      const own = { ...holds(check.id), isOfOperation: true } as const;
      const defect = check.defect(exchange, model);
      if (!defect) return [own];
      return [{ ...own, ...('undecided' in defect ? defect : { broken: { ...defect, exchange } }) }];
    });
};
