import { keys } from './broken/authentication.ts';
import { demands } from './broken/demands.ts';
import { responses } from './broken/envelope.ts';
import { refusals } from './broken/failures.ts';
import { histories } from './broken/history.ts';
import { deletions } from './broken/leads/delete.ts';
import { effects } from './broken/leads/effects.ts';
import { ids } from './broken/leads/ids.ts';
import { stored } from './broken/leads/stored.ts';
import { written } from './broken/leads/written.ts';
import type { BrokenDeployment } from './broken/mutation.ts';
import { templates } from './broken/templates.ts';
import { texts } from './broken/text.ts';
import { times } from './broken/timestamps.ts';

/** Servers that each violate one promise of the document, or one derived fact. */
export const broken: readonly BrokenDeployment[] = [
  ...[responses, keys, written, stored, ids, deletions, effects, templates].flat(),
  ...[texts, times, refusals, demands, histories].flat(),
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
  // It may be one of two mails at the same time.
  'Every eighth mail is invalid',
  'Of two lists at once, one is empty',
  // Mails of other scenarios change the templates too.
  'A template is listed no longer once it was sent',
  'Concurrent updates of a lead overwrite each other',
]);

/** Broken servers that even a thorough run does not find. */
export const unfound: ReadonlySet<string> = new Set([
  'Forgets a lead that none of the last 600 requests was about',
  'A template can be sent once',
  'Writes a note to all leads of that name, as their list shows',
]);
