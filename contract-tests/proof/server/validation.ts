import type { Behaviour } from './behaviour.ts';
import type { Template } from './templates.ts';
import type { Call, Fields } from './types.ts';

type Shape = {
  readonly known: readonly string[];
  readonly required: readonly string[];
  readonly refused?: readonly string[];
  readonly lenient?: boolean;
};

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fits = (value: unknown, lenient = false) =>
  typeof value === 'string' || (lenient && (typeof value === 'number' || typeof value === 'boolean'));

const leadTexts = ['name', 'source', 'note'];

/** Validates the strings of a body; returns what is wrong, if anything is. */
const validateStrings = (body: Fields, shape: Shape, behaviour: Behaviour): string | undefined => {
  for (const field of shape.required) if (body[field] === undefined) return `${field} is required`;
  for (const [field, value] of Object.entries(body)) {
    if (shape.refused?.includes(field)) return `${field} is not allowed`;
    if (!shape.known.includes(field)) {
      if (behaviour.unknownField === 'rejected') return `${field} is not a known field`;
      continue;
    }
    if (!fits(value, shape.lenient)) return `${field} must be a string`;
    const limit = behaviour.limits[field];
    if (limit !== undefined && behaviour.beyondLimit === 'rejected' && [...String(value)].length > limit)
      return `${field} is longer than ${limit}`;
    if (leadTexts.includes(field) && behaviour.refusesText?.test(String(value)))
      return `${field} holds characters we do not take`;
  }
  return undefined;
};

const address = /^(?:[^<>]*<)?[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+>?$/;

const validateMail = (body: Fields, behaviour: Behaviour) => {
  const wrong = validateStrings(
    body,
    { known: ['subject', 'from', 'html', 'to'], required: behaviour.mailRequires },
    behaviour,
  );
  if (wrong) return wrong;
  for (const field of ['from', 'to'])
    if (behaviour.addresses === 'checked' && body[field] !== undefined && !address.test(String(body[field])))
      return `${field} is not an email address`;
  return behaviour.senders && !behaviour.senders.test(String(body.from))
    ? 'from is not a verified sender'
    : undefined;
};

const validateTemplateMail = (body: Fields, behaviour: Behaviour) => {
  const { variables, ...strings } = body;
  const { templateMailRequires: required } = behaviour;
  if (variables === undefined && required.includes('variables')) return 'variables is required';
  if (variables !== undefined && !isObject(variables)) return 'variables must be an object';
  if (Object.values(variables ?? {}).some((value) => typeof value !== 'string'))
    return 'every variable must be a string';
  return validateStrings(
    strings,
    {
      known: ['template_id', 'to'],
      required: required.filter((field) => field !== 'variables'),
      refused: behaviour.templateTo === 'rejected' ? ['to'] : [],
    },
    behaviour,
  );
};

const validateLead = (body: Fields, behaviour: Behaviour, update: boolean) => {
  if (update && behaviour.updateEmpty === 'rejected' && Object.keys(body).length === 0)
    return 'nothing to change';
  const { updateOthers, updateSource = updateOthers } = behaviour;
  const others = [
    ...(update && updateOthers === 'rejected' ? ['name'] : []),
    ...(update && updateSource === 'rejected' ? ['source'] : []),
  ];
  const wrong = validateStrings(
    body,
    {
      known: ['name', 'source', 'note', 'email'],
      required: update ? behaviour.updateRequires : behaviour.leadRequires,
      refused: behaviour.leadEmail === 'rejected' ? [...others, 'email'] : others,
      lenient: behaviour.wrongType === 'as-text',
    },
    behaviour,
  );
  if (wrong) return wrong;
  return body.name === '' && behaviour.emptyName === 'rejected' ? 'name must not be empty' : undefined;
};

/** What is wrong with the body of a call, if anything is (§4: required fields are not shown). */
export const validateBody = ({ operation, body }: Call, behaviour: Behaviour): string | undefined => {
  const judge = {
    sendEmail: validateMail,
    sendTemplateEmail: validateTemplateMail,
    addLead: (fields: Fields) => validateLead(fields, behaviour, false),
    updateLead: (fields: Fields) => validateLead(fields, behaviour, true),
  }[operation as string];
  if (!judge) return undefined;
  return isObject(body) ? judge(body, behaviour) : 'the body must be a JSON object';
};

export const validateVariables = (
  body: Fields,
  template: Template,
  behaviour: Behaviour,
): string | undefined => {
  const names = Object.keys(isObject(body.variables) ? body.variables : {});
  const missing = template.variables.find((name) => !names.includes(name));
  if (missing && behaviour.missingVariable === 'rejected') return `variables lacks ${missing}`;
  const extra = names.find((name) => !template.variables.includes(name));
  return extra && behaviour.extraVariable === 'rejected'
    ? `the template has no variable ${extra}`
    : undefined;
};
