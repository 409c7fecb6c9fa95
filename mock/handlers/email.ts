import { ApiError, quoted } from '../errors.ts';
import type { Answers } from '../questions.ts';
import type { Template, Workspace } from '../state.ts';
import { escapeHtml, substitute } from '../substitute.ts';
import type { Handler, Reply } from './handler.ts';

/** §4.1: captured in the outbox exactly as it came. */
export const sendEmail: Handler<'sendEmail'> = ({ body, workspace }) => {
  const { to = null, from = null, subject = null, html = null } = body;
  workspace.capture({ operation: 'sendEmail', to, from, subject, html, template_id: null, variables: null });
  return {
    success: true,
    message: to === null ? 'Email captured; the request names no recipient' : `Email sent to ${to}`,
  };
};

type TemplateList = Reply<'listTemplates'>;

// The list changes seldom and is asked for often. The same object every time can be written once (`service.ts`).
const lists = new WeakMap<Workspace, { readonly version: number; readonly reply: TemplateList }>();

/** §4.2 */
export const listTemplates: Handler<'listTemplates'> = ({ workspace, answers, query }) => {
  if (answers['templates.limit-parameter'] !== 'ignored')
    return listOf(limited([...workspace.templates.values()], answers, query.limit));
  const version = workspace.templatesVersion();
  const known = lists.get(workspace);
  if (known?.version === version) return known.reply;
  const reply = Object.freeze(listOf([...workspace.templates.values()]));
  lists.set(workspace, { version, reply });
  return reply;
};

const listOf = (templates: readonly Template[]): TemplateList => ({
  success: true,
  error: '',
  // As they are stored: a reply is only written, never changed.
  data: templates as TemplateList['data'],
  message: templates.length === 1 ? '1 template' : `${templates.length} templates`,
});

const limited = <Item>(items: Item[], answers: Answers, limit: unknown): Item[] => {
  if (limit === undefined) return items;
  if (answers['templates.limit-parameter'] === 'rejected') {
    throw new ApiError(
      'validation_failed',
      'query/limit is not taken here',
      'List the templates without "limit".',
    );
  }
  const most = typeof limit === 'string' && /^[0-9]{1,9}$/.test(limit) ? Number(limit) : undefined;
  if (most === undefined) {
    throw new ApiError(
      'validation_failed',
      'query/limit must be a whole number',
      'Give one "limit", e.g. limit=10.',
    );
  }
  return items.slice(0, most);
};

/** §4.3: the template is filled in and captured; whether a gap is refused, and what fills it, is open. */
export const sendTemplateEmail: Handler<'sendTemplateEmail'> = ({ body, workspace, answers }) => {
  const { template_id = '', variables = {}, to = null } = body as typeof body & { to?: string };
  const template = workspace.templates.get(template_id);
  if (!template && answers['failure.unknown-template-status'] !== 'accepted')
    throw unknownTemplate(template_id, workspace);
  if (template) checkVariables(template.variables, variables, answers);
  const html = template ? render(template.body, variables, answers) : null;
  workspace.capture({
    operation: 'sendTemplateEmail',
    to,
    from: null,
    subject: null,
    html,
    template_id,
    variables,
  });
  const name = quoted(template?.name ?? template_id);
  return {
    success: true,
    message: to === null ? `Email from template ${name} captured` : `Email sent to ${to}`,
  };
};

const unknownTemplate = (id: string, { templates }: Workspace): ApiError =>
  new ApiError(
    'template_not_found',
    `body/template_id names no template: ${quoted(id)}`,
    templates.size === 0
      ? 'Nothing was sent. There are no templates.'
      : `Nothing was sent. The templates are ${quotedList([...templates.keys()])}.`,
  );

const longestEmail = 32 * 1024 * 1024;

const render = (text: string, variables: Readonly<Record<string, string>>, answers: Answers): string => {
  const safe = answers['template-send.escaping'] === 'html' ? escapeHtml : (value: string) => value;
  const filled = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, safe(value)]));
  const blank = answers['template-send.missing-variable-rendering'] === 'blank';
  const html = substitute(text, filled, { blank, longest: longestEmail });
  if (html !== undefined) return html;
  throw new ApiError(
    'body_too_large',
    `the email would be longer than ${longestEmail} characters`,
    'Nothing was sent. A template that repeats a variable repeats its value.',
  );
};

const checkVariables = (
  listed: readonly string[],
  given: Readonly<Record<string, string>>,
  answers: Answers,
): void => {
  const missing = listed.filter((name) => !Object.hasOwn(given, name));
  if (missing.length > 0 && answers['template-send.missing-variable'] === 'rejected') {
    throw new ApiError(
      'validation_failed',
      `body/variables lacks ${quotedList(missing)}, which the template lists`,
      'Nothing was sent. Give a text for every variable of the template.',
    );
  }
  const extra = Object.keys(given).filter((name) => !listed.includes(name));
  if (extra.length > 0 && answers['template-send.extra-variable'] === 'rejected') {
    throw new ApiError(
      'validation_failed',
      `body/variables has ${quotedList(extra)}, which the template does not list`,
      'Nothing was sent. Leave out what the template does not list.',
    );
  }
};

const quotedList = (names: readonly string[]): string =>
  names.length > 10
    ? `${names.slice(0, 10).map(quoted).join(', ')} and ${names.length - 10} more`
    : names.map(quoted).join(', ');
