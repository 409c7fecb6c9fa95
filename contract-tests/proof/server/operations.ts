import type { Behaviour, Reason } from './behaviour.ts';
import type { ServedOperation } from './routes.ts';
import type { Store, StoredLead, Template, Texts } from './store.ts';
import type { Call, Fields, Reply } from './types.ts';

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

export const leadTexts = ['name', 'source', 'note'] as const;

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
    if (leadTexts.some((text) => text === field) && behaviour.refusesText?.test(String(value)))
      return `${field} holds characters we do not take`;
  }
  return undefined;
};

const address = /^(?:[^<>]*<)?[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+>?$/;

const validateMail = (body: Fields, behaviour: Behaviour) => {
  const shape = { known: ['subject', 'from', 'html', 'to'], required: behaviour.mailRequires };
  const wrong = validateStrings(body, shape, behaviour);
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
  const shape = {
    known: ['template_id', 'to'],
    required: required.filter((field) => field !== 'variables'),
    refused: behaviour.templateTo === 'rejected' ? ['to'] : [],
  };
  return validateStrings(strings, shape, behaviour);
};

const validateLead = (body: Fields, behaviour: Behaviour, update: boolean) => {
  if (update && behaviour.updateEmpty === 'rejected' && Object.keys(body).length === 0)
    return 'nothing to change';
  const { updateOthers, updateSource = updateOthers } = behaviour;
  const others = [
    ...(update && updateOthers === 'rejected' ? ['name'] : []),
    ...(update && updateSource === 'rejected' ? ['source'] : []),
  ];
  const shape = {
    known: [...leadTexts, 'email'],
    required: update ? behaviour.updateRequires : behaviour.leadRequires,
    refused: behaviour.leadEmail === 'rejected' ? [...others, 'email'] : others,
    lenient: behaviour.wrongType === 'as-text',
  };
  const wrong = validateStrings(body, shape, behaviour);
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

const validateVariables = (body: Fields, template: Template, behaviour: Behaviour): string | undefined => {
  const names = Object.keys(isObject(body.variables) ? body.variables : {});
  const missing = template.variables.find((name) => !names.includes(name));
  if (missing && behaviour.missingVariable === 'rejected') return `variables lacks ${missing}`;
  const extra = names.find((name) => !template.variables.includes(name));
  return extra && behaviour.extraVariable === 'rejected'
    ? `the template has no variable ${extra}`
    : undefined;
};

export type Refuse = (reason: Reason, sentence: string) => Reply;

/** Another order for each turn, always the same ones: by a step around a circle of places, a prime number. */
export const shuffled = <T>(list: readonly T[], turn: number): T[] =>
  list
    .map((item, place) => ({ item, at: ((place + turn) * 7919 * (turn + 1)) % 10_007 }))
    .sort((left, right) => left.at - right.at)
    .map(({ item }) => item);

const sanitised = (text: string, { controls, lineBreaks, letters, blanks }: Behaviour['sanitises']) => {
  const printable = controls ? text.replace(/(?![\t\r\n])\p{Cc}/gu, '') : text;
  const lines = lineBreaks ? printable.split('\r\n').join('\n') : printable;
  const composed = letters ? lines.normalize() : lines;
  return blanks ? composed.trim() : composed;
};

/** The operations of §4 on a store, for calls that passed validation. */
export const createOperations = (behaviour: Behaviour, store: Store, refuse: Refuse) => {
  const { time, dataExtras } = behaviour;
  const accept = (message: string, fields: Fields = {}): Reply => ({
    status: 200,
    body: {
      success: true,
      ...(behaviour.undocumentedError === 'empty' ? { error: '' } : {}),
      ...fields,
      message: behaviour.messages === 'text' ? message : '',
      ...behaviour.extras,
    },
  });
  const text = (body: Fields, field: keyof Texts) =>
    [...sanitised(String(body[field] ?? ''), behaviour.sanitises)]
      .slice(0, behaviour.beyondLimit === 'cut' ? behaviour.limits[field] : undefined)
      .join('');
  const show = ({ id, name, source, note }: StoredLead) => ({ lead_id: id, name, source, note });
  const times = (lead: StoredLead, field: string, date: Date) => ({
    ...(behaviour.leadTimes === 'both' ? { created_at: time(lead.created), updated_at: time(date) } : {}),
    [field]: time(date),
  });
  const added = (lead: StoredLead, message = 'Lead added') =>
    accept(message, { data: { ...show(lead), ...times(lead, 'created_at', lead.created), ...dataExtras } });
  const unknownLead = () => refuse('lead', 'no lead has this id');

  const sendEmail = (body: Fields) => {
    store.mails.push(typeof body.to === 'string' ? body.to : null);
    return accept('Email sent');
  };

  const sendTemplateEmail = (body: Fields) => {
    const template = store.templates.find(({ id }) => id === body.template_id);
    if (!template) return refuse('template', 'no template has this id');
    const wrong = validateVariables(body, template, behaviour);
    return wrong ? refuse('fields', wrong) : { ...sendEmail(body), ...accept('Template email sent') };
  };

  let lists = 0;
  const listTemplates = () => {
    lists += 1;
    const isStable = behaviour.templateOrder === 'stable';
    const list = isStable ? store.templates : shuffled(store.templates, lists);
    const data = list.map((one) => ({ ...one, created_at: time(new Date(one.created_at)), ...dataExtras }));
    return accept('Templates listed', { error: '', data });
  };

  const addLead = (body: Fields) => {
    const lead: Texts = { name: text(body, 'name'), source: text(body, 'source'), note: text(body, 'note') };
    const same = store.living().find((one) => leadTexts.every((field) => one[field] === lead[field]));
    if (same && behaviour.duplicate === 'rejected') return refuse('duplicate', 'this lead exists');
    if (same && behaviour.duplicate === 'merged') return added(same, 'Lead exists');
    return added(store.add(lead));
  };

  const updateLead = (body: Fields, id: string) => {
    const lead = store.find(id);
    if (!lead) return unknownLead();
    const { updateOthers, updateSource = updateOthers, updateWithoutNote } = behaviour;
    const passedOver = body.note === undefined && updateWithoutNote === 'ignored';
    const change = (field: keyof Texts, policy: Behaviour['updateOthers']) => {
      const isIgnored = field !== 'note' && body[field] === '' && behaviour.emptyName === 'ignored';
      const isNone = body[field] === undefined || isIgnored;
      if (!isNone && policy === 'accepted' && !passedOver) lead[field] = text(body, field);
    };
    change('name', updateOthers);
    change('source', updateSource);
    change('note', 'accepted');
    if (body.note === undefined && updateWithoutNote === 'empties') lead.note = '';
    const data = { ...show(lead), ...times(lead, 'updated_at', new Date(store.now())), ...dataExtras };
    return accept('Lead updated', { error: '', data });
  };

  const deleteLead = (_: Fields, id: string) => {
    const lead = store.find(id);
    if (!lead && behaviour.deleteUnknown === 'rejected') return unknownLead();
    if (lead) store.remove(lead);
    return accept('Lead deleted', { error: '' });
  };

  const readLead = (_: Fields, id: string) => {
    const lead = store.find(id);
    return lead ? added(lead, 'Lead found') : unknownLead();
  };

  const listLeads = () =>
    accept('Leads listed', {
      data: store.living().map((lead) => ({ ...show(lead), created_at: time(lead.created) })),
    });

  const ofEmail = { sendEmail, listTemplates, sendTemplateEmail };
  const ofLeads = { addLead, updateLead, deleteLead, readLead, listLeads };
  const operations: { readonly [operation in ServedOperation]: (body: Fields, id: string) => Reply } = {
    ...ofEmail,
    ...ofLeads,
  };
  return ({ operation, body, id }: Call & { readonly operation: ServedOperation }): Reply =>
    operations[operation](isObject(body) ? body : {}, id);
};
