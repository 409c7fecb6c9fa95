import { keys, openToAll } from './authentication.ts';
import { badFields, badInput } from './bad-input.ts';
import { contentTypes, encodings } from './encoding.ts';
import { envelope, status } from './envelope.ts';
import { claimedSuccess, failureMessages, refusals } from './failures.ts';
import { concurrency, intermittent } from './intermittent.ts';
import { additions, leadFields, oddLeads } from './leads-add.ts';
import { deletions, otherLeads } from './leads-delete.ts';
import { oddUpdates, updateFields, updates, updateTexts } from './leads-update.ts';
import type { BrokenDeployment } from './mutation.ts';
import { mailTexts, templateSending } from './template-email.ts';
import { templateLists, templateShapes, templateVariables } from './templates.ts';
import { characters, freeStrings, lengths, text, words } from './text.ts';
import { clocks, timestamps } from './timestamps.ts';

/** Servers that each violate one promise of the document, or one derived fact. */
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
