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
  'Shows updates late, and every fourth never',
  'Concurrent updates get one content',
  'Stores a refused update half a second later',
  'Of two mails at once, one is refused',
  'Of two lists at once, one is empty',
  // Mails of other scenarios change the templates too.
  'A template is listed no longer once it was sent',
  'Concurrent updates of a lead overwrite each other',
]);

/** Broken servers that even a thorough run does not find. */
export const unfound: ReadonlySet<string> = new Set([
  'Deletes all leads whose numbers begin like the id',
  'Every eighth mail is invalid',
  'Every seventh mail lacks a key',
  'Forgets a lead that none of the last 600 requests was about',
  'A template mail after an unknown one is refused',
  'A template can be sent once',
  'Writes a note to all leads of that name, as their list shows',
]);
