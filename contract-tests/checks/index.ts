import type { Check } from '../session/check.ts';
import { authenticationChecks } from './authentication.ts';
import { badInputChecks } from './bad-input.ts';
import { emailChecks } from './email.ts';
import { envelopeChecks, refusalChecks } from './envelope.ts';
import { addChecks } from './leads/add.ts';
import { closingChecks } from './leads/after-clean-up.ts';
import { concurrentDeleteChecks } from './leads/concurrent-deletes.ts';
import { deleteChecks } from './leads/delete.ts';
import { idCheck, nearDuplicateCheck } from './leads/distinct-leads.ts';
import { firstUpdateCheck, persistenceChecks } from './leads/persistence.ts';
import { refusedAddChecks } from './leads/refused-adds.ts';
import { lastingUpdateCheck, refusedUpdateCheck } from './leads/refused-updates.ts';
import { fidelityChecks, wordChecks } from './leads/text-fidelity.ts';
import { lengthChecks } from './leads/text-length.ts';
import { idleLeadCheck, untouchedChecks } from './leads/untouched.ts';
import { updateChecks } from './leads/update.ts';
import { updateFieldChecks, updateTextChecks } from './leads/update-fields.ts';
import { updateReplyChecks } from './leads/update-responses.ts';
import { refusedMailChecks } from './refused-mails.ts';
import { idChecks, regularityChecks } from './regularity.ts';
import { keyRecoveryChecks, recoveryChecks, repeatChecks } from './repetition.ts';
import { requestFormChecks } from './request-forms.ts';
import { replyChecks } from './response-fields.ts';
import { templateListChecks, templateReplyChecks } from './templates.ts';
import { clockChecks } from './timestamps.ts';

/** All checks of the suite, in the order of the document. */
export const checks: readonly Check[] = [
  ...templateListChecks,
  ...templateReplyChecks,
  ...addChecks,
  idCheck,
  nearDuplicateCheck,
  ...refusedAddChecks,
  ...fidelityChecks,
  ...wordChecks,
  ...lengthChecks,
  ...clockChecks,
  ...updateReplyChecks,
  ...updateChecks,
  ...untouchedChecks,
  ...persistenceChecks,
  refusedUpdateCheck,
  ...updateFieldChecks,
  ...updateTextChecks,
  ...deleteChecks,
  ...concurrentDeleteChecks,
  ...closingChecks,
  ...emailChecks,
  // Valid mails in a row before any invalid ones, so that intermittent refusals are visible.
  ...replyChecks,
  // After the checks that send mail from every template, and mails with every kind of text.
  ...refusedMailChecks,
  ...repeatChecks,
  ...requestFormChecks,
  ...keyRecoveryChecks,
  ...authenticationChecks,
  ...badInputChecks,
  firstUpdateCheck,
  lastingUpdateCheck,
  idleLeadCheck,
  ...recoveryChecks,
  ...idChecks,
  ...regularityChecks,
  ...envelopeChecks,
  ...refusalChecks,
];
