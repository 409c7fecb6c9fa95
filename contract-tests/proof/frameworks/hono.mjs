// Hono on Node.js with its bearer middleware and the zod validator.
import { randomUUID } from 'node:crypto';
import { serve } from '@hono/node-server';
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { HTTPException } from 'hono/http-exception';
import { z } from 'zod';
import { apiKey, findTemplate, notFoundPage, render, sanitiserFor, templates } from './switches.mjs';

const body = (schema) =>
  zValidator('json', schema, ({ success, error }) => {
    if (!success) throw new HTTPException(422, { message: z.prettifyError(error) });
  });

const leadText = (on) => {
  const text = on.numbers ? z.union([z.string(), z.number()]) : z.string();
  return text.transform(sanitiserFor(on));
};

const leadRoutes = (leads, on) => {
  const text = leadText(on);
  const add = z.strictObject({
    name: text,
    source: text.optional(),
    note: text.optional(),
    email: z.email().optional(),
  });
  const update = z.object({ note: text });
  const load = (c) => {
    const lead = leads.get(c.req.param('id'));
    if (!lead) throw new HTTPException(404, { message: 'Lead not found' });
    return lead;
  };
  return new Hono()
    .post('/', body(add), (c) => {
      const { name, source = '', note = '' } = c.req.valid('json');
      const lead = { lead_id: randomUUID(), name, source, note };
      leads.set(lead.lead_id, lead);
      const data = { ...lead, created_at: new Date().toISOString() };
      return c.json({ success: true, data, message: 'Lead added' }, on.created ? 201 : 200);
    })
    .put('/:id', body(update), (c) => {
      const lead = Object.assign(load(c), c.req.valid('json'));
      const data = { ...lead, updated_at: new Date().toISOString() };
      return c.json({ success: true, error: '', data, message: 'Lead updated' });
    })
    .delete('/:id', (c) => {
      leads.delete(load(c).lead_id);
      return c.json({ success: true, error: '', message: 'Lead deleted' });
    });
};

const mail = z.object({ subject: z.string(), from: z.email(), html: z.string(), to: z.email().optional() });

const templateMail = z.object({
  template_id: z.string(),
  variables: z.record(z.string(), z.string()).default({}),
  to: z.email(),
});

const emailRoutes = () => {
  const sendTemplate = (c) => {
    const { template_id, variables } = c.req.valid('json');
    const template = findTemplate(template_id);
    if (!template) throw new HTTPException(404, { message: 'Template not found' });
    const { missing } = render(template, variables);
    if (missing) throw new HTTPException(422, { message: `Variable ${missing} is missing` });
    return c.json({ success: true, message: 'Email sent' });
  };
  return new Hono()
    .get('/templates', (c) => c.json({ success: true, error: '', data: templates, message: '' }))
    .post('/send', body(mail), (c) => c.json({ success: true, message: 'Email sent' }))
    .post('/template', body(templateMail), sendTemplate)
    .post('/send-template', body(templateMail), sendTemplate);
};

export const start = async (on) => {
  const leads = new Map();
  const failure = (text) => ({ success: false, [on.detail ? 'detail' : 'error']: text, message: text });
  const app = new Hono();
  app.use(
    '/api/v1/*',
    bearerAuth({
      token: apiKey,
      noAuthenticationHeader: { message: failure('The Authorization header is missing') },
      invalidAuthenticationHeader: { message: failure('The Authorization header is malformed') },
      invalidToken: { message: failure('The key is unknown') },
    }),
  );
  app.route('/api/v1/leads', leadRoutes(leads, on));
  app.route('/api/v1/email', emailRoutes());
  app.notFound((c) => c.json(failure('There is nothing here'), 404));
  app.onError((error, c) => {
    if (error instanceof HTTPException && error.res) return error.getResponse();
    const status = error instanceof HTTPException ? error.status : 500;
    if (status === 404 && on.htmlNotFound) return c.html(notFoundPage, 404);
    return c.json(failure(status < 500 ? error.message : 'Internal error'), status);
  });
  const { port } = await new Promise((resolve) => {
    serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, resolve);
  });
  return { port, leads: () => leads.size };
};
