import { type Exchange, isSuccess } from '../exchange/exchange.ts';
import { operations } from '../exchange/operations.ts';
import { accepted, badInputSurvived } from '../facts/acceptance.ts';
import type { ReplyCheck } from '../facts/check.ts';
import { type Fact, holds, type Result } from '../facts/fact.ts';
import { keyRejected } from '../facts/keys.ts';
import { additionFacts } from '../facts/leads/additions.ts';
import { leadFacts } from '../facts/leads/leads.ts';
import { timeFacts } from '../facts/leads/times.ts';
import { envelopeChecks, refusalChecks } from '../facts/replies/envelope.ts';
import { replyChecks } from '../facts/replies/response-fields.ts';
import { templateReplyChecks } from '../facts/replies/templates.ts';
import { templateFacts } from '../facts/templates.ts';
import type { Model } from '../model/model.ts';

/** The facts of checks that inspect every response of an operation. */
const replyFacts = (checks: readonly ReplyCheck[]): Fact => {
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
      const defect = check.defect(exchange, model);
      if (!defect) return [holds(check.id)];
      if ('undecided' in defect) return [{ check: check.id, ...defect }];
      // Only the service itself says that a request has succeeded: one such response is enough.
      const proof = isSuccess(exchange) ? { isProven: true as const } : {};
      return [{ check: check.id, broken: { ...defect, exchange, ...proof } }];
    });
};

/** Every fact, for exchanges of any source. */
const facts: readonly Fact[] = [
  replyFacts([...replyChecks, ...templateReplyChecks, ...envelopeChecks, ...refusalChecks]),
  ...additionFacts,
  ...leadFacts,
  ...timeFacts,
  accepted,
  keyRejected,
  badInputSurvived,
  ...templateFacts,
];

/** What one exchange shows. */
export type Judgement = { readonly exchange: Exchange; readonly results: readonly Result[] };

/**
 * Judges one exchange, whichever source it comes from: a run, a proxy, a recording. Must be called in the order in which exchanges
 * ended. What the request may have changed is entered in the model before, and what the response shows afterwards.
 */
export const judge = (exchange: Exchange, model: Model): readonly Result[] => {
  model.enter(exchange);
  const results = facts.flatMap((fact) => fact(exchange, model));
  model.note(exchange);
  return results;
};
