import type { Behaviour, Reason } from './behaviour.ts';
import type { Operation, ServedOperation } from './routes.ts';
import type { NewLead, Store, StoredLead } from './store.ts';
import type { Call, Fields, Reply } from './types.ts';
import { isObject, validateVariables } from './validation.ts';

export type Refuse = (reason: Reason, sentence: string) => Reply;

const shuffled = <T>(list: readonly T[]) =>
  list
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
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
  const text = (value: unknown, field: string) =>
    [...sanitised(String(value ?? ''), behaviour.sanitises)]
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

  const listTemplates = () => {
    const list = behaviour.templateOrder === 'random' ? shuffled(store.templates) : store.templates;
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
    if (same && behaviour.duplicate === 'rejected') return refuse('duplicate', 'this lead exists');
    if (same && behaviour.duplicate === 'merged') return added(same, 'Lead exists');
    return added(store.add(lead));
  };

  const updateLead = (body: Fields, id: string) => {
    const lead = store.find(id);
    if (!lead) return unknownLead();
    const { updateOthers, updateSource = updateOthers, updateWithoutNote } = behaviour;
    const passedOver = body.note === undefined && updateWithoutNote === 'ignored';
    const change = (field: 'name' | 'source' | 'note', policy: Behaviour['updateOthers']) => {
      if (body[field] !== undefined && policy === 'accepted' && !passedOver)
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
  return ({ operation, body, id }: Call & { readonly operation: ServedOperation }): Reply =>
    ({ ...operations, readLead, listLeads })[operation](isObject(body) ? body : {}, id);
};
