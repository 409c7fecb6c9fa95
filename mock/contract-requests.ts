import { type Extended, propertiesOf, requireIn, schemaOf } from './contract-parts.ts';
import type { Answers } from './questions.ts';
import type { Contract, Schema } from './spec.ts';

/** §4.1 and §4.3: what a request to send must carry. */
export const emailRequests = (document: Contract, answers: Answers): void => {
  const message = propertiesOf(document, 'EmailMessage');
  if (answers['send.address-format'] === 'unchecked') {
    for (const field of [message.from, message.to]) delete (field as Schema).format;
  }
  requireIn(document, 'EmailMessage', {
    subject: answers['send.subject'],
    from: answers['send.from'],
    to: answers['send.to'],
    html: answers['send.html'],
  });
  const recipient: Schema = { type: 'string', format: 'email', description: 'Recipient address.' };
  propertiesOf(document, 'TemplateEmail').to = answers['template-send.to'] === 'rejected' ? false : recipient;
  requireIn(document, 'TemplateEmail', {
    template_id: 'required',
    variables: answers['template-send.variables'],
    to: answers['template-send.to'],
  });
};

const leadFields = ['name', 'source', 'note'] as const;

/** §2.3, §4.5 and §4.6: what a new lead and a change of one may and must carry. */
export const leadRequests = (document: Contract, answers: Answers): void => {
  const added = propertiesOf(document, 'NewLead');
  for (const field of leadFields) {
    const schema = added[field] as Schema;
    const limit = answers[`lead.${field}-limit`];
    if (limit !== 'none') schema.maxLength = limit;
    if (answers['lead.wrong-type'] === 'accepted')
      Object.assign(schema, { type: ['string', 'number', 'boolean'] });
  }
  if (answers['lead.empty-name'] === 'rejected') (added.name as Schema).minLength = 1;
  requireIn(document, 'NewLead', {
    name: answers['lead.name'],
    source: answers['lead.source'],
    note: answers['lead.note'],
  });
  const changed = propertiesOf(document, 'LeadChanges');
  changed.note = structuredClone(added.note ?? true);
  for (const field of ['name', 'source'] as const) {
    const answer = answers[`lead.update-${field}`];
    const taken =
      answer === 'ignored' ? { description: 'Taken and ignored.' } : structuredClone(added[field] ?? true);
    changed[field] = answer === 'rejected' ? false : taken;
  }
  if (answers['lead.update-empty'] === 'rejected') schemaOf(document, 'LeadChanges').minProperties = 1;
  for (const name of ['NewLead', 'LeadChanges']) {
    propertiesOf(document, name).email =
      answers['lead.email'] === 'rejected' ? false : { description: 'Taken; no reply carries it (§2.3).' };
    schemaOf(document, name).additionalProperties = answers['lead.unknown-field'] === 'accepted';
  }
};

/** §4.2: a `limit` is in the contract only where it does something. */
export const listParameters = (document: Contract, answers: Answers): void => {
  if (answers['templates.limit-parameter'] !== 'honoured') return;
  for (const path of ['/api/v1/email/templates', '/api/v1/email/template']) {
    const operation = document.paths?.[path]?.get as Extended | undefined;
    if (operation) operation.parameters = [limit];
  }
};

const limit: NonNullable<Extended['parameters']>[number] = {
  name: 'limit',
  in: 'query',
  description: 'How many templates to list at most. Not in the interface document (§4.2); observed.',
  schema: { type: 'integer', minimum: 0 },
};
