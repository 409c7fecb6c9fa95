// Express 5 with zod and a map: async handlers that throw, JSON for every 404 below /api, leads that can be read.
import { randomUUID } from 'node:crypto';
import express from 'express';
import { z } from 'zod';
import { findTemplate, isAuthorised, notFoundPage, render, templates } from './switches.mjs';

class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const unknownLead = () => new ApiError(404, 'lead_not_found');

/** A text field of a lead, sanitised with what zod offers. */
const leadText = (on) => {
  let text = z.string().max(5000);
  if (on.trim) text = text.trim();
  if (on.compose) text = text.normalize('NFC');
  if (on.lineBreaks) text = text.overwrite((value) => value.replaceAll('\r\n', '\n'));
  if (on.escape)
    text = text.overwrite((value) =>
      value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    );
  if (on.numbers) text = z.union([text, z.number()]);
  return on.emptyAsNull ? text.transform((value) => (value === '' ? null : value)) : text;
};

const leadSchemas = (on) => {
  const text = leadText(on);
  const add = z.object({ name: text, source: text.default(''), note: text.default('') });
  const update = z.object({ name: text, source: text, note: text }).partial();
  return { add, update };
};

const mailSchema = z.object({
  from: z.email().optional(),
  to: z.email(),
  subject: z.string().min(1),
  html: z.string().min(1),
});

const templateMailSchema = z.object({
  template_id: z.string(),
  variables: z.record(z.string(), z.string()),
  to: z.email().optional(),
});

const parse = (schema, body) => {
  const { success, data, error } = schema.safeParse(body);
  if (!success) throw new ApiError(400, 'validation_failed', { cause: error });
  return data;
};

const leadsRouter = (leads, on) => {
  const router = express.Router();
  const schemas = leadSchemas(on);
  const view = ({ created_at, updated_at, ...lead }) => ({ ...lead, created_at });
  const load = (id) => {
    const lead = leads.get(id);
    if (!lead) throw unknownLead();
    return lead;
  };

  router.get('/', async (_req, res) => {
    res.json({ success: true, error: '', data: [...leads.values()].map(view), message: 'OK' });
  });
  router.post('/', async (req, res) => {
    const fields = parse(schemas.add, req.body);
    const now = new Date().toISOString();
    const lead = { lead_id: randomUUID(), ...fields, created_at: now, updated_at: now };
    leads.set(lead.lead_id, lead);
    res.status(on.created ? 201 : 200).json({ success: true, data: view(lead), message: 'Lead created' });
  });
  router.get('/:id', async (req, res) => {
    res.json({ success: true, error: '', data: view(load(req.params.id)), message: 'OK' });
  });
  router.put('/:id', async (req, res) => {
    const lead = load(req.params.id);
    Object.assign(lead, parse(schemas.update, req.body), { updated_at: new Date().toISOString() });
    const { created_at, ...data } = lead;
    res.json({ success: true, error: '', data, message: 'Lead updated' });
  });
  router.delete('/:id', async (req, res) => {
    if (!leads.delete(req.params.id)) throw unknownLead();
    res.json({ success: true, error: '', message: 'Lead deleted' });
  });
  return router;
};

const emailRouter = () => {
  const router = express.Router();
  const sendTemplate = async (req, res) => {
    const { template_id, variables } = parse(templateMailSchema, req.body);
    const template = findTemplate(template_id);
    if (!template) throw new ApiError(404, 'template_not_found');
    if (render(template, variables).missing) throw new ApiError(400, 'variable_missing');
    res.json({ success: true, message: 'Email queued' });
  };
  router.get(['/templates', '/template'], async (_req, res) => {
    res.json({ success: true, error: '', data: templates, message: '' });
  });
  router.post('/send', async (req, res) => {
    parse(mailSchema, req.body);
    res.json({ success: true, message: 'Email queued' });
  });
  router.post(['/template', '/send-template'], sendTemplate);
  return router;
};

const authenticate = (req, _res, next) => {
  if (req.get('Authorization') === undefined) throw new ApiError(401, 'missing_api_key');
  if (!isAuthorised(req.get('Authorization'))) throw new ApiError(403, 'invalid_api_key');
  next();
};

const handleErrors = (on) => (error, _req, res, _next) => {
  const status = error.status ?? 500;
  if (status === 404 && on.htmlNotFound) return res.status(404).type('html').send(notFoundPage);
  const code = error instanceof ApiError ? error.message : (error.type ?? 'internal_error');
  return res.status(status).json({ success: false, [on.detail ? 'detail' : 'error']: code });
};

export const start = async (on) => {
  const leads = new Map();
  const app = express();
  app.disable('x-powered-by');
  app.use(express.json({ limit: '1mb' }));
  app.use('/api/v1', authenticate);
  app.use('/api/v1/leads', leadsRouter(leads, on));
  app.use('/api/v1/email', emailRouter());
  app.use(() => {
    throw new ApiError(404, 'not_found');
  });
  app.use(handleErrors(on));
  const server = await new Promise((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening));
  });
  return { port: server.address().port, leads: () => leads.size };
};
