import type { Choices, Reason } from './choices.ts';
import type { Call, Fields, Operation, Reply } from './exchange.ts';
import { isObject, judgeVariables } from './rules.ts';
import type { NewLead, Store, StoredLead } from './store.ts';

export type Refuse = (reason: Reason, sentence: string) => Reply;

const shuffled = <T>(list: readonly T[]) =>
  list
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);

/** The operations of §4 on a store, for calls already found worthy. */
export const createOperations = (choices: Choices, store: Store, refuse: Refuse) => {
  const { time, dataExtras } = choices;
  const accept = (message: string, fields: Fields = {}): Reply => ({
    status: 200,
    body: {
      success: true,
      ...(choices.undocumentedError === 'empty' ? { error: '' } : {}),
      ...fields,
      message: choices.messages === 'text' ? message : '',
      ...choices.extras,
    },
  });
  const text = (value: unknown, field: string) =>
    [...String(value ?? '')]
      .slice(0, choices.beyondLimit === 'cut' ? choices.limits[field] : undefined)
      .join('');
  const show = ({ id, name, source, note }: StoredLead) => ({ lead_id: id, name, source, note });
  const times = (lead: StoredLead, field: string, date: Date) => ({
    ...(choices.leadTimes === 'both' ? { created_at: time(lead.created), updated_at: time(date) } : {}),
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
    const wrong = judgeVariables(body, template, choices);
    return wrong ? refuse('fields', wrong) : { ...sendEmail(body), ...accept('Template email sent') };
  };

  const listTemplates = () => {
    const list = choices.templateOrder === 'random' ? shuffled(store.templates) : store.templates;
    const data = list.map((one) => ({ ...one, created_at: time(new Date(one.created_at)), ...dataExtras }));
    return accept('Templates listed', { error: '', data });
  };

  const addLead = (body: Fields) => {
    const lead: NewLead = {
      name: text(body.name, 'name'),
      source: text(body.source, 'source'),
      note: text(body.note, 'note'),
    };
    const same = store
      .living()
      .find((one) => one.name === lead.name && one.source === lead.source && one.note === lead.note);
    if (same && choices.duplicate === 'rejected') return refuse('duplicate', 'this lead exists');
    if (same && choices.duplicate === 'merged') return added(same, 'Lead exists');
    return added(store.add(lead));
  };

  const updateLead = (body: Fields, id: string) => {
    const lead = store.find(id);
    if (!lead) return unknownLead();
    const { updateOthers, updateSource = updateOthers, updateWithoutNote } = choices;
    const passedOver = body.note === undefined && updateWithoutNote === 'ignored';
    const change = (field: 'name' | 'source' | 'note', taken: Choices['updateOthers']) => {
      if (body[field] !== undefined && taken === 'accepted' && !passedOver)
        lead[field] = text(body[field], field);
    };
    change('name', updateOthers);
    change('source', updateSource);
    change('note', 'accepted');
    if (body.note === undefined && updateWithoutNote === 'empties') lead.note = '';
    const data = { ...show(lead), ...times(lead, 'updated_at', new Date()), ...dataExtras };
    return accept('Lead updated', { error: '', data });
  };

  const deleteLead = (_: Fields, id: string) => {
    const lead = store.find(id);
    if (!lead && choices.deleteUnknown === 'rejected') return unknownLead();
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

  const operations = {
    sendEmail,
    listTemplates,
    sendTemplateEmail,
    addLead,
    updateLead,
    deleteLead,
  } satisfies {
    [operation in Operation]: (body: Fields, id: string) => Reply;
  };
  return ({ operation, body, id }: Call & { readonly operation: NonNullable<Call['operation']> }): Reply =>
    ({ ...operations, readLead, listLeads })[operation](isObject(body) ? body : {}, id);
};
