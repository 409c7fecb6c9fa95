import type { Check } from '../facts/check.ts';
import { factChecks } from '../facts/checks.ts';
import { envelopeChecks, refusalChecks } from '../facts/replies/envelope.ts';
import { replyChecks } from '../facts/replies/response-fields.ts';
import { templateReplyChecks } from '../facts/replies/templates.ts';

/** All checks of the suite, in the order of the document. */
export const checks: readonly Check[] = [
  ...templateReplyChecks,
  ...factChecks,
  ...replyChecks,
  ...envelopeChecks,
  ...refusalChecks,
];

/** The checks of a run that is not thorough. */
export const usualChecks: readonly Check[] = checks.filter(({ thorough }) => !thorough);
