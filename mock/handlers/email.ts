import { ApiError, quoted } from '../errors.ts';
import { escapeHtml, substitute } from '../substitute.ts';
import type { Handler } from './handler.ts';

/** §4.1: captured in the outbox exactly as it came. */
export const sendEmail: Handler<'sendEmail'> = ({ body, workspace }) => {
  const { to = null, from = null, subject = null, html = null } = body;
  workspace.capture({ operation: 'sendEmail', to, from, subject, html, template_id: null, variables: null });
  return {
    success: true,
    message: to === null ? 'Email captured; the request named no recipient' : `Email sent to ${to}`,
  };
};

/** §4.2 */
export const listTemplates: Handler<'listTemplates'> = ({ workspace, answers, query }) => {
  const all = [...workspace.templates.values()].map((template) => ({
    ...template,
    variables: [...template.variables],
  }));
  const data = answers['templates.limit-parameter'] === 'ignored' ? all : limited(all, answers, query.limit);
  return {
    success: true,
    error: '',
    data,
    message: data.length === 1 ? '1 template' : `${data.length} templates`,
  };
};

const limited = <Item>(
  items: Item[],
  answers: { 'templates.limit-parameter': string },
  limit: unknown,
): Item[] => {
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
  if (!template) {
    throw new ApiError(
      'template_not_found',
      `body/template_id names no template: ${quoted(template_id)}`,
      `Nothing was sent. The templates are: ${quotedList([...workspace.templates.keys()])}.`,
    );
  }
  checkVariables(template.variables, variables, answers);
  const escape = answers['template-send.escaping'] === 'html' ? escapeHtml : (text: string) => text;
  const filled = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, escape(value)]));
  const blank = answers['template-send.missing-variable-rendering'] === 'blank';
  const html = substitute(template.body, filled, (whole) => (blank ? '' : whole));
  workspace.capture({
    operation: 'sendTemplateEmail',
    to,
    from: null,
    subject: null,
    html,
    template_id,
    variables,
  });
  return {
    success: true,
    message: to === null ? `Email from template ${quoted(template.name)} captured` : `Email sent to ${to}`,
  };
};

const checkVariables = (
  listed: readonly string[],
  given: Readonly<Record<string, string>>,
  answers: { 'template-send.missing-variable': string; 'template-send.extra-variable': string },
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
