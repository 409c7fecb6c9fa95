import { operations } from '../exchange/operations.ts';
import type { FactCheck } from './check.ts';
import { claimOf, rowsOf, success, titles } from './check.ts';
import { isKeyTestedOn, isThoroughOn, wrongKeys } from './keys.ts';
import { leadChecks } from './lead-checks.ts';

const thorough = { thorough: true } as const;

const others: readonly FactCheck[] = [
  ...rowsOf('listTemplates', [
    [
      'templates.list.agrees',
      'documented',
      '4.2',
      'lists agree on every template: none changes back and forth, under any path form',
    ],
    [
      'templates.list.same-created-at',
      'derived',
      '2.2',
      'a template keeps its created_at from the first list of a run to the last',
    ],
    ['templates.list.documented-headers', 'documented', '5', titles.documentedHeaders],
    ['templates.list.every-time', 'documented', '4.2', 'listing templates succeeds every time', success],
    [
      'templates.list.auth.then-key',
      'documented',
      '4.2',
      'a valid request succeeds directly after one with a wrong key',
      success,
    ],
  ]),
  ...rowsOf('sendEmail', [
    [
      'email.send.as-documented',
      'derived',
      '4.1',
      'a mail with a subject, a sender, a recipient and some HTML is accepted',
    ],
    [
      'email.send.letters',
      'derived',
      '4.1',
      'letters beyond ASCII, quotes, digits and lines are accepted in subject and html',
    ],
    ['email.send.repeatable', 'derived', '4.1', 'the same mail is accepted again', thorough],
    [
      'email.send.together',
      'derived',
      '4.1',
      'two mails that are sent at the same time are both accepted',
      thorough,
    ],
    ['email.send.any-json-form', 'derived', '1', titles.anyJsonForm, thorough],
    ['email.send.survives-bad-input', 'derived', '7', titles.survives, thorough],
    ['email.send.every-time', 'documented', '4.1', 'sending an email succeeds every time', success],
  ]),
  ...rowsOf('sendTemplateEmail', [
    ['email.template.refuses-unknown', 'derived', '4.3', 'an unknown template gets an error response'],
    ['email.template.listed-ids-known', 'documented', '4.3', 'every listed template id is accepted'],
    [
      'email.template.refuses-longer-id',
      'derived',
      '4.3',
      'a template id with characters added or removed at its end gets an error response',
      thorough,
    ],
    [
      'email.template.keeps-templates',
      'documented',
      '4.3',
      'sending from templates does not change the list of templates',
    ],
    [
      'email.template.any-listed',
      'derived',
      '4.3',
      'if one listed template can be sent, the other listed templates can be sent too',
    ],
    ['email.template.repeatable', 'derived', '4.3', 'the same mail is accepted again', thorough],
    ['email.template.any-json-form', 'derived', '1', titles.anyJsonForm, thorough],
    ['email.template.survives-bad-input', 'derived', '7', titles.survives, thorough],
    [
      'email.template.every-time',
      'documented',
      '4.3',
      'sending an email from a listed template succeeds every time',
      success,
    ],
  ]),
];

/** Why a nearly right key was not tried. */
const noNearKey = {
  missing: 'a key that is short or begins with test_ may have valid neighbours, so that none was tried',
};

const keys: readonly FactCheck[] = operations.flatMap((operation) =>
  wrongKeys
    .filter(({ on }) => isKeyTestedOn(operation, on))
    .map(
      ({ id, level, title, thorough }): FactCheck => ({
        ...claimOf(operation.id),
        ...(isThoroughOn(operation, thorough) ? { thorough: true } : {}),
        id: `${operation.area}.auth.${id}`,
        level,
        section: '5',
        about: 'success',
        title,
        isFact: true,
        ...noNearKey,
      }),
    ),
);

/** The checks that facts decide, in the order of the document. */
export const factChecks: readonly FactCheck[] = [...leadChecks, ...others, ...keys];
