import { accepted } from '../facts/acceptance.ts';
import { badInputSurvived } from '../facts/bad-input.ts';
import type { Fact } from '../facts/fact.ts';
import { keyRejected } from '../facts/keys.ts';
import { leadFacts } from '../facts/leads/leads.ts';
import { readingNeedsKey, refusedStoresNothing } from '../facts/leads/refused-additions.ts';
import { timeOrder, timesAdvance, utcNow } from '../facts/leads/times.ts';
import { envelopeChecks, refusalChecks } from '../facts/replies/envelope.ts';
import { replyFacts } from '../facts/replies/reply-facts.ts';
import { replyChecks } from '../facts/replies/response-fields.ts';
import { templateReplyChecks } from '../facts/replies/templates.ts';
import { templateFacts } from '../facts/templates.ts';

/** Every fact, for exchanges of any source. */
export const facts: readonly Fact[] = [
  replyFacts([...replyChecks, ...templateReplyChecks, ...envelopeChecks, ...refusalChecks]),
  ...leadFacts,
  utcNow,
  timesAdvance,
  timeOrder,
  accepted,
  keyRejected,
  badInputSurvived,
  refusedStoresNothing,
  readingNeedsKey,
  ...templateFacts,
];
