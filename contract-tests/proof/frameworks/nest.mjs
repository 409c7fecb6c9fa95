// NestJS on Express, with class-validator, a guard, an exception filter and SQLite.
// JavaScript has no decorators yet, so `decorate` applies them as the TypeScript compiler does.
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import * as nest from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Transform } from 'class-transformer';
import { IsEmail, IsNotEmpty, IsObject, IsOptional, IsString, ValidateIf } from 'class-validator';
import { openLeads } from './database.mjs';
import { findTemplate, isAuthorised, notFoundPage, render, sanitiserFor, templates } from './switches.mjs';

/** Decorates a property, or a method whose parameters have these types and decorators. */
const decorate = ({ prototype }, name, decorators, parameters = []) => {
  const types = parameters.map(([type]) => type);
  Reflect.defineMetadata('design:paramtypes', types, prototype, name);
  for (const [index, [, decorator]] of parameters.entries()) decorator(prototype, name, index);
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
  for (const decorator of decorators) decorator(prototype, name, descriptor);
};

const leadTypes = (on) => {
  class CreateLead {}
  class UpdateLead {}
  // The database takes null for an empty text, not the validator.
  const sanitise = Transform(({ value }) => sanitiserFor({ ...on, emptyAsNull: false })(value));
  const isText = [IsString(), ...(on.numbers ? [ValidateIf((_, value) => typeof value !== 'number')] : [])];
  // Unlike @IsOptional, which lets null through.
  const isPresent = ValidateIf((_, value) => value !== undefined);
  for (const field of ['name', 'source', 'note']) {
    decorate(CreateLead, field, [...isText, sanitise, field === 'name' ? IsNotEmpty() : isPresent]);
    decorate(UpdateLead, field, [...isText, sanitise, isPresent]);
  }
  return { CreateLead, UpdateLead };
};

const replaceEmpty = (fields) => {
  for (const field of ['source', 'note']) fields[field] ||= null;
};

const createLeadsController = (leads, on) => {
  const { CreateLead, UpdateLead } = leadTypes(on);
  class LeadsController {
    list() {
      return { success: true, error: '', data: leads.list(), message: 'Leads' };
    }

    find(id) {
      const lead = leads.find(id);
      if (!lead) throw new nest.NotFoundException(`Lead ${id} was not found`);
      return { success: true, error: '', data: lead, message: 'Lead' };
    }

    create({ name, source = '', note = '' }) {
      const fields = { lead_id: randomUUID(), name, source, note };
      if (on.emptyAsNull) replaceEmpty(fields);
      const data = leads.add(fields);
      return { success: true, data, message: 'Lead added' };
    }

    update(id, changes) {
      const fields = { ...this.find(id).data, ...JSON.parse(JSON.stringify(changes)) };
      if (on.emptyAsNull) replaceEmpty(fields);
      const data = leads.update(id, fields);
      return { success: true, error: '', data, message: 'Lead updated' };
    }

    remove(id) {
      this.find(id);
      leads.remove(id);
      return { success: true, error: '', message: 'Lead deleted' };
    }
  }
  const id = [String, nest.Param('id')];
  // Without @HttpCode a POST is answered with 201.
  const added = on.created ? [] : [nest.HttpCode(200)];
  decorate(LeadsController, 'list', [nest.Get()]);
  decorate(LeadsController, 'find', [nest.Get(':id')], [id]);
  decorate(LeadsController, 'create', [nest.Post(), ...added], [[CreateLead, nest.Body()]]);
  decorate(LeadsController, 'update', [nest.Put(':id')], [id, [UpdateLead, nest.Body()]]);
  decorate(LeadsController, 'remove', [nest.Delete(':id')], [id]);
  nest.Controller('leads')(LeadsController);
  return LeadsController;
};

class SendEmail {}
for (const field of ['from', 'to']) decorate(SendEmail, field, [IsEmail()]);
for (const field of ['subject', 'html']) decorate(SendEmail, field, [IsString(), IsNotEmpty()]);

class SendTemplate {}
decorate(SendTemplate, 'template_id', [IsString(), IsNotEmpty()]);
decorate(SendTemplate, 'variables', [IsObject(), IsOptional()]);
decorate(SendTemplate, 'to', [IsEmail(), IsOptional()]);

class EmailController {
  list() {
    return { success: true, error: '', data: templates, message: 'Templates' };
  }

  send() {
    return { success: true, message: 'Email sent' };
  }

  sendTemplate({ template_id, variables }) {
    const template = findTemplate(template_id);
    if (!template) throw new nest.NotFoundException(`Template ${template_id} was not found`);
    const { missing } = render(template, variables ?? {});
    if (missing) throw new nest.BadRequestException(`Variable ${missing} is missing`);
    return { success: true, message: 'Email sent' };
  }
}
decorate(EmailController, 'list', [nest.Get('templates')]);
decorate(EmailController, 'send', [nest.Post('send'), nest.HttpCode(200)], [[SendEmail, nest.Body()]]);
decorate(
  EmailController,
  'sendTemplate',
  [nest.Post(['template', 'send-template']), nest.HttpCode(200)],
  [[SendTemplate, nest.Body()]],
);
nest.Controller('email')(EmailController);

class KeyGuard {
  canActivate(context) {
    const { headers } = context.switchToHttp().getRequest();
    if (!isAuthorised(headers.authorization)) throw new nest.UnauthorizedException('Invalid API key');
    return true;
  }
}
nest.Injectable()(KeyGuard);

const createErrorFilter = (on) => {
  class ErrorFilter {
    catch(error, host) {
      const response = host.switchToHttp().getResponse();
      const status = error instanceof nest.HttpException ? error.getStatus() : 500;
      if (status === 404 && on.htmlNotFound) return response.status(404).type('html').send(notFoundPage);
      const [text] = [error.getResponse?.().message ?? 'Internal server error'].flat();
      const field = on.detail ? 'detail' : 'error';
      return response.status(status).json({ success: false, statusCode: status, [field]: text });
    }
  }
  nest.Catch()(ErrorFilter);
  return new ErrorFilter();
};

export const start = async (on) => {
  const leads = openLeads('TEXT PRIMARY KEY');
  class ApiModule {}
  nest.Module({ controllers: [createLeadsController(leads, on), EmailController] })(ApiModule);
  const app = await NestFactory.create(ApiModule, { logger: false });
  app.setGlobalPrefix('api/v1');
  app.useGlobalGuards(new KeyGuard());
  app.useGlobalPipes(new nest.ValidationPipe({ whitelist: true, transform: true }));
  app.useGlobalFilters(createErrorFilter(on));
  await app.listen(0, '127.0.0.1');
  return { port: app.getHttpServer().address().port, leads: leads.count };
};
