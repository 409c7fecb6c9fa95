import { type Check, factChecksOf, onlyServerErrors, success, titles } from './check.ts';

const noDate = { missing: 'no response had both a Date header and a time to compare with it' };

/** Where every update must have all fields, its response shows what it sent. */
const noReading = { missing: 'no response showed a text that its request did not send' };

const noEmail = { missing: 'no request with an email was accepted' };

const additions: readonly Check[] = [
  ...factChecksOf('addLead', '1', 'derived', {
    'leads.add.auth.reading': 'leads are not shown without a key, where a deployment shows leads at all',
    'leads.add.any-json-form': titles.anyJsonForm,
  }),
  ...factChecksOf('addLead', '2.3', 'documented', {
    'leads.add.free-source': 'source is free text: punctuation and non-ASCII letters are accepted',
    'leads.add.keeps-words-as-text':
      'texts that look like numbers, dates, booleans, null or reserved names stay strings',
  }),
  ...factChecksOf('addLead', '2.3', 'derived', {
    'leads.add.free-note':
      'note is free text: digits, punctuation and links are accepted, and the same note twice',
    'leads.add.new-ids': 'no id is assigned twice',
    'leads.add.no-email': { title: 'no response to an addition has an email', ...noEmail },
    'leads.add.utc-now': { title: 'created_at of a new lead is the current time in UTC', ...noDate },
    'leads.add.created-at-advances': 'leads added more than one second apart have different created_at',
  }),
  ...factChecksOf('addLead', '4.5', 'documented', {
    'leads.add.refused-stores-nothing': {
      title: 'a refused addition stores no lead, whatever its key (checked where leads can be listed)',
      ...onlyServerErrors,
    },
    'leads.add.echoes-fields': {
      title: 'a new lead has the name, source and note that were sent',
      about: 'texts',
    },
    'leads.add.keeps-letters': 'a new lead keeps letters beyond ASCII',
    'leads.add.stores-note': {
      title: 'the note of a new lead is stored, as later responses show',
      missing: 'no response showed the note of a lead before an update sent one',
    },
    'leads.add.distinct-ids': 'every lead gets a unique id, also when several are added concurrently',
    'leads.add.every-time': { title: 'adding a lead succeeds every time', ...success },
  }),
  ...factChecksOf('addLead', '4.5', 'derived', {
    'leads.add.omitted-fields': {
      title: 'omitted texts are not copied from another lead',
      missing: 'no response showed a text that the addition of its lead left out',
    },
    'leads.add.keeps-texts':
      'a new lead keeps texts, except outer blanks, line breaks, control characters and composition',
    'leads.add.keeps-long-texts':
      'longer texts of a new lead are stored, truncated or rejected, but not replaced',
  }),
  ...factChecksOf('addLead', '5', 'documented', {
    'leads.add.auth.changes-nothing': 'an addition with a wrong key changes no lead',
  }),
  ...factChecksOf('addLead', '7', 'derived', {
    'leads.add.survives-bad-input': titles.survives,
  }),
];

const updates: readonly Check[] = [
  ...factChecksOf('updateLead', '1', 'derived', {
    'leads.update.any-json-form': titles.anyJsonForm,
  }),
  ...factChecksOf('updateLead', '2.3', 'documented', {
    'leads.update.keeps-words-as-text':
      'a note that looks like a number, a date, a boolean or null stays a string',
  }),
  ...factChecksOf('updateLead', '2.3', 'derived', {
    'leads.update.time-order': 'updated_at is not before the time of an earlier change',
    'leads.update.no-email': {
      title: 'no response to an update has an email',
      ...noEmail,
    },
    'leads.update.utc-now': { title: 'updated_at of an update is the current time in UTC', ...noDate },
    'leads.update.updated-at-advances':
      'updated_at increases when the next update follows more than one second later',
  }),
  ...factChecksOf('updateLead', '4.6', 'documented', {
    'leads.update.echoes-note': {
      title: 'the response to an update has the note that was sent',
      about: 'texts',
    },
    'leads.update.keeps-letters': 'an update keeps letters beyond ASCII',
    'leads.update.same-id': {
      title: 'the response to an update has the lead_id of the request',
      about: 'fields',
    },
    'leads.update.keeps-other-fields': {
      title: 'a name or a source changes only by an update of that lead that sends it',
      about: 'lead',
      ...noReading,
    },
    'leads.update.field-by-field': {
      title: 'an update applies or ignores a name or a source, and changes nothing else',
      missing: 'no update of a name or a source alone was accepted',
    },
    'leads.update.lasts': {
      title: 'a note changes only by an update of that lead that sends one',
      ...noReading,
    },
    'leads.update.every-time': { title: 'updating a lead succeeds every time', ...success },
  }),
  ...factChecksOf('updateLead', '4.6', 'derived', {
    'leads.update.keeps-texts':
      'an update keeps texts, except outer blanks, line breaks, control characters and composition',
    'leads.update.keeps-long-texts':
      'longer notes of an update are stored, truncated or rejected, but not replaced',
    'leads.update.fields-together': {
      title: 'a name or a source that an update applies alone is applied together with other fields',
      missing: 'no update of a name or a source alone was applied',
    },
    'leads.update.whole-id':
      'a lead is neither changed nor deleted under a longer id that starts with its own',
    'leads.update.refuses-unknown': {
      title: 'an update of a lead that does not exist gets an error response',
      ...onlyServerErrors,
    },
    'leads.update.repeatable': 'an update that changes nothing succeeds',
  }),
  ...factChecksOf('updateLead', '5', 'documented', {
    'leads.update.documented-headers': titles.documentedHeaders,
    'leads.update.auth.changes-nothing': {
      title: 'an update with a wrong key changes no lead',
      ...noReading,
    },
  }),
  ...factChecksOf('updateLead', '7', 'derived', {
    'leads.update.survives-bad-input': titles.survives,
  }),
];

const deletions: readonly Check[] = [
  ...factChecksOf('deleteLead', '4.7', 'documented', {
    'leads.delete.removes': { title: 'a deleted lead is gone and does not reappear', ...onlyServerErrors },
    'leads.delete.nothing-else': 'no lead disappears before it is deleted',
    'leads.delete.every-time': { title: 'deleting a lead succeeds every time', ...success },
  }),
  ...factChecksOf('deleteLead', '5', 'documented', {
    'leads.delete.auth.changes-nothing': 'a deletion with a wrong key changes no lead',
  }),
  ...factChecksOf('deleteLead', '7', 'derived', {
    'leads.delete.survives-bad-input': titles.survives,
  }),
];

/** The checks of leads that facts decide. */
export const leadChecks: readonly Check[] = [...additions, ...updates, ...deletions];
