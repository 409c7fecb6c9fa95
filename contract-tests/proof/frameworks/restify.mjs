// restify with its plugins and errors: handlers that call next with an error, and a formatter for error responses.
import { randomBytes } from 'node:crypto';
import restify from 'restify';
import errors from 'restify-errors';
import { findTemplate, isAuthorised, notFoundPage, render, sanitiserFor, templates } from './switches.mjs';

const { BadRequestError, ForbiddenError, NotFoundError, UnprocessableEntityError } = errors;

const authenticate = (req, _res, next) =>
  isAuthorised(req.header('Authorization')) ? next() : next(new ForbiddenError('Access denied'));

const requireObject = (req, _res, next) => {
  const needsBody = req.method === 'POST' || req.method === 'PUT';
  const isObject = typeof req.body === 'object' && req.body !== null && !Array.isArray(req.body);
  next(needsBody && !isObject ? new BadRequestError('The body must be a JSON object') : undefined);
};

const readFields = (on) => {
  const sanitise = sanitiserFor(on);
  return (body) => {
    const fields = {};
    for (const name of ['name', 'source', 'note']) {
      const value = body[name];
      if (value === undefined) continue;
      if (typeof value !== 'string' && !(on.numbers && typeof value === 'number'))
        throw new UnprocessableEntityError(`${name} is not a string`);
      fields[name] = sanitise(value);
    }
    return fields;
  };
};

/** A handler that returns the body of its response. */
const reply = (handler) => (req, res, next) => {
  try {
    res.send(...handler(req));
    next();
  } catch (error) {
    next(error);
  }
};

const addLeadRoutes = (server, leads, on) => {
  const fieldsOf = readFields(on);
  const load = ({ params }) => {
    const lead = leads.get(params.id);
    if (!lead) throw new NotFoundError('No lead has this id');
    return lead;
  };
  server.post(
    '/api/v1/leads',
    reply(({ body }) => {
      const { name, source = '', note = '' } = fieldsOf(body);
      if (name === undefined) throw new UnprocessableEntityError('name is missing');
      const lead = { lead_id: randomBytes(8).toString('base64url'), name, source, note };
      leads.set(lead.lead_id, lead);
      const data = { ...lead, created_at: new Date().toISOString() };
      return [on.created ? 201 : 200, { success: true, data, message: 'Lead added' }];
    }),
  );
  server.put(
    '/api/v1/leads/:id',
    reply((req) => {
      const lead = load(req);
      const { note } = fieldsOf(req.body);
      if (note === undefined) throw new UnprocessableEntityError('note is missing');
      Object.assign(lead, { note });
      const data = { ...lead, updated_at: new Date().toISOString() };
      return [200, { success: true, error: '', data, message: 'Lead updated' }];
    }),
  );
  server.del(
    '/api/v1/leads/:id',
    reply((req) => {
      leads.delete(load(req).lead_id);
      return [200, { success: true, error: '', message: 'Lead deleted' }];
    }),
  );
};

const requireTexts = (body, names) => {
  const missing = names.find((name) => typeof body[name] !== 'string' || body[name] === '');
  if (missing) throw new UnprocessableEntityError(`${missing} is missing`);
};

const addEmailRoutes = (server) => {
  server.get(
    '/api/v1/email/templates',
    reply(() => [200, { success: true, error: '', data: templates, message: 'Templates' }]),
  );
  server.post(
    '/api/v1/email/send',
    reply(({ body }) => {
      requireTexts(body, ['to', 'subject', 'html']);
      return [200, { success: true, message: 'Email sent' }];
    }),
  );
  server.post(
    '/api/v1/email/template',
    reply(({ body }) => {
      requireTexts(body, ['template_id', 'to']);
      const template = findTemplate(body.template_id);
      if (!template) throw new NotFoundError('No template has this id');
      const { missing } = render(template, Object(body.variables));
      if (missing) throw new UnprocessableEntityError(`variables.${missing} is missing`);
      return [200, { success: true, message: 'Email sent' }];
    }),
  );
};

export const start = async (on) => {
  const leads = new Map();
  const server = restify.createServer({ name: 'leads' });
  server.pre(restify.plugins.pre.sanitizePath());
  server.use(authenticate);
  server.use(restify.plugins.acceptParser(server.acceptable));
  server.use(restify.plugins.bodyParser());
  server.use(requireObject);
  addLeadRoutes(server, leads, on);
  addEmailRoutes(server);
  server.on('restifyError', (_req, res, error, done) => {
    const status = error.statusCode ?? 500;
    const text = status < 500 ? error.message : 'Internal error';
    if (status === 404 && on.htmlNotFound) {
      res.sendRaw(404, notFoundPage, { 'Content-Type': 'text/html' });
      return done();
    }
    error.toJSON = () => ({ success: false, [on.detail ? 'detail' : 'error']: text, message: error.name });
    return done();
  });
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { port: server.address().port, leads: () => leads.size };
};
