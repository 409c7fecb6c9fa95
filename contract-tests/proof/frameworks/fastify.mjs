// Fastify with JSON schemas, in its default settings: numbers become text, unknown fields are removed.
import Fastify from 'fastify';
import { findTemplate, isAuthorised, notFoundPage, render, sanitiserFor, templates } from './switches.mjs';

const object = (properties, required = []) => ({
  body: { type: 'object', properties, required, additionalProperties: false },
});
const text = { type: 'string' };
const address = { type: 'string', format: 'email' };

const failWith = (statusCode, message) => {
  throw Object.assign(new Error(message), { statusCode });
};

const leadSchemas = (on) => {
  const field = { type: on.numbers ? ['number', 'string'] : 'string', maxLength: 2000 };
  const fields = { name: { ...field, minLength: 1 }, source: field, note: field };
  return { add: object(fields, ['name', 'source', 'note']), update: object(fields) };
};

const leadRoutes = (leads, on) => async (app) => {
  const schemas = leadSchemas(on);
  const sanitise = sanitiserFor({ ...on, emptyAsNull: false });
  let lastId = 4000;
  const load = ({ params }) => leads.get(params.id) ?? failWith(404, `There is no lead ${params.id}`);
  app.addHook('preHandler', async ({ body }) => {
    for (const [name, value] of Object.entries(body ?? {})) body[name] = sanitise(value);
    if (on.emptyAsNull && body?.note === '') body.note = null;
  });

  app.post('/', { schema: schemas.add }, async ({ body }, reply) => {
    lastId += 1;
    const lead = { lead_id: String(lastId), ...body };
    leads.set(lead.lead_id, lead);
    reply.code(on.created ? 201 : 200);
    return { success: true, data: { ...lead, created_at: new Date().toISOString() }, message: 'created' };
  });
  app.get('/:id', async (request) => ({ success: true, error: '', data: load(request), message: '' }));
  app.put('/:id', { schema: schemas.update }, async (request) => {
    const lead = Object.assign(load(request), request.body);
    const data = { ...lead, updated_at: new Date().toISOString() };
    return { success: true, error: '', data, message: 'updated' };
  });
  app.delete('/:id', async (request) => {
    leads.delete(load(request).lead_id);
    return { success: true, error: '', message: 'deleted' };
  });
};

const emailRoutes = async (app) => {
  const mail = object({ subject: text, from: address, html: text, to: address }, ['from', 'html', 'subject']);
  const templateMail = object(
    { template_id: text, variables: { type: 'object', additionalProperties: text }, to: address },
    ['template_id', 'variables'],
  );
  app.get('/templates', async () => ({ success: true, error: '', data: templates, message: '' }));
  app.post('/send', { schema: mail }, async () => ({ success: true, message: 'The email was sent' }));
  app.post('/template', { schema: templateMail }, async ({ body: { template_id, variables } }) => {
    const template = findTemplate(template_id) ?? failWith(404, `There is no template ${template_id}`);
    const { missing } = render(template, variables);
    if (missing) failWith(400, `body/variables must have required property '${missing}'`);
    return { success: true, message: 'The email was sent' };
  });
};

export const start = async (on) => {
  const leads = new Map();
  const app = Fastify({ ajv: { customOptions: { allowUnionTypes: true } } });
  app.setErrorHandler((error, _request, reply) => {
    const status = error.statusCode ?? 500;
    reply.code(status);
    if (status === 404 && on.htmlNotFound) return reply.type('text/html').send(notFoundPage);
    const message = status < 500 ? error.message : 'Internal Server Error';
    return on.detail ? { statusCode: status, detail: message } : { statusCode: status, error: message };
  });
  app.register(
    async (api) => {
      api.addHook('onRequest', async ({ headers }) => {
        if (!isAuthorised(headers.authorization)) failWith(401, 'Unauthorized');
      });
      api.register(leadRoutes(leads, on), { prefix: '/leads' });
      api.register(emailRoutes, { prefix: '/email' });
    },
    { prefix: '/api/v1' },
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { port: app.server.address().port, leads: () => leads.size };
};
