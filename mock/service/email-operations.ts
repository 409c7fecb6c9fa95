import { type Answers, quoted, suggestInstead } from '../contract/questions.ts';
import { templatesPerPage } from '../contract/schemas.ts';
import { foldCase, includesFolded } from '../mail/search.ts';
import { renderTemplate, type Template } from '../mail/template.ts';
import { limits } from '../store/store.ts';
import { ApiError } from './errors.ts';
import type { Handler, SuccessOf } from './request.ts';

/** §4.1: captures the mail in the outbox exactly as received. */
export const sendEmail: Handler<'sendEmail'> = ({ body, workspace: { outbox, requests } }) => {
  const { to, from, subject, html } = body;
  outbox.capture({ operation: 'sendEmail', request_id: requests.nextId(), to, from, subject, html });
  return {
    success: true,
    message: to === undefined ? 'Email captured; the request names no recipient' : `Email sent to ${to}`,
  };
};

/** The latest list and its response: most of a GET is to write it, and pages list again and again what has not changed. */
let latest: { readonly list: readonly Template[]; readonly text: string } | undefined;

const writeList = (list: readonly Template[]): string => {
  if (latest?.list !== list) {
    const message = list.length === 1 ? '1 template' : `${list.length} templates`;
    // Not copied: it is only serialized, never changed.
    const data = list as SuccessOf<'listTemplates'>['data'];
    const reply: SuccessOf<'listTemplates'> = { success: true, error: '', data, message };
    latest = { list, text: JSON.stringify(reply) };
  }
  return latest.text;
};

/** §4.2: whether `limit`, pages and filters exist are open questions. */
export const listTemplates: Handler<'listTemplates'> = ({ workspace: { templates }, answers, query }) => {
  const isPaged = answers['templates.page-size'] === 'paged';
  const isFiltered = answers['templates.filtering'] === 'supported';
  const isLimited = answers['templates.limit-parameter'] !== 'ignored';
  let found: readonly Template[] = templates.all();
  if (isPaged || isFiltered || isLimited) {
    const sent = query();
    const searched = foldCase(sent.get('name') ?? '');
    if (isFiltered) found = found.filter(({ name }) => includesFolded(name, searched));
    const limit = (isLimited ? limitOf(answers, sent) : undefined) ?? found.length;
    const size = isPaged ? Math.min(limit, templatesPerPage) : limit;
    const start = isPaged ? (numberOf('page', sent, 1) - 1) * size : 0;
    found = found.slice(start, start + size);
  }
  return writeList(found);
};

const limitOf = (answers: Answers, sent: URLSearchParams): number | undefined => {
  if (!sent.has('limit')) return undefined;
  if (answers['templates.limit-parameter'] === 'honoured') return numberOf('limit', sent, 0);
  throw invalid('query/limit is not taken here', 'List the templates without "limit".');
};

/** @returns `least` for a parameter that was not sent */
const numberOf = (name: string, sent: URLSearchParams, least: number): number => {
  const values = sent.getAll(name);
  const [value = String(least)] = values;
  if (values.length < 2 && /^[0-9]{1,9}$/.test(value) && Number(value) >= least) return Number(value);
  const above = least > 0 ? ` above ${least - 1}` : '';
  throw invalid(`query/${name} must be a whole number${above}`, `Give one "${name}", e.g. ${name}=10.`);
};

const invalid = (what: string, hint: string): ApiError => new ApiError('validation_failed', what, hint);

/** §4.3: fills in and captures the template. How a missing variable is handled is an open question. */
export const sendTemplateEmail: Handler<'sendTemplateEmail'> = ({
  body,
  workspace: { templates, outbox, requests },
  answers,
}) => {
  const { template_id = '', variables = {}, to } = body as typeof body & { to?: string };
  const template = templates.get(template_id);
  if (!template && answers['failure.unknown-template-status'] !== 'accepted') {
    const ids = templates.all().map(({ id }) => id);
    const there = ids.length === 0 ? 'There are no templates' : `The templates are ${quotedList(ids)}`;
    const what = `body/template_id names no template: ${quoted(template_id)}`;
    throw new ApiError('template_not_found', what, `Nothing was sent. ${there}.`);
  }
  if (template) checkVariables(template.variables, variables, answers);
  const html = template ? render(template, variables, answers) : null;
  outbox.capture({
    operation: 'sendTemplateEmail',
    request_id: requests.nextId(),
    to,
    html,
    template_id,
    variables,
  });
  const name = quoted(template?.name ?? template_id);
  return {
    success: true,
    message: to === undefined ? `Email from template ${name} captured` : `Email sent to ${to}`,
  };
};

type Variables = Readonly<Record<string, string>>;

const render = ({ body }: Template, variables: Variables, answers: Answers): string => {
  const isBlank = answers['template-send.missing-variable-rendering'] === 'blank';
  const html = renderTemplate(body, variables, isBlank, answers['template-send.escaping'] === 'html');
  if (html !== undefined) return html;
  throw new ApiError(
    'body_too_large',
    `the email would be longer than ${limits.renderedCharacters} characters`,
    'Nothing was sent. A template that repeats a variable repeats its value.',
  );
};

const checkVariables = (names: readonly string[], variables: Variables, answers: Answers): void => {
  const missing = names.filter((name) => !Object.hasOwn(variables, name));
  if (missing.length > 0 && answers['template-send.missing-variable'] === 'rejected') {
    const { suggestion } = suggestInstead(Object.keys(variables).slice(0, maxCompared), missing);
    const hint = `Nothing was sent. ${suggestion}Give a text for every variable of the template.`;
    throw invalid(`body/variables lacks ${quotedList(missing)}, which the template lists`, hint);
  }
  if (answers['template-send.extra-variable'] !== 'rejected') return;
  const listed = new Set(names);
  const extra = Object.keys(variables).filter((name) => !listed.has(name));
  if (extra.length === 0) return;
  const hint = 'Nothing was sent. Leave out what the template does not list.';
  throw invalid(`body/variables has ${quotedList(extra)}, which the template does not list`, hint);
};

const quotedList = (names: readonly string[]): string => {
  const shown = names.slice(0, 10).map(quoted).join(', ');
  return names.length > 10 ? `${shown} and ${names.length - 10} more` : shown;
};

// Names compared with each missing variable, to find misspelled ones.
const maxCompared = 20;
