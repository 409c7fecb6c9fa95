import { keys } from './broken/authentication.ts';
import { badFields, badInput } from './broken/bad-input.ts';
import { demands } from './broken/demands.ts';
import { contentTypes, encodings, parts } from './broken/encoding.ts';
import { envelope, status } from './broken/envelope.ts';
import { claimedSuccess, failureMessages, refusals } from './broken/failures.ts';
import { histories } from './broken/history.ts';
import { concurrency, intermittent, sporadicRefusals } from './broken/intermittent.ts';
import { additions, leadFields, oddLeads } from './broken/leads/add.ts';
import { deletions, unknownLeads } from './broken/leads/delete.ts';
import { effects } from './broken/leads/effects.ts';
import { ids } from './broken/leads/ids.ts';
import { otherLeads } from './broken/leads/others.ts';
import { stored } from './broken/leads/stored.ts';
import { echoedEmails, oddUpdates, updateFields, updates } from './broken/leads/update.ts';
import type { BrokenDeployment } from './broken/mutation.ts';
import { templateSending } from './broken/template-email.ts';
import { templates } from './broken/templates.ts';
import { texts } from './broken/text.ts';
import { clocks, timestamps } from './broken/timestamps.ts';

/** Servers that each violate one promise of the document, or one derived fact. */
export const broken: readonly BrokenDeployment[] = [
  ...status,
  ...envelope,
  ...keys,
  ...leadFields,
  ...additions,
  ...oddLeads,
  ...stored,
  ...ids,
  ...updates,
  ...updateFields,
  ...oddUpdates,
  ...echoedEmails,
  ...unknownLeads,
  ...otherLeads,
  ...deletions,
  ...effects,
  ...concurrency,
  ...templates,
  ...templateSending,
  ...texts,
  ...timestamps,
  ...clocks,
  ...refusals,
  ...failureMessages,
  ...claimedSuccess,
  ...badInput,
  ...badFields,
  ...demands,
  ...histories,
  ...encodings,
  ...parts,
  ...contentTypes,
  ...intermittent,
  ...sporadicRefusals,
];

/**
 * Broken servers whose fault depends on which requests happen at the same time, or on how late they are: one run may miss them,
 * and a script that sends the same requests need not show them.
 */
export const dependOnChance: ReadonlySet<string> = new Set([
  'concurrent-updates-mixed',
  'late-update-lost',
  'refused-update-stored-late',
  'second-list-at-once-empty',
  'second-mail-at-once',
  // Mails of other scenarios change the templates too.
  'sent-templates-unlisted',
  'update-at-once-lost',
]);

/** Broken servers that even a thorough run does not find. */
export const unfound: ReadonlySet<string> = new Set([
  'add-takes-id',
  'delete-like-number',
  'delete-of-empty-notes',
  'deleted-lead-revived',
  'every-eighth-send-400',
  'every-seventh-send-401',
  'id-is-of-name-and-source',
  'id-is-of-the-name',
  'id-is-of-the-name-in-any-case',
  'lead-forgotten',
  'percent-in-lead-500',
  'same-note-merged',
  'template-refused-after-unknown',
  'template-sent-once',
  'update-reaches-namesakes',
]);
