import type { Check } from '../check.ts';
import { authenticationChecks } from './authentication.ts';
import { badInputChecks } from './bad-input.ts';
import { emailChecks } from './email.ts';
import { addChecks, deleteChecks, updateChecks } from './leads.ts';
import { envelopeChecks, refusalChecks, replyChecks } from './replies.ts';
import { templateChecks, templateReplyChecks } from './templates.ts';

/** Every check of the suite, in the order of the document. */
export const checks: readonly Check[] = [
  ...templateChecks,
  ...templateReplyChecks,
  ...addChecks,
  ...updateChecks,
  ...deleteChecks,
  ...emailChecks,
  ...authenticationChecks,
  ...badInputChecks,
  ...replyChecks,
  ...envelopeChecks,
  ...refusalChecks,
];
