// Koa with its router and body parser, joi for mail, and SQLite: errors thrown by ctx.throw, caught by one middleware.
import Router from '@koa/router';
import Joi from 'joi';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { openLeads } from './database.mjs';
import { findTemplate, isAuthorised, notFoundPage, render, sanitiserFor, templates } from './switches.mjs';

const handleErrors = (on) => async (ctx, next) => {
  try {
    await next();
    if (ctx.status === 404 && ctx.body === undefined) ctx.throw(404, 'No such resource');
  } catch (error) {
    ctx.status = error.status ?? 500;
    const text = ctx.status < 500 ? error.message : 'Internal server error';
    if (ctx.status === 404 && on.htmlNotFound) ctx.body = notFoundPage;
    else ctx.body = { success: false, [on.detail ? 'detail' : 'error']: text, message: text };
  }
};

const authenticate = async (ctx, next) => {
  if (!isAuthorised(ctx.get('Authorization'))) {
    ctx.set('WWW-Authenticate', 'Bearer');
    ctx.throw(401, 'Authentication failed');
  }
  await next();
};

/** The fields of a lead that a body has, checked and sanitised. */
const readFields = (on) => {
  const sanitise = sanitiserFor(on);
  const isText = (value) => typeof value === 'string' || (on.numbers && typeof value === 'number');
  return (ctx) => {
    const fields = {};
    for (const [name, value] of Object.entries(ctx.request.body ?? {})) {
      ctx.assert(['name', 'source', 'note', 'email'].includes(name), 400, `Unknown field ${name}`);
      ctx.assert(isText(value), 400, `Field ${name} must be a string`);
      if (name !== 'email') fields[name] = sanitise(value);
    }
    return fields;
  };
};

const addLeadRoutes = (router, leads, on) => {
  const fieldsOf = readFields(on);
  const load = (ctx) => {
    const lead = leads.find(ctx.params.id);
    ctx.assert(lead, 404, 'Lead does not exist');
    return lead;
  };
  let count = 0;

  router.post('/leads', (ctx) => {
    const { name, source, note = '' } = fieldsOf(ctx);
    for (const [field, value] of Object.entries({ name, source }))
      ctx.assert(value || value === 0, 400, `Field ${field} is required`);
    count += 1;
    const lead_id = `ld_${Date.now().toString(36)}${count.toString(36).padStart(4, '0')}`;
    const data = leads.add({ lead_id, name, source, note });
    ctx.status = on.created ? 201 : 200;
    ctx.body = { success: true, error: '', data, message: 'Lead saved' };
  });
  router.put('/leads/:id', (ctx) => {
    const lead = load(ctx);
    const fields = fieldsOf(ctx);
    ctx.assert(Object.keys(fields).length > 0, 400, 'Nothing to update');
    const data = leads.update(lead.lead_id, { ...lead, ...fields });
    ctx.body = { success: true, error: '', data, message: 'Lead saved' };
  });
  router.delete('/leads/:id', (ctx) => {
    leads.remove(load(ctx).lead_id);
    ctx.body = { success: true, error: '', message: 'Lead removed' };
  });
};

const mail = Joi.object({
  subject: Joi.string().required(),
  from: Joi.string().email({ tlds: false }).required(),
  html: Joi.string().required(),
  to: Joi.string().email({ tlds: false }),
}).unknown();

const templateMail = Joi.object({
  template_id: Joi.string().required(),
  variables: Joi.object().pattern(Joi.string(), Joi.string().allow('')).default({}),
  to: Joi.string().email({ tlds: false }),
}).unknown();

const addEmailRoutes = (router) => {
  const read = (ctx, rules) => {
    const { value, error } = rules.validate(ctx.request.body);
    ctx.assert(!error, 400, error?.message);
    return value;
  };
  router.get('/email/templates', (ctx) => {
    ctx.body = { success: true, error: '', data: templates, message: `${templates.length} templates` };
  });
  router.post('/email/send', (ctx) => {
    read(ctx, mail);
    ctx.body = { success: true, message: 'Email accepted' };
  });
  router.post('/email/send-template', (ctx) => {
    const { template_id, variables } = read(ctx, templateMail);
    const template = findTemplate(template_id);
    ctx.assert(template, 404, 'Template does not exist');
    const { missing } = render(template, variables);
    ctx.assert(!missing, 400, `Variable ${missing} is required`);
    ctx.body = { success: true, message: 'Email accepted' };
  });
};

export const start = async (on) => {
  const leads = openLeads('TEXT PRIMARY KEY');
  const router = new Router({ prefix: '/api/v1' });
  addLeadRoutes(router, leads, on);
  addEmailRoutes(router);
  const app = new Koa();
  app.silent = true;
  app.use(handleErrors(on));
  app.use(authenticate);
  app.use(bodyParser({ enableTypes: ['json'] }));
  app.use(router.routes());
  app.use(router.allowedMethods({ throw: true }));
  const server = await new Promise((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening));
  });
  return { port: server.address().port, leads: leads.count };
};
