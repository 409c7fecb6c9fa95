import type { FactCheck } from './check.ts';
import { rowsOf, success, titles } from './check.ts';

const noDate = { missing: 'no response had both a Date header and a time to compare with it' };

const additions = rowsOf('addLead', [
  [
    'leads.add.free-source',
    'documented',
    '2.3',
    'source is free text: punctuation and non-ASCII letters are accepted',
  ],
  [
    'leads.add.free-note',
    'derived',
    '2.3',
    'note is free text: digits, punctuation and links are accepted, and the same note twice',
  ],
  ['leads.add.omitted-fields', 'derived', '4.5', 'omitted texts are not copied from another lead'],
  [
    'leads.add.refused-stores-nothing',
    'documented',
    '4.5',
    'a refused addition stores no lead (checked where leads can be listed)',
  ],
  [
    'leads.add.auth.stores-nothing',
    'documented',
    '5',
    'an addition with a wrong key stores no lead (checked where leads can be listed)',
  ],
  [
    'leads.add.auth.reading',
    'derived',
    '1',
    'leads are not shown without a key, where a deployment shows leads at all',
  ],
  ['leads.add.any-json-form', 'derived', '1', titles.anyJsonForm],
  ['leads.add.survives-bad-input', 'derived', '7', titles.survives],
  [
    'leads.add.echoes-fields',
    'documented',
    '4.5',
    'a new lead has the name, source and note that were sent',
    { about: 'texts' },
  ],
  [
    'leads.add.keeps-words-as-text',
    'documented',
    '2.3',
    'texts that look like numbers, dates, booleans, null or reserved names stay strings',
  ],
  ['leads.add.keeps-letters', 'documented', '4.5', 'a new lead keeps letters beyond ASCII'],
  [
    'leads.add.keeps-texts',
    'derived',
    '4.5',
    'a new lead keeps texts, except outer blanks, line breaks, control characters and composition',
  ],
  [
    'leads.add.keeps-long-texts',
    'derived',
    '4.5',
    'longer texts of a new lead are stored, truncated or rejected, but not replaced',
  ],
  ['leads.add.stores-note', 'documented', '4.5', 'the note of a new lead is stored, as later responses show'],
  [
    'leads.add.distinct-ids',
    'documented',
    '4.5',
    'every lead gets a unique id, also when several are added concurrently',
  ],
  ['leads.add.new-ids', 'derived', '2.3', 'no id is assigned twice, not even in another letter case'],
  ['leads.add.every-time', 'documented', '4.5', 'adding a lead succeeds every time', success],
  [
    'leads.add.after-invalid',
    'documented',
    '4.5',
    'a valid request succeeds directly after one that was refused',
  ],
  ['leads.add.no-email', 'derived', '2.3', 'no response contains the email that was sent with a lead'],
  ['leads.add.utc-now', 'derived', '2.3', 'created_at of a new lead is the current time in UTC', noDate],
  [
    'leads.add.created-at-advances',
    'derived',
    '2.3',
    'leads added more than one second apart have different created_at',
  ],
  ['leads.add.auth.changes-nothing', 'documented', '5', 'an addition with a wrong key changes no lead'],
]);

const updates = rowsOf('updateLead', [
  ['leads.update.documented-headers', 'documented', '5', titles.documentedHeaders],
  ['leads.update.any-json-form', 'derived', '1', titles.anyJsonForm],
  ['leads.update.survives-bad-input', 'derived', '7', titles.survives],
  [
    'leads.update.echoes-note',
    'documented',
    '4.6',
    'the response to an update has the note that was sent',
    { about: 'texts' },
  ],
  [
    'leads.update.keeps-words-as-text',
    'documented',
    '2.3',
    'a note that looks like a number, a date, a boolean or null stays a string',
  ],
  ['leads.update.keeps-letters', 'documented', '4.6', 'an update keeps letters beyond ASCII'],
  [
    'leads.update.keeps-texts',
    'derived',
    '4.6',
    'an update keeps texts, except outer blanks, line breaks, control characters and composition',
  ],
  [
    'leads.update.keeps-long-texts',
    'derived',
    '4.6',
    'longer notes of an update are stored, truncated or rejected, but not replaced',
  ],
  [
    'leads.update.same-id',
    'documented',
    '4.6',
    'the response to an update has the lead_id of the request',
    { about: 'fields' },
  ],
  [
    'leads.update.keeps-other-fields',
    'documented',
    '4.6',
    'an update does not change fields that it does not send',
    { about: 'lead' },
  ],
  [
    'leads.update.field-by-field',
    'documented',
    '4.6',
    'an update applies or ignores a name or a source, and changes nothing else',
  ],
  [
    'leads.update.fields-together',
    'derived',
    '4.6',
    'a name or a source that an update applies alone is applied together with other fields',
  ],
  ['leads.update.time-order', 'derived', '2.3', 'updated_at is not before created_at'],
  [
    'leads.update.no-email',
    'derived',
    '2.3',
    'the response to an update with an email does not contain the email',
  ],
  ['leads.update.utc-now', 'derived', '2.3', 'updated_at of an update is the current time in UTC', noDate],
  [
    'leads.update.updated-at-advances',
    'derived',
    '2.3',
    'updated_at increases when the next update follows more than one second later',
  ],
  ['leads.update.lasts', 'documented', '4.6', 'an update persists'],
  [
    'leads.update.lasts-a-second',
    'documented',
    '4.6',
    'a lead does not change in a second without requests about it',
  ],
  ['leads.update.own-reply', 'documented', '4.6', 'leads updated concurrently each keep their own texts'],
  [
    'leads.update.that-lead-only',
    'documented',
    '4.6',
    'an update changes no other lead, not even one with the same name, source or note',
  ],
  ['leads.update.nothing-else-changes', 'documented', '4.6', 'only updates of a lead change that lead'],
  [
    'leads.update.whole-id',
    'derived',
    '4.6',
    'a lead is neither changed nor deleted under a longer id that starts with its own',
  ],
  ['leads.update.refused-changes-nothing', 'documented', '4.6', 'an update that is refused changes nothing'],
  [
    'leads.update.refuses-unknown',
    'derived',
    '4.6',
    'an update of a lead that does not exist gets an error response',
  ],
  ['leads.update.repeatable', 'derived', '4.6', 'an update that changes nothing succeeds'],
  ['leads.update.first-time', 'documented', '4.6', 'the first update of a lead succeeds'],
  ['leads.update.every-time', 'documented', '4.6', 'updating a lead succeeds every time', success],
  [
    'leads.update.after-invalid',
    'documented',
    '4.6',
    'a valid request succeeds directly after one that was refused',
  ],
  ['leads.update.auth.changes-nothing', 'documented', '5', 'an update with a wrong key changes no lead'],
  [
    'leads.update.auth.then-key',
    'documented',
    '4.6',
    'a valid request succeeds directly after one with a wrong key',
    success,
  ],
]);

const deletions = rowsOf('deleteLead', [
  ['leads.delete.survives-bad-input', 'derived', '7', titles.survives],
  ['leads.delete.removes', 'documented', '4.7', 'a deleted lead is gone and does not reappear'],
  [
    'leads.delete.lasts-a-second',
    'documented',
    '4.7',
    'a deleted lead stays gone for a second, regardless of other requests',
  ],
  ['leads.delete.beside-update', 'derived', '4.7', 'a lead that is deleted while it is updated is gone'],
  ['leads.delete.refuses-update', 'derived', '4.7', 'an update of a deleted lead gets an error response'],
  [
    'leads.delete.that-lead-only',
    'documented',
    '4.7',
    'deleting a lead deletes no other lead, not even one with the same name or source',
    { about: 'lead' },
  ],
  ['leads.delete.keeps-notes', 'documented', '4.7', 'deleting a lead changes no other lead'],
  ['leads.delete.nothing-else', 'documented', '4.7', 'no lead disappears before it is deleted'],
  ['leads.delete.every-time', 'documented', '4.7', 'deleting a lead succeeds every time', success],
  ['leads.delete.auth.changes-nothing', 'documented', '5', 'a deletion with a wrong key changes no lead'],
]);

/** The checks of leads that facts decide. */
export const leadChecks: readonly FactCheck[] = [...additions, ...updates, ...deletions];
