// Express 4 with express-validator and SQLite: handlers with callbacks, an error handler at the end, no page of its own for 404.

import { body, param, validationResult } from 'express-validator';
import express from 'express4';
import { openLeads } from './database.mjs';
import { findTemplate, isAuthorised, notFoundPage, render, templates } from './switches.mjs';

const authenticate = (req, _res, next) =>
  isAuthorised(req.get('Authorization')) ? next() : next(httpError(401, 'Invalid or missing API key'));

const httpError = (status, message) => Object.assign(new Error(message), { status });

const validate = (req, _res, next) => {
  const [first] = validationResult(req).array();
  next(first && httpError(422, `${first.msg}: ${first.path}`));
};

/** A text field of a lead, sanitised with the chain that express-validator offers. */
const leadText = (on) => (field) => {
  const isText = (value) => typeof value === 'string' || (on.numbers && typeof value === 'number');
  let chain = body(field).optional().custom(isText).withMessage('Must be a string').bail();
  if (on.trim) chain = chain.trim();
  if (on.lineBreaks) chain = chain.customSanitizer((value) => value.replace(/\r\n/g, '\n'));
  if (on.compose) chain = chain.customSanitizer((value) => value.normalize('NFC'));
  if (on.escape) chain = chain.escape();
  if (on.emptyAsNull) chain = chain.customSanitizer((value) => (value === '' ? null : value));
  return chain;
};

const leadRules = (on) => ['name', 'source', 'note'].map(leadText(on));

const requireName = body('name')
  .exists()
  .withMessage('Required')
  .bail()
  .notEmpty()
  .withMessage('Must not be empty');

const leadsRouter = (leads, on) => {
  const router = express.Router();
  const numericId = param('id').isInt({ min: 1 });
  const load = (req, res, next) => {
    if (validationResult(req).isEmpty()) req.lead = leads.find(req.params.id);
    if (req.lead) return next();
    if (on.htmlNotFound) return res.status(404).send(notFoundPage);
    return next(httpError(404, 'Lead not found'));
  };

  router.post('/', requireName, leadRules(on), validate, (req, res) => {
    const { name, source = '', note = '' } = req.body;
    const data = leads.add({ name, source, note });
    res.status(on.created ? 201 : 200).json({ success: true, data, message: 'Lead added successfully' });
  });

  router.put('/:id', numericId, load, leadRules(on), validate, (req, res) => {
    const data = leads.update(req.lead.lead_id, { ...req.lead, ...req.body });
    res.json({ success: true, error: '', data, message: 'Lead updated successfully' });
  });

  router.delete('/:id', numericId, load, (req, res) => {
    leads.remove(req.lead.lead_id);
    res.json({ success: true, error: '', message: 'Lead deleted successfully' });
  });
  return router;
};

const emailRouter = () => {
  const router = express.Router();
  const mailRules = [
    ...['from', 'to'].map((field) => body(field).isEmail().withMessage('Must be an email address')),
    ...['subject', 'html'].map((field) => body(field).isString().notEmpty().withMessage('Required')),
  ];
  const templateRules = [
    body('template_id').isString().withMessage('Must be a string'),
    body('variables').optional().isObject().withMessage('Must be an object'),
    body('to').optional().isEmail().withMessage('Must be an email address'),
  ];

  router.get('/templates', (_req, res) => {
    res.json({ success: true, error: '', data: templates, message: 'Templates retrieved' });
  });
  router.post('/send', mailRules, validate, (_req, res) => {
    res.json({ success: true, message: 'Email sent successfully' });
  });
  router.post('/template', templateRules, validate, (req, res, next) => {
    const template = findTemplate(req.body.template_id);
    if (!template) return next(httpError(404, 'Template not found'));
    const { missing } = render(template, req.body.variables ?? {});
    if (missing) return next(httpError(422, `Variable ${missing} is missing`));
    return res.json({ success: true, message: 'Email sent successfully' });
  });
  return router;
};

const handleErrors = (on) => (error, _req, res, next) => {
  if (res.headersSent) return next(error);
  const status = error.status ?? 500;
  const text = status < 500 ? error.message : 'Internal server error';
  return res.status(status).json({ success: false, [on.detail ? 'detail' : 'error']: text, message: text });
};

export const start = async (on) => {
  const leads = openLeads('INTEGER PRIMARY KEY AUTOINCREMENT');
  const app = express();
  app.use('/api/v1', authenticate, express.json());
  app.use('/api/v1/leads', leadsRouter(leads, on));
  app.use('/api/v1/email', emailRouter());
  app.use(handleErrors(on));
  const server = await new Promise((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening));
  });
  return { port: server.address().port, leads: leads.count };
};
