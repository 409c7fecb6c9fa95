import { operations } from '../exchange/operations.ts';
import { type Check, factChecksOf, onlyServerErrors, success, titles } from './check.ts';
import { keyChecksOn } from './keys.ts';
import { leadChecks } from './lead-checks.ts';

const templateChecks: readonly Check[] = [
  ...factChecksOf('listTemplates', '2.2', 'derived', {
    'templates.list.same-created-at': {
      title: 'a template keeps its created_at from the first list of a run to the last',
      missing: 'no template was listed twice with its created_at',
    },
  }),
  ...factChecksOf('listTemplates', '4.2', 'documented', {
    'templates.list.agrees':
      'lists agree on every template: none changes back and forth, under any path form',
    'templates.list.every-time': { title: 'listing templates succeeds every time', ...success },
  }),
  ...factChecksOf('listTemplates', '5', 'documented', {
    'templates.list.documented-headers': titles.documentedHeaders,
  }),
  ...factChecksOf('listTemplates', '7', 'derived', {
    'templates.list.survives-bad-input': titles.survives,
  }),
];

const mailChecks: readonly Check[] = [
  ...factChecksOf('sendEmail', '1', 'derived', {
    'email.send.any-json-form': titles.anyJsonForm,
  }),
  ...factChecksOf('sendEmail', '4.1', 'documented', {
    'email.send.every-time': { title: 'sending an email succeeds every time', ...success },
  }),
  ...factChecksOf('sendEmail', '4.1', 'derived', {
    'email.send.as-documented': 'a mail with a subject, a sender, a recipient and some HTML is accepted',
    'email.send.letters': 'letters beyond ASCII, quotes, digits and lines are accepted in subject and html',
    'email.send.repeatable': 'the same mail is accepted again',
    'email.send.together': 'two mails that are sent at the same time are both accepted',
  }),
  ...factChecksOf('sendEmail', '7', 'derived', {
    'email.send.survives-bad-input': titles.survives,
  }),
  ...factChecksOf('sendTemplateEmail', '1', 'derived', {
    'email.template.any-json-form': titles.anyJsonForm,
  }),
  ...factChecksOf('sendTemplateEmail', '4.3', 'documented', {
    'email.template.listed-ids-known': 'every listed template id is accepted',
    'email.template.keeps-templates': 'sending from templates does not change the list of templates',
    'email.template.every-time': {
      title: 'sending an email from a listed template succeeds every time',
      ...success,
    },
  }),
  ...factChecksOf('sendTemplateEmail', '4.3', 'derived', {
    'email.template.refuses-unknown': {
      title: 'an id that no template has gets an error response, also one that begins like another',
      ...onlyServerErrors,
    },
    'email.template.any-listed':
      'if one listed template can be sent, the other listed templates can be sent too',
    'email.template.letters': 'letters beyond ASCII and quotes are accepted in the values of variables',
    'email.template.repeatable': 'the same mail is accepted again',
  }),
  ...factChecksOf('sendTemplateEmail', '7', 'derived', {
    'email.template.survives-bad-input': titles.survives,
  }),
];

/** The checks that facts decide, in the order of the document. */
export const factChecks: readonly Check[] = [
  ...leadChecks,
  ...templateChecks,
  ...mailChecks,
  ...operations.flatMap(keyChecksOn),
];
