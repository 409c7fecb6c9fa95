// The app that `npm run bench` compares the mock with: as a developer would write it with Fastify in an hour. It has the operations
// that are measured, the same keys, and the same validation of bodies with Fastify's own `schema` option. It has no workspaces, no
// admin API, no CORS and no Prefer: the cost of these features counts against the mock.
import Fastify from 'fastify';

const app = Fastify({
  ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
});

const text = { type: 'string' };
const lead = { name: { type: 'string', minLength: 1 }, source: text, note: text };
const newLead = { type: 'object', required: ['name'], properties: lead };
const leadChanges = { type: 'object', properties: lead };

/** @typedef {{ lead_id: string, name: string, source: string, note: string, created_at: string, updated_at: string }} Lead */

/** @type {Map<string, Lead>} */
const leads = new Map();
let lastLead = 0;

const templateNames = 'Course welcome,Payment reminder,Trial lesson follow-up,Certificate,Summer break'.split(
  ',',
);
const templates = templateNames.map((name, at) => ({
  id: String(at + 1),
  name,
  body: '<p>Hello {{first_name}},</p><p>welcome to <b>{{course_name}}</b>. We start on {{start_date}}.</p><p>See you soon!</p>',
  variables: ['first_name', 'course_name', 'start_date'],
  created_at: '2026-01-12T09:30:00.000Z',
}));

app.setErrorHandler((thrown, _request, reply) => {
  const error = /** @type {import('fastify').FastifyError} */ (thrown);
  return reply
    .code(error.statusCode ?? 500)
    .send({ success: false, error: error.message, message: 'The request was refused.' });
});
app.addHook('onRequest', async (request, reply) => {
  const [, key] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
  if (key !== undefined && /^test_[A-Za-z0-9_-]{0,120}$/.test(key)) return undefined;
  return reply
    .code(401)
    .send({ success: false, error: 'unknown key', message: 'Send "Authorization: Bearer test_…".' });
});

app.get('/api/v1/email/templates', async () => ({
  success: true,
  error: '',
  data: templates,
  message: `${templates.length} templates`,
}));

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

console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
