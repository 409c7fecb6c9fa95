import type { Call, Fault } from '../exchange.ts';
import { isObject } from '../rules.ts';
import { breaking, derived, documented } from './breaking.ts';
import { onSuccess } from './faults.ts';

const sending = breaking('template-sending');
const many = 'hundreds-of-templates';

const templateOf = ({ body }: Call) => (isObject(body) ? body.template_id : undefined);

/** Refuses to send what it lists. */
const unknownWhere = (forgets: (id: unknown, all: readonly { readonly id: string }[]) => boolean): Fault =>
  onSuccess('sendTemplateEmail', (reply, call, { store }) =>
    forgets(templateOf(call), store.templates)
      ? {
          status: 404,
          refused: 'template',
          body: { success: false, error: 'no template has this id', message: '' },
        }
      : reply,
  );

const acceptsUnknown = (applies: (call: Call) => boolean): Fault => ({
  around: (call, next) => {
    const reply = next(call);
    if (reply.refused !== 'template' || !applies(call)) return reply;
    return { status: 200, body: { success: true, message: 'Template email sent' } };
  },
});

/** §4.3: a listed template can be sent; one that does not exist cannot. */
export const templateSending = [
  sending(
    'listed-templates-unknown',
    'No listed template is known when sending',
    'plain',
    documented('4.3'),
    unknownWhere(() => true),
  ),
  sending(
    'numeric-templates-unknown',
    'Numeric-looking ids are unknown when sending',
    many,
    documented('4.3'),
    unknownWhere((id) => /^\d+$/.test(String(id))),
  ),
  sending(
    'first-template-unknown',
    'The first listed template is unknown when sending',
    'integer-ids',
    documented('4.3'),
    unknownWhere((id, [first]) => id === first?.id),
  ),
  sending(
    'last-template-unknown',
    'The last listed template is unknown when sending',
    'refusals-at-200',
    documented('4.3'),
    unknownWhere((id, all) => id === all.at(-1)?.id),
  ),
  sending(
    'seventh-template-unknown',
    'A template in the middle of the list is unknown when sending',
    'a-dozen-templates',
    documented('4.3'),
    unknownWhere((id, all) => id === all[6]?.id),
  ),
  sending(
    'seventh-template-fails',
    'A template in the middle of the list ends in 500',
    'a-dozen-templates',
    documented('4.3'),
    {
      around: (call, next, { store }) => {
        const reply = next(call);
        if (reply.refused || templateOf(call) !== store.templates[6]?.id) return reply;
        return { status: 500, refused: 'template', body: { success: false, error: 'it cannot be rendered' } };
      },
    },
  ),
  sending(
    'unknown-template-sent',
    'Sends from templates that do not exist',
    'plain',
    derived('4.3'),
    acceptsUnknown(() => true),
  ),
  sending(
    'unknown-template-sent-strictly',
    'The same, though strict in everything else',
    'strict-fields',
    derived('4.3'),
    acceptsUnknown(() => true),
  ),
  sending(
    'unknown-template-sent-at-alias',
    'The same at /send-template only',
    'bodies-422',
    derived('4.3'),
    acceptsUnknown(({ path }) => path.endsWith('/send-template')),
  ),
];
