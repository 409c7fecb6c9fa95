import type { Answers } from '../contract/questions.ts';
import { quoted, suggestInstead } from '../contract/questions.ts';
import { templatesPerPage } from '../contract/schemas.ts';
import { foldCase, includesFolded } from '../mail/search.ts';
import type { Template } from '../mail/template.ts';
import { escapeHtml, renderTemplate } from '../mail/template.ts';
import type { Templates } from '../nouns/templates.ts';
import { limits } from '../store/store.ts';
import { ApiError } from './errors.ts';
import type { Handler, SuccessOf } from './request.ts';

/** §4.1: captures the mail in the outbox exactly as received. */
export const sendEmail: Handler<'sendEmail'> = ({ body, workspace: { outbox, requests } }) => {
  const { to = null, from = null, subject = null, html = null } = body;
  outbox.capture({
    operation: 'sendEmail',
    request_id: requests.nextId(),
    to,
    from,
    subject,
    html,
    template_id: null,
    variables: null,
  });
  return {
    success: true,
    message: to === null ? 'Email captured; the request names no recipient' : `Email sent to ${to}`,
  };
};

/** §4.2: whether `limit`, pages and filters exist are open questions. */
export const listTemplates: Handler<'listTemplates'> = ({ workspace: { templates }, answers, query }) => {
  const all = templates.all();
  const isPaged = answers['templates.page-size'] === 'paged';
  const isFiltered = answers['templates.filtering'] === 'supported';
  if (answers['templates.limit-parameter'] !== 'ignored' || isPaged || isFiltered) {
    const sent = query();
    const found = isFiltered ? named(all, sent.get('name') ?? '') : all;
    const limit = limitOf(answers, sent) ?? found.length;
    const size = isPaged ? Math.min(limit, templatesPerPage) : limit;
    const start = isPaged ? (numberOf('page', sent, 1) - 1) * size : 0;
    return listOf(found.slice(start, start + size));
  }
  return listOf(all);
};

const listOf = (templates: readonly Template[]): SuccessOf<'listTemplates'> => ({
  success: true,
  error: '',
  // Not copied: a response is only serialized, never changed.
  data: templates as SuccessOf<'listTemplates'>['data'],
  message: templates.length === 1 ? '1 template' : `${templates.length} templates`,
});

const named = (templates: readonly Template[], text: string): readonly Template[] => {
  const searched = foldCase(text);
  return templates.filter(({ name }) => includesFolded(name, searched));
};

const limitOf = (answers: Answers, sent: URLSearchParams): number | undefined => {
  const answer = answers['templates.limit-parameter'];
  if (answer === 'ignored' || !sent.has('limit')) return undefined;
  if (answer === 'honoured') return numberOf('limit', sent, 0);
  throw new ApiError(
    'validation_failed',
    'query/limit is not taken here',
    'List the templates without "limit".',
  );
};

/** @returns `least` for a parameter that was not sent */
const numberOf = (name: string, sent: URLSearchParams, least: number): number => {
  const values = sent.getAll(name);
  const [value = String(least)] = values;
  if (values.length < 2 && /^[0-9]{1,9}$/.test(value) && Number(value) >= least) return Number(value);
  throw new ApiError(
    'validation_failed',
    `query/${name} must be a whole number${least > 0 ? ` above ${least - 1}` : ''}`,
    `Give one "${name}", e.g. ${name}=10.`,
  );
};

/** §4.3: fills in and captures the template. How a missing variable is handled is an open question. */
export const sendTemplateEmail: Handler<'sendTemplateEmail'> = ({
  body,
  workspace: { templates, outbox, requests },
  answers,
}) => {
  const { template_id = '', variables = {}, to = null } = body as typeof body & { to?: string };
  const template = templates.get(template_id);
  if (!template && answers['failure.unknown-template-status'] !== 'accepted')
    throw unknownTemplate(template_id, templates);
  if (template) checkVariables(template.variables, variables, answers);
  const html = template ? render(template, variables, answers) : null;
  outbox.capture({
    operation: 'sendTemplateEmail',
    request_id: requests.nextId(),
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

const unknownTemplate = (id: string, templates: Templates): ApiError =>
  new ApiError(
    'template_not_found',
    `body/template_id names no template: ${quoted(id)}`,
    templates.size() === 0
      ? 'Nothing was sent. There are no templates.'
      : `Nothing was sent. The templates are ${quotedList(templates.all().map((template) => template.id))}.`,
  );

const render = (
  template: Template,
  variables: Readonly<Record<string, string>>,
  answers: Answers,
): string => {
  const isEscaped = answers['template-send.escaping'] === 'html';
  const escapeValue = (value: string) => (isEscaped ? escapeHtml(value) : value);
  const escapedVariables = Object.fromEntries(
    template.variables
      .filter((name) => Object.hasOwn(variables, name))
      .map((name) => [name, escapeValue(variables[name] ?? '')]),
  );
  const isBlank = answers['template-send.missing-variable-rendering'] === 'blank';
  const html = renderTemplate(template.body, escapedVariables, isBlank);
  if (html !== undefined) return html;
  throw new ApiError(
    'body_too_large',
    `the email would be longer than ${limits.renderedCharacters} characters`,
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
