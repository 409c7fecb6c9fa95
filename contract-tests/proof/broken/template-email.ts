import { onSuccess } from '../server/mutation.ts';
import type { Store } from '../server/store.ts';
import type { Template } from '../server/templates.ts';
import type { Call, Fields, Mutation, Operation } from '../server/types.ts';
import { derived, documented } from '../server/types.ts';
import { isObject } from '../server/validation.ts';
import { brokenGroup, hundreds } from './mutation.ts';

const sending = brokenGroup('template-sending', documented('4.3'));

const templateOf = ({ body }: Call) => (isObject(body) ? body.template_id : undefined);

/** Refuses to send a template that it lists. */
const forgetTemplate = (
  forgets: (id: unknown, all: readonly { readonly id: string }[]) => boolean,
): Mutation =>
  onSuccess('sendTemplateEmail', (reply, call, { store }) =>
    forgets(templateOf(call), store.templates)
      ? {
          status: 404,
          refused: 'template',
          body: { success: false, error: 'no template has this id', message: '' },
        }
      : reply,
  );

/** Refuses some of the templates that it lists, with words of its own. */
const refuseTemplate = (
  status: number,
  error: string,
  refuses: (template: Template, all: readonly Template[]) => boolean,
): Mutation =>
  onSuccess('sendTemplateEmail', (reply, call, { store: { templates } }) => {
    const template = templates.find(({ id }) => id === templateOf(call));
    if (!template || !refuses(template, templates)) return reply;
    return { status, refused: 'template', body: { success: false, error, message: error } };
  });

const acceptsUnknown = (applies: (call: Call, store: Store) => boolean): Mutation => ({
  handle: (call, next, { store }) => {
    const reply = next(call);
    if (reply.refused !== 'template' || !applies(call, store)) return reply;
    return { status: 200, body: { success: true, message: 'Template email sent' } };
  },
});

/** §4.3: a listed template can be sent; one that does not exist cannot. */
export const templateSending = [
  sending('numeric-templates-unknown', 'Templates of numeric ids cannot be sent', hundreds).with(
    forgetTemplate((id) => /^\d+$/.test(String(id))),
  ),
  sending('last-template-unknown', 'The last listed template cannot be sent', 'refusals-at-200').with(
    forgetTemplate((id, all) => id === all.at(-1)?.id),
  ),
  sending('seventh-template-unknown', 'A template in mid-list cannot be sent', 'a-dozen-templates').with(
    forgetTemplate((id, all) => id === all[6]?.id),
  ),
  sending('other-templates-refused', 'Only the first template can be sent', 'plain', derived('4.3')).with(
    refuseTemplate(400, 'the template is not available', ({ id }, [first]) => id !== first?.id),
  ),
  sending('other-templates-fail', 'All templates but the first end in 500', 'a-dozen-templates').with(
    refuseTemplate(500, 'it cannot be rendered', ({ id }, [first]) => id !== first?.id),
  ),
  sending('empty-variables-refused', 'Takes {} for no variables', 'php-style', derived('4.3')).with(
    refuseTemplate(200, 'variables is required', ({ variables }) => variables.length === 0),
  ),
  sending('unknown-template-sent', 'Sends from templates that do not exist', 'plain', derived('4.3')).with(
    acceptsUnknown(() => true),
  ),
  sending(
    'template-known-by-beginning',
    'Looks at the beginning of a template id',
    'plain',
    derived('4.3'),
  ).with(
    acceptsUnknown((call, { templates }) =>
      templates.some(({ id }) => String(templateOf(call)).startsWith(id)),
    ),
  ),
  sending('template-known-by-part', 'Finds a template by a part of its id', 'plain', derived('4.3')).with(
    acceptsUnknown((call, { templates }) => {
      const part = String(templateOf(call));
      return part.length > 3 && templates.some(({ id }) => id.startsWith(part));
    }),
  ),
  sending(
    'unknown-template-sent-at-alias',
    'Sends unknown templates at /send-template',
    'bodies-422',
    derived('4.3'),
  ).with(acceptsUnknown(({ path }) => path.endsWith('/send-template'))),
];

const mail = brokenGroup('mail-texts', derived('4.1'));

/** Fails where a text of a mail holds something. */
const failOn = (operation: Operation, field: string, pattern: RegExp): Mutation => ({
  handle: (call, next) => {
    const reply = next(call);
    const { [field]: value } = (isObject(call.body) ? call.body : {}) as Fields;
    const text = typeof value === 'string' ? value : JSON.stringify(value ?? '');
    return call.operation === operation && !reply.refused && pattern.test(text)
      ? { status: 500, refused: 'fields', body: { success: false, error: 'internal error', message: '' } }
      : reply;
  },
});

const refuseText = (field: 'subject' | 'html', pattern: RegExp, status = 400): Mutation =>
  onSuccess('sendEmail', (reply, { body }) =>
    pattern.test(String((body as Fields)[field]))
      ? {
          status,
          refused: 'fields',
          body: { success: false, error: `${field} is not accepted`, message: '' },
        }
      : reply,
  );

const refuseLetters = (field: 'subject' | 'html'): Mutation => refuseText(field, /\P{ASCII}/u);

/** §4.1: strings; whatever they hold, a server does not fall over it. */
export const mailTexts = [
  mail('subject-in-ascii', 'Fails at a subject beyond ASCII').with(failOn('sendEmail', 'subject', /[^ -~]/)),
  mail('subject-beyond-ascii-refused', 'Refuses a subject beyond ASCII', 'integer-ids').with(
    refuseLetters('subject'),
  ),
  mail('subject-of-digits-refused', 'Refuses a subject of digits').with(refuseText('subject', /^\d+$/)),
  mail('html-without-quotes', 'Fails at quotes in html', 'bodies-422').with(
    failOn('sendEmail', 'html', /["']/),
  ),
  mail('html-on-one-line', 'Fails at line breaks in html', 'integer-ids').with(
    failOn('sendEmail', 'html', /\n/),
  ),
  mail('sender-without-name', 'Fails at a sender with a name').with(failOn('sendEmail', 'from', /</)),
];
