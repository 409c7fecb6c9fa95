// The app that `npm run bench` compares the mock with: a mock that a developer would write with Fastify in an
// afternoon. It has the same six operations (both path forms of §4.4), the same keys, and the same validation of
// bodies with Fastify's own `schema` option. It has no workspaces, no admin API, no CORS and no Prefer: the cost
// of these features counts against the mock.
import Fastify from 'fastify';

const app = Fastify({
  ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
});

const text = { type: 'string' };
const email = { type: 'string', format: 'email' };
const message = {
  type: 'object',
  required: ['subject', 'from', 'html'],
  properties: { subject: text, from: email, to: email, html: text },
};
const templateEmail = {
  type: 'object',
  required: ['template_id', 'variables'],
  properties: { template_id: text, variables: { type: 'object', additionalProperties: text }, to: email },
};
const lead = { name: { type: 'string', minLength: 1 }, source: text, note: text };
const newLead = { type: 'object', required: ['name'], properties: lead };
const leadChanges = { type: 'object', properties: lead };

/** @typedef {{ lead_id: string, name: string, source: string, note: string, created_at: string, updated_at: string }} Lead */
/** @typedef {{ id: string, name: string, body: string, variables: string[], created_at: string }} Template */

/** @type {Map<string, Lead>} */
const leads = new Map();
/** @type {Map<string, Template>} */
const templates = new Map();
/** @type {object[]} */
const outbox = [];
let lastLead = 0;

for (const [index, name] of [
  'Course welcome',
  'Payment reminder',
  'Trial lesson follow-up',
  'Certificate',
  'Summer break',
].entries()) {
  const id = String(index + 1);
  templates.set(id, {
    id,
    name,
    body: '<p>Hello {{first_name}},</p><p>welcome to <b>{{course_name}}</b>. We start on {{start_date}}.</p><p>See you soon!</p>',
    variables: ['first_name', 'course_name', 'start_date'],
    created_at: '2026-01-12T09:30:00.000Z',
  });
}

app.setErrorHandler((thrown, _request, reply) => {
  const error = /** @type {import('fastify').FastifyError} */ (thrown);
  return reply
    .code(error.statusCode ?? 500)
    .send({ success: false, error: error.message, message: 'The request was refused.' });
});
app.setNotFoundHandler((request, reply) =>
  reply.code(404).send({
    success: false,
    error: `there is no ${request.method} ${request.url}`,
    message: 'Unknown route.',
  }),
);
app.addHook('onRequest', async (request, reply) => {
  const [, key] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
  if (key !== undefined && /^test_[A-Za-z0-9_-]{0,120}$/.test(key)) return undefined;
  return reply
    .code(401)
    .send({ success: false, error: 'unknown key', message: 'Send "Authorization: Bearer test_…".' });
});

app.post('/api/v1/email/send', { schema: { body: message } }, async (request) => {
  outbox.push({ .../** @type {object} */ (request.body), created_at: new Date().toISOString() });
  return { success: true, message: 'Email sent' };
});

for (const url of ['/api/v1/email/templates', '/api/v1/email/template']) {
  app.get(url, async () => ({
    success: true,
    error: '',
    data: [...templates.values()],
    message: `${templates.size} templates`,
  }));
}

for (const url of ['/api/v1/email/template', '/api/v1/email/send-template']) {
  app.post(url, { schema: { body: templateEmail } }, async (request, reply) => {
    const { template_id, variables, to } =
      /** @type {{ template_id: string, variables: Record<string, string>, to?: string }} */ (request.body);
    const template = templates.get(template_id);
    if (!template)
      return reply.code(404).send({ success: false, error: 'no such template', message: 'Unknown id.' });
    const html = template.body.replace(/\{\{([^{}]*)\}\}/g, (whole, name) => variables[name] ?? whole);
    outbox.push({ to, html, template_id, variables, created_at: new Date().toISOString() });
    return { success: true, message: 'Email sent' };
  });
}

app.post('/api/v1/leads', { schema: { body: newLead } }, async (request) => {
  const {
    name,
    source = '',
    note = '',
  } = /** @type {{ name: string, source?: string, note?: string }} */ (request.body);
  lastLead += 1;
  const lead_id = `lead_${String(lastLead).padStart(6, '0')}`;
  const created_at = new Date().toISOString();
  leads.set(lead_id, { lead_id, name, source, note, created_at, updated_at: created_at });
  return { success: true, data: { lead_id, name, source, note, created_at }, message: 'Lead added' };
});

app.put('/api/v1/leads/:id', { schema: { body: leadChanges } }, async (request, reply) => {
  const { id } = /** @type {{ id: string }} */ (request.params);
  const lead = leads.get(id);
  if (!lead) return reply.code(404).send({ success: false, error: 'no such lead', message: 'Unknown id.' });
  const { name, source, note } = /** @type {Partial<Lead>} */ (request.body);
  if (name !== undefined) lead.name = name;
  if (source !== undefined) lead.source = source;
  if (note !== undefined) lead.note = note;
  lead.updated_at = new Date().toISOString();
  const { created_at: _, ...data } = lead;
  return { success: true, error: '', data, message: 'Lead updated' };
});

app.delete('/api/v1/leads/:id', async (request, reply) => {
  const { id } = /** @type {{ id: string }} */ (request.params);
  if (leads.delete(id)) return { success: true, error: '', message: 'Lead deleted' };
  return reply.code(404).send({ success: false, error: 'no such lead', message: 'Unknown id.' });
});

console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
process.once('SIGTERM', () => app.close());
