import type { Exchange } from '../../exchange/exchange.ts';
import { operations } from '../../exchange/operations.ts';
import type { ReplyCheck } from '../check.ts';
import { isInScope } from '../check.ts';
import { type Fact, holds, type Result } from '../fact.ts';

/** The facts of checks that inspect every response of an operation. */
export const replyFacts = (checks: readonly ReplyCheck[]): Fact => {
  // Grouped once, because every exchange of an operation is inspected by these checks.
  const byOperation = new Map(
    operations.map(({ id }) => [id, checks.filter((check) => isInScope(check, id))]),
  );
  return (exchange: Exchange, model) =>
    (byOperation.get(exchange.operation) ?? []).flatMap((check): readonly Result[] => {
      const result = check.inspect(exchange, model);
      if (result === 'not applicable') return [];
      const own = { ...holds(check.id), isOfOperation: true } as const;
      if (result === 'fine') return [own];
      return [{ ...own, ...('undecided' in result ? result : { broken: result }) }];
    });
};
