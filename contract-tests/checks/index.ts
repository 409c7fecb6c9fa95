import type { Check } from '../check.ts';
import { addChecks } from './add.ts';
import { authenticationChecks } from './authentication.ts';
import { badInputChecks } from './bad-input.ts';
import { clockChecks } from './clocks.ts';
import { closingChecks, deleteChecks } from './delete.ts';
import { emailChecks } from './email.ts';
import { envelopeChecks } from './envelope.ts';
import { fidelityChecks } from './fidelity.ts';
import { lengthChecks } from './lengths.ts';
import { refusalChecks } from './refusals.ts';
import { replyChecks } from './replies.ts';
import { templateChecks } from './template-agreement.ts';
import { templateReplyChecks } from './templates.ts';
import { updateChecks } from './update.ts';
import { updateFieldChecks } from './update-fields.ts';
import { updateReplyChecks } from './update-replies.ts';
import { updateTextChecks } from './update-text.ts';
import { wordChecks } from './words.ts';

/** Every check of the suite, in the order of the document. */
export const checks: readonly Check[] = [
  ...templateChecks,
  ...templateReplyChecks,
  ...addChecks,
  ...fidelityChecks,
  ...wordChecks,
  ...lengthChecks,
  ...clockChecks,
  ...updateReplyChecks,
  ...updateChecks,
  ...updateFieldChecks,
  ...updateTextChecks,
  ...deleteChecks,
  ...closingChecks,
  ...emailChecks,
  ...authenticationChecks,
  ...badInputChecks,
  ...replyChecks,
  ...envelopeChecks,
  ...refusalChecks,
];
