import type { Choices, Verdict } from './choices.ts';
import type { Call, Fields } from './exchange.ts';
import type { Template } from './templates.ts';

type Shape = {
  readonly known: readonly string[];
  readonly required: readonly string[];
  readonly refused?: readonly string[];
  readonly unknown?: Verdict;
  readonly lenient?: boolean;
};

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fits = (value: unknown, lenient = false) =>
  typeof value === 'string' || (lenient && (typeof value === 'number' || typeof value === 'boolean'));

const leadTexts = ['name', 'source', 'note'];

/** Judges the strings of a body; answers what is wrong, if anything is. */
const judgeStrings = (body: Fields, shape: Shape, choices: Choices): string | undefined => {
  for (const field of shape.required) if (body[field] === undefined) return `${field} is required`;
  for (const [field, value] of Object.entries(body)) {
    if (shape.refused?.includes(field)) return `${field} is not allowed`;
    if (!shape.known.includes(field)) {
      if ((shape.unknown ?? choices.unknownField) === 'rejected') return `${field} is not a known field`;
      continue;
    }
    if (!fits(value, shape.lenient)) return `${field} must be a string`;
    const limit = choices.limits[field];
    if (limit !== undefined && choices.beyondLimit === 'rejected' && [...String(value)].length > limit)
      return `${field} is longer than ${limit}`;
    if (leadTexts.includes(field) && choices.refusesText?.test(String(value)))
      return `${field} holds characters we do not take`;
  }
  return undefined;
};

const address = /^(?:[^<>]*<)?[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+>?$/;

const judgeMail = (body: Fields, choices: Choices) => {
  const wrong = judgeStrings(
    body,
    { known: ['subject', 'from', 'html', 'to'], required: choices.mailRequires },
    choices,
  );
  if (wrong) return wrong;
  for (const field of ['from', 'to'])
    if (choices.addresses === 'checked' && body[field] !== undefined && !address.test(String(body[field])))
      return `${field} is not an email address`;
  return choices.senders && !choices.senders.test(String(body.from))
    ? 'from is not a verified sender'
    : undefined;
};

const judgeTemplateMail = (body: Fields, choices: Choices) => {
  const { variables, ...strings } = body;
  const { templateMailRequires: required } = choices;
  if (variables === undefined && required.includes('variables')) return 'variables is required';
  if (variables !== undefined && !isObject(variables)) return 'variables must be an object';
  if (Object.values(variables ?? {}).some((value) => typeof value !== 'string'))
    return 'every variable must be a string';
  return judgeStrings(
    strings,
    {
      known: ['template_id', 'to'],
      required: required.filter((field) => field !== 'variables'),
      refused: choices.templateTo === 'rejected' ? ['to'] : [],
    },
    choices,
  );
};

const judgeLead = (body: Fields, choices: Choices, update: boolean) => {
  if (update && choices.updateEmpty === 'rejected' && Object.keys(body).length === 0)
    return 'nothing to change';
  const { updateOthers, updateSource = updateOthers } = choices;
  const others = [
    ...(update && updateOthers === 'rejected' ? ['name'] : []),
    ...(update && updateSource === 'rejected' ? ['source'] : []),
  ];
  const wrong = judgeStrings(
    body,
    {
      known: ['name', 'source', 'note', 'email'],
      required: update ? choices.updateRequires : choices.leadRequires,
      refused: choices.leadEmail === 'rejected' ? [...others, 'email'] : others,
      lenient: choices.wrongType === 'as-text',
    },
    choices,
  );
  if (wrong) return wrong;
  return body.name === '' && choices.emptyName === 'rejected' ? 'name must not be empty' : undefined;
};

/** What is wrong with the body of a call, if anything is (§4: required fields are not shown). */
export const judgeBody = ({ operation, body }: Call, choices: Choices): string | undefined => {
  const judge = {
    sendEmail: judgeMail,
    sendTemplateEmail: judgeTemplateMail,
    addLead: (fields: Fields) => judgeLead(fields, choices, false),
    updateLead: (fields: Fields) => judgeLead(fields, choices, true),
  }[operation as string];
  if (!judge) return undefined;
  return isObject(body) ? judge(body, choices) : 'the body must be a JSON object';
};

export const judgeVariables = (body: Fields, template: Template, choices: Choices): string | undefined => {
  const given = Object.keys(isObject(body.variables) ? body.variables : {});
  const missing = template.variables.find((name) => !given.includes(name));
  if (missing && choices.missingVariable === 'rejected') return `variables lacks ${missing}`;
  const extra = given.find((name) => !template.variables.includes(name));
  return extra && choices.extraVariable === 'rejected' ? `the template has no variable ${extra}` : undefined;
};
