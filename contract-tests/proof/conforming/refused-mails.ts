import type { Behaviour } from '../server/behaviour.ts';
import { onSuccess, refuse } from '../server/mutation.ts';
import { ordinaryTemplates, type Template, template } from '../server/templates.ts';
import type { Fields, Mutation } from '../server/types.ts';
import { isObject } from '../server/validation.ts';
import { conformingWith } from './deployment.ts';

const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});

/** Refuses a template mail that succeeds otherwise. */
const refuseIf = (
  error: string,
  refuses: (template: Template | undefined, variables: Fields) => boolean,
): Mutation =>
  onSuccess('sendTemplateEmail', (reply, { body }, { store }) => {
    const { template_id: id, variables } = fieldsOf(body);
    const named = store.templates.find((one) => one.id === id);
    return refuses(named, fieldsOf(variables)) ? refuse(400, error) : reply;
  });

const isDraft = (id: unknown) => id !== ordinaryTemplates[0]?.id;

/** Only the first is live, and the list says so. */
const drafts: Mutation = {
  handle: (call, next) => {
    const reply = next(call);
    if (reply.refused || !call.operation) return reply;
    if (call.operation === 'sendTemplateEmail' && isDraft(fieldsOf(call.body).template_id))
      return refuse(400, 'the template is a draft');
    if (call.operation !== 'listTemplates') return reply;
    const data = (reply.body.data as Fields[]).map((one) => ({
      ...one,
      status: isDraft(one.id) ? 'draft' : 'live',
    }));
    return { ...reply, body: { ...reply.body, data } };
  },
};

/** A database that holds three bytes of each character. */
const refuseAstral = onSuccess('sendEmail', (reply, { text }) =>
  /[\u{10000}-\u{10ffff}]/u.test(text) ? refuse(400, 'the text holds characters we cannot store') : reply,
);

/** Nobody writes to themselves, says a guard against loops. */
const refuseOwnSender = onSuccess('sendEmail', (reply, { body }) => {
  const { from, to } = fieldsOf(body);
  return from === to ? refuse(400, 'sender and recipient are the same') : reply;
});

/**
 * Why a mail may be refused is not shown: for characters in it, or the state of a template that is listed, its content, or
 * the values for it.
 */
export const refusedMails = (behaviour: Partial<Behaviour>) => {
  const refusing = (id: string, title: string, templates: readonly Template[], mutation: Mutation) =>
    conformingWith(id, title, 'refused-mails', { ...behaviour, templates }, mutation);
  return [
    refusing(
      'astral-mails-refused',
      'Refuses characters beyond the basic plane in a mail',
      ordinaryTemplates,
      refuseAstral,
    ),
    refusing('own-sender-refused', 'Refuses a mail from its recipient', ordinaryTemplates, refuseOwnSender),
    refusing('drafts-refused', 'Sends no template that is listed as a draft', ordinaryTemplates, drafts),
    refusing(
      'empty-template-refused',
      'Sends no template without a text',
      [...ordinaryTemplates, template('tpl_empty', 'Empty', ' ', [])],
      refuseIf('there is nothing to send', (one) => one?.body.trim() === ''),
    ),
    refusing(
      'long-values-refused',
      'Refuses a course of more than twenty characters in one of its templates',
      ordinaryTemplates,
      refuseIf(
        'a value is too long',
        (one, { course }) => one?.id === 'tpl_reminder' && String(course).length > 20,
      ),
    ),
  ];
};
