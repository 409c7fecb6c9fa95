import {
  after,
  afterwards,
  changeBody,
  fieldsOf,
  inList,
  layers,
  onSuccess,
  refuse,
  refuseWhere,
} from '../server/mutation.ts';
import { shuffled } from '../server/operations.ts';
import { manyTemplates, ordinaryTemplates, template } from '../server/store.ts';
import type { Call, Fields, Mutation, ServiceContext } from '../server/types.ts';
import { habits } from './variant.ts';

const templates = manyTemplates(30);

/** A mail from a template that is no longer there. */
const asDeleted = (isGone: (id: unknown, context: ServiceContext) => boolean): Mutation =>
  changeBody('sendTemplateEmail', (body, _, context) =>
    isGone(body.template_id, context) ? { ...body, template_id: 'deleted' } : body,
  );

/** Somebody deletes the first template of the list after every second request for it. */
const deleteTemplatesBetweenLists: Mutation = layers(
  asDeleted((id, { memory }) => memory.has(`gone ${id}`)),
  inList((all, { nth }, { memory }) => {
    const listed = all.filter(({ id }) => !memory.has(`gone ${id}`));
    if (nth % 2 === 0 && listed.length > 3) memory.set(`gone ${listed[0]?.id}`, true);
    return listed;
  }),
);

/** The list after the mails of discovery, from both of them. */
const editedFrom = 4;

/** Somebody edits the first two templates at once, after mails from both. @param edit returns none to delete */
const editTwoTemplates = (edit: (template: Fields) => readonly Fields[]): Mutation => {
  const isEdited = (id: unknown, { memory, store }: ServiceContext): boolean =>
    memory.has('edited') && store.templates.slice(0, 2).some((one) => one.id === id);
  return layers(
    asDeleted((id, context) => isEdited(id, context) && edit({}).length === 0),
    inList((all, { nth }, context) => {
      if (nth >= editedFrom) context.memory.set('edited', true);
      return all.flatMap((one) => (isEdited(one.id, context) ? edit(one) : [one]));
    }),
  );
};

/** Somebody edits the first template; `edit` gets how often the templates were listed. */
const editFirstTemplate = (edit: (template: Fields, nth: number) => Fields): Mutation =>
  inList((all, { nth }) => all.map((one, index) => (index === 0 ? edit(one, nth) : one)));

/** Somebody adds templates, which can be sent from then on. */
const addTemplates: Mutation = layers(
  changeBody('sendTemplateEmail', (body) =>
    /^copy-\d+$/.test(String(body.template_id)) ? { ...body, template_id: ordinaryTemplates[0]?.id } : body,
  ),
  inList(([first, ...others], { nth }) => {
    const copies = Array.from({ length: Math.floor(nth / 4) }, (_, copy) => ({
      ...first,
      id: `copy-${copy}`,
    }));
    return [first, ...copies, ...others];
  }),
);

const changingPage = inList((all, { nth }) => shuffled(all, nth).slice(0, 20));

const edited = habits('templates');

/** Other users may change templates while the suite runs, and what a list contains is not shown. */
export const editedTemplates = [
  edited(
    'templates-deleted-meanwhile',
    'Its templates are deleted one after the other by somebody else',
    deleteTemplatesBetweenLists,
    { templates },
  ),
  edited(
    'two-templates-edited',
    'Somebody edits two of its three templates at once',
    editTwoTemplates((one) => [{ ...one, name: `${one.name}, new`, body: `${one.body} Bye.` }]),
  ),
  edited(
    'two-templates-deleted',
    'Somebody deletes two of its three templates at once',
    editTwoTemplates(() => []),
  ),
  edited(
    'templates-edited',
    'Somebody edits a template again and again',
    editFirstTemplate((one, nth) => ({ ...one, name: `Welcome, version ${Math.floor(nth / 3)}` })),
  ),
  edited(
    'template-edit-undone',
    'Somebody edits a template, name and body, and undoes it a moment later',
    editFirstTemplate((one, nth) =>
      nth > 20 && nth < 30 ? { ...one, name: `${one.name}, new`, body: `${one.body} Bye.` } : one,
    ),
  ),
  edited('templates-added', 'Somebody adds a template again and again', addTemplates),
  edited('templates-random-page', 'Lists 20 of 300 templates, others each time', changingPage, {
    templates: manyTemplates(300),
  }),
];

const isDraft = (id: unknown) => id !== ordinaryTemplates[0]?.id;

/** Only the first is live, and the list says so. */
const drafts: Mutation = layers(
  onSuccess('sendTemplateEmail', (reply, { call }) =>
    isDraft(fieldsOf(call).template_id) ? refuse(400, 'the template is a draft') : reply,
  ),
  inList((all) => all.map((one) => ({ ...one, status: isDraft(one.id) ? 'draft' : 'live' }))),
);

/** A mail that arrives twice within moments is taken for one that a client repeats after a broken connection. */
const refuseDuplicateMails = (duplicateMs: number): Mutation => {
  const mails = ['sendEmail', 'sendTemplateEmail'] as const;
  const nameOf = ({ operation, text }: Call): string => `${operation} ${text}`;
  return layers(
    refuseWhere(
      mails,
      refuse(409, 'was sent a moment ago', 'duplicate'),
      (call, { memory }) => call.at - Number(memory.get(nameOf(call)) ?? 0) < duplicateMs,
    ),
    afterwards(after(...mails), ({ call, memory }) => memory.set(nameOf(call), call.at)),
  );
};

const refused = habits('refused-mails');

/**
 * Why a mail may be refused is not shown: for characters in it, the state of a template that is listed, its content, the values
 * for it, or another mail that it equals.
 */
export const refusedMails = [
  // A database that holds three bytes of each character.
  refused(
    'astral-mails-refused',
    'Refuses characters beyond the basic plane in a mail',
    refuseWhere('sendEmail', refuse(400, 'the text holds characters we cannot store'), ({ text }) =>
      /[\u{10000}-\u{10ffff}]/u.test(text),
    ),
  ),
  // Nobody writes to themselves, says a guard against loops.
  refused(
    'own-sender-refused',
    'Refuses a mail from its recipient',
    refuseWhere('sendEmail', refuse(400, 'sender and recipient are the same'), (call) => {
      const { from, to } = fieldsOf(call);
      return from === to;
    }),
  ),
  refused('drafts-refused', 'Sends no template that is listed as a draft', drafts),
  refused(
    'empty-template-refused',
    'Sends no template without a text',
    onSuccess('sendTemplateEmail', (reply, { call }) =>
      fieldsOf(call).template_id === 'tpl_empty' ? refuse(400, 'there is nothing to send') : reply,
    ),
    { templates: [...ordinaryTemplates, template('tpl_empty', 'Empty', ' ', [])] },
  ),
  refused(
    'long-values-refused',
    'Refuses a course of more than twenty characters in one of its templates',
    onSuccess('sendTemplateEmail', (reply, { call }) => {
      const { template_id: id, variables } = fieldsOf(call);
      const { course } = fieldsOf({ body: variables });
      return id === 'tpl_reminder' && String(course).length > 20 ? refuse(400, 'a value is too long') : reply;
    }),
  ),
  refused(
    'duplicate-mails-refused',
    'Refuses a mail with 409 that equals one of the last three seconds',
    refuseDuplicateMails(3000),
  ),
  refused(
    'plain-duplicates-refused',
    'Refuses a mail with 409 that equals one of the last moment, and lists a template without variables first',
    refuseDuplicateMails(300),
    { templates: ordinaryTemplates.toReversed() },
  ),
];
