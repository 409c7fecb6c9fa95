import { additions } from './broken/adding.ts';
import { badFields } from './broken/bad-fields.ts';
import { badInput } from './broken/bad-input.ts';
import type { BrokenDeployment } from './broken/breaking.ts';
import { characters } from './broken/characters.ts';
import { claimedSuccess } from './broken/claimed-success.ts';
import { clocks } from './broken/clocks.ts';
import { concurrency } from './broken/concurrency.ts';
import { contentTypes } from './broken/content-types.ts';
import { deletions } from './broken/deleting.ts';
import { encodings } from './broken/encoding.ts';
import { envelope } from './broken/envelope.ts';
import { failureMessages } from './broken/failure-messages.ts';
import { freeStrings } from './broken/free-strings.ts';
import { intermittent } from './broken/intermittent.ts';
import { keys } from './broken/keys.ts';
import { leadFields } from './broken/lead-fields.ts';
import { lengths, words } from './broken/lengths.ts';
import { mailTexts } from './broken/mail-texts.ts';
import { oddLeads } from './broken/odd-leads.ts';
import { openToAll } from './broken/open-operations.ts';
import { otherLeads } from './broken/other-leads.ts';
import { refusals } from './broken/refusals.ts';
import { status } from './broken/status.ts';
import { templateLists } from './broken/template-list.ts';
import { templateSending } from './broken/template-sending.ts';
import { templateShapes } from './broken/template-shape.ts';
import { templateVariables } from './broken/template-variables.ts';
import { text } from './broken/text.ts';
import { timestamps } from './broken/timestamps.ts';
import { oddUpdates, updateFields, updateTexts } from './broken/update-fields.ts';
import { updates } from './broken/updating.ts';

/** Servers that each break one promise of the document, or one fact no sensible reading goes without. */
export const broken: readonly BrokenDeployment[] = [
  ...status,
  ...envelope,
  ...openToAll,
  ...keys,
  ...leadFields,
  ...additions,
  ...oddLeads,
  ...updates,
  ...updateFields,
  ...oddUpdates,
  ...updateTexts,
  ...otherLeads,
  ...deletions,
  ...concurrency,
  ...templateShapes,
  ...templateVariables,
  ...templateLists,
  ...templateSending,
  ...text,
  ...characters,
  ...words,
  ...lengths,
  ...mailTexts,
  ...freeStrings,
  ...timestamps,
  ...clocks,
  ...refusals,
  ...failureMessages,
  ...claimedSuccess,
  ...badInput,
  ...badFields,
  ...encodings,
  ...contentTypes,
  ...intermittent,
];
