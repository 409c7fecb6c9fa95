import type { Answers } from '../../contract/questions.ts';
import { quoted, suggestInstead } from '../../contract/questions.ts';
import { ApiError } from '../../http/errors.ts';
import type { Template } from '../../mail/template.ts';
import { escapeHtml, maxRenderedLength, renderTemplate } from '../../mail/template.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Handler, Reply } from './handler.ts';

/** §4.1: captures the mail in the outbox exactly as received. */
export const sendEmail: Handler<'sendEmail'> = ({ body, workspace }) => {
  const { to = null, from = null, subject = null, html = null } = body;
  workspace.capture({ operation: 'sendEmail', to, from, subject, html, template_id: null, variables: null });
  return {
    success: true,
    message: to === null ? 'Email captured; the request names no recipient' : `Email sent to ${to}`,
  };
};

type TemplateList = Reply<'listTemplates'>;

// The list changes rarely and is requested often. The same object is serialized only once (`pipeline.ts`).
const cachedLists = new WeakMap<Workspace, { readonly version: number; readonly reply: TemplateList }>();

/** §4.2 */
export const listTemplates: Handler<'listTemplates'> = ({ workspace, answers, query }) => {
  if (answers['templates.limit-parameter'] !== 'ignored')
    return listOf(applyLimit([...workspace.templates.values()], answers, query.limit));
  const version = workspace.templatesVersion();
  const cached = cachedLists.get(workspace);
  if (cached?.version === version) return cached.reply;
  const reply = Object.freeze(listOf([...workspace.templates.values()]));
  cachedLists.set(workspace, { version, reply });
  return reply;
};

const listOf = (templates: readonly Template[]): TemplateList => ({
  success: true,
  error: '',
  // Not copied: a response is only serialized, never changed.
  data: templates as TemplateList['data'],
  message: templates.length === 1 ? '1 template' : `${templates.length} templates`,
});

const applyLimit = <Item>(items: Item[], answers: Answers, limit: unknown): Item[] => {
  if (limit === undefined) return items;
  if (answers['templates.limit-parameter'] === 'rejected') {
    throw new ApiError(
      'validation_failed',
      'query/limit is not taken here',
      'List the templates without "limit".',
    );
  }
  const max = typeof limit === 'string' && /^[0-9]{1,9}$/.test(limit) ? Number(limit) : undefined;
  if (max === undefined) {
    throw new ApiError(
      'validation_failed',
      'query/limit must be a whole number',
      'Give one "limit", e.g. limit=10.',
    );
  }
  return items.slice(0, max);
};

/** §4.3: fills in and captures the template. How a missing variable is handled is an open question. */
export const sendTemplateEmail: Handler<'sendTemplateEmail'> = ({ body, workspace, answers }) => {
  const { template_id = '', variables = {}, to = null } = body as typeof body & { to?: string };
  const template = workspace.templates.get(template_id);
  if (!template && answers['failure.unknown-template-status'] !== 'accepted')
    throw unknownTemplate(template_id, workspace);
  if (template) checkVariables(template.variables, variables, answers);
  const html = template ? render(template, variables, answers) : null;
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

const render = (
  template: Template,
  variables: Readonly<Record<string, string>>,
  answers: Answers,
): string => {
  const isEscaped = answers['template-send.escaping'] === 'html';
  const escapeValue = (value: string) => (isEscaped ? escapeHtml(value, maxRenderedLength) : value);
  const escapedVariables = Object.fromEntries(
    template.variables
      .filter((name) => Object.hasOwn(variables, name))
      .map((name) => [name, escapeValue(variables[name] ?? '')]),
  );
  const blank = answers['template-send.missing-variable-rendering'] === 'blank';
  const html = renderTemplate(template.body, escapedVariables, { blank, maxLength: maxRenderedLength });
  if (html !== undefined) return html;
  throw new ApiError(
    'body_too_large',
    `the email would be longer than ${maxRenderedLength} characters`,
    'Nothing was sent. A template that repeats a variable repeats its value.',
  );
};

const checkVariables = (
  listedNames: readonly string[],
  variables: Readonly<Record<string, string>>,
  answers: Answers,
): void => {
  const missing = listedNames.filter((name) => !Object.hasOwn(variables, name));
  if (missing.length > 0 && answers['template-send.missing-variable'] === 'rejected') {
    const { suggestion } = suggestInstead(Object.keys(variables).slice(0, maxCompared), missing);
    throw new ApiError(
      'validation_failed',
      `body/variables lacks ${quotedList(missing)}, which the template lists`,
      `Nothing was sent. ${suggestion}Give a text for every variable of the template.`,
    );
  }
  if (answers['template-send.extra-variable'] !== 'rejected') return;
  const listed = new Set(listedNames);
  const extra = Object.keys(variables).filter((name) => !listed.has(name));
  if (extra.length > 0) {
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

// Names compared with each missing variable, to find misspelled ones.
const maxCompared = 20;
