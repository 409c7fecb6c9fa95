// hapi with joi and boom: an authentication scheme, validated routes, and boom's own error responses.
import { randomBytes } from 'node:crypto';
import Boom from '@hapi/boom';
import Hapi from '@hapi/hapi';
import Joi from 'joi';
import { findTemplate, isAuthorised, notFoundPage, render, templates } from './switches.mjs';

/** A text field of a lead, sanitised with what joi offers. */
const leadText = (on) => {
  let text = Joi.string().allow('');
  if (on.trim) text = text.trim();
  if (on.lineBreaks) text = text.replace(/\r\n/g, '\n');
  if (on.compose) text = text.normalize('NFC');
  if (on.escape) text = text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  return on.numbers ? Joi.alternatives(text, Joi.number().strict()) : text;
};

const bearer = () => ({
  authenticate: (request, h) => {
    if (isAuthorised(request.headers.authorization))
      return h.authenticated({ credentials: { scope: 'api' } });
    throw Boom.unauthorized('The API key is missing or wrong', 'Bearer');
  },
});

const leadRoutes = (leads, on) => {
  const text = leadText(on);
  const payload = (keys) => ({
    validate: { payload: Joi.object(keys), options: { stripUnknown: true }, failAction: 'error' },
  });
  const stored = (value) => (on.emptyAsNull && value === '' ? null : value);
  const load = ({ params }) => {
    const lead = leads.get(params.id);
    if (!lead) throw Boom.notFound('There is no such lead');
    return lead;
  };
  const success = (data) => ({ success: true, error: '', ...data });
  return [
    {
      method: 'POST',
      path: '/api/v1/leads',
      options: payload({ name: text.required(), source: text.default(''), note: text.default('') }),
      handler: ({ payload: fields }, h) => {
        const { name, source, note } = fields;
        const lead = {
          lead_id: randomBytes(12).toString('hex'),
          name,
          source: stored(source),
          note: stored(note),
        };
        leads.set(lead.lead_id, lead);
        const data = { ...lead, created_at: new Date().toISOString() };
        return h.response({ success: true, data, message: 'Lead added' }).code(on.created ? 201 : 200);
      },
    },
    {
      method: 'PUT',
      path: '/api/v1/leads/{id}',
      options: payload({ name: text, source: text, note: text }),
      handler: (request) => {
        const lead = load(request);
        for (const field of ['name', 'source', 'note'])
          if (request.payload[field] !== undefined) lead[field] = stored(request.payload[field]);
        return success({ data: { ...lead, updated_at: new Date().toISOString() }, message: 'Lead updated' });
      },
    },
    {
      method: 'DELETE',
      path: '/api/v1/leads/{id}',
      handler: (request) => {
        leads.delete(load(request).lead_id);
        return success({ message: 'Lead deleted' });
      },
    },
  ];
};

const address = Joi.string().email({ tlds: false });

const emailRoutes = [
  {
    method: 'GET',
    path: '/api/v1/email/templates',
    options: { validate: { query: Joi.object({ limit: Joi.number().integer().min(1) }) } },
    handler: ({ query }) => ({
      success: true,
      error: '',
      data: templates.slice(0, query.limit),
      message: 'Templates',
    }),
  },
  {
    method: 'POST',
    path: '/api/v1/email/send',
    options: {
      validate: {
        payload: Joi.object({
          subject: Joi.string().allow('').required(),
          from: address.required(),
          html: Joi.string().required(),
          to: address.required(),
        }),
      },
    },
    handler: () => ({ success: true, message: 'Email sent' }),
  },
  {
    method: 'POST',
    path: '/api/v1/email/template',
    options: {
      validate: {
        payload: Joi.object({
          template_id: Joi.string().required(),
          variables: Joi.object().pattern(Joi.string(), Joi.string().allow('')).required(),
          to: address,
        }),
      },
    },
    handler: ({ payload: { template_id, variables } }) => {
      const template = findTemplate(template_id);
      if (!template) throw Boom.notFound('There is no such template');
      const { missing } = render(template, { ...blanks(template), ...variables });
      if (missing) throw Boom.badRequest(`Variable ${missing} is missing`);
      return { success: true, message: 'Email sent' };
    },
  },
];

/** A variable that is missing is left blank. */
const blanks = ({ variables }) => Object.fromEntries(variables.map((name) => [name, '']));

const reshapeErrors =
  (on) =>
  ({ response }, h) => {
    if (!Boom.isBoom(response)) return h.continue;
    const { payload, statusCode } = response.output;
    if (statusCode === 404 && on.htmlNotFound) return h.response(notFoundPage).code(404).type('text/html');
    if (on.detail) response.output.payload = { statusCode, detail: payload.message };
    return h.continue;
  };

export const start = async (on) => {
  const leads = new Map();
  const server = Hapi.server({ port: 0, host: '127.0.0.1', routes: { validate: { failAction: 'error' } } });
  server.auth.scheme('bearer', bearer);
  server.auth.strategy('key', 'bearer');
  server.auth.default('key');
  server.route([...leadRoutes(leads, on), ...emailRoutes]);
  server.ext('onPreResponse', reshapeErrors(on));
  await server.start();
  return { port: server.info.port, leads: () => leads.size };
};
