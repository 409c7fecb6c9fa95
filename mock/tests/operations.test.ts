import { beforeEach, describe, expect, test } from 'vitest';
import { operationIds } from '../contract/in-force.ts';
import { seedTemplates } from '../mail/seed-templates.ts';
import * as email from '../service/email-operations.ts';
import * as leads from '../service/lead-operations.ts';
import { mailInTest, useMock } from '../testing/mock-server.ts';

const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const mock = useMock();
/** The workspace of a test. */
let key: string;
beforeEach(() => {
  key = mock.key();
});
const outbox = async (key: string) =>
  (await mock.call('GET', '/__admin/outbox/latest', { key })).body as Record<string, unknown>;

test('every operation of openapi.yaml has a handler, and every handler an operation', () => {
  expect(Object.keys({ ...email, ...leads }).sort()).toEqual(operationIds().sort());
});

describe('send an email (§4.1)', () => {
  test('confirms with a message, and captures exactly what came', async () => {
    const html = '<p>"ü" & 𝄞 {{name}} $&</p>\r\n\0';
    const sent = { ...mailInTest, html, to: 'b@example.com' };
    expect(await mock.mail(key, sent)).toMatchObject({
      status: 200,
      body: { success: true, message: 'Email sent to b@example.com' },
    });
    expect(await outbox(key)).toMatchObject({
      id: 'msg_000001',
      operation: 'sendEmail',
      ...sent,
      template_id: null,
      variables: null,
      created_at: expect.stringMatching(utc),
    });
  });

  test('records no recipient where the request names none', async () => {
    await mock.mail(key);
    expect(await outbox(key)).toMatchObject({ to: null });
  });
});

describe('list templates (§4.2)', () => {
  test.each(['/api/v1/email/templates', '/api/v1/email/template?limit=1'])(
    'lists the seed at %s, and ignores a limit',
    async (path) => {
      expect(await mock.call('GET', path, { key: mock.key() })).toMatchObject({
        status: 200,
        body: { success: true, error: '', data: seedTemplates, message: '5 templates' },
      });
    },
  );

  test('HEAD has the headers of GET and no body', async () => {
    const head = await mock.call('HEAD', '/api/v1/email/templates');
    const { text } = await mock.call('GET', '/api/v1/email/templates');
    expect(head).toMatchObject({ status: 200, text: '', headers: { 'content-length': String(text.length) } });
  });
});

describe('send an email from a template (§4.3)', () => {
  const variables = { first_name: 'Lena', course_name: 'Watercolour', reserved_until: 'Friday' };

  test.each(['/api/v1/email/template', '/api/v1/email/send-template'])(
    'fills in each place of a repeated variable at %s',
    async (path) => {
      expect(await mock.call('POST', path, { key, body: { template_id: '3', variables } })).toMatchObject({
        status: 200,
        body: { success: true, message: 'Email from template "Trial lesson follow-up" captured' },
      });
      expect(await outbox(key)).toMatchObject({
        operation: 'sendTemplateEmail',
        to: null,
        from: null,
        subject: null,
        template_id: '3',
        variables,
        html:
          '<p>Hi Lena,</p><p>how did you like the trial lesson of Watercolour? ' +
          'Seats in Watercolour are kept for you until Friday.</p>',
      });
    },
  );

  test('takes a recipient, no variables, and variables the template does not list', async () => {
    for (const variables of [{}, { spare: 'x', ['__proto__']: 'y', constructor: 'z' }]) {
      const body = JSON.stringify({ template_id: '5', variables, to: 'b@example.com' });
      expect((await mock.call('POST', '/api/v1/email/template', { key, body })).status).toBe(200);
      expect(await outbox(key)).toMatchObject({ to: 'b@example.com' });
    }
  });
});

describe('add a lead (§4.5)', () => {
  test('returns it with an id and the time', async () => {
    const fields = { name: 'Lena', source: 'web / ref=7, ü', note: 'a "note"\n<b>𝄞</b>' };
    const added = await mock.call('POST', '/api/v1/leads', { key: mock.key(), body: fields });
    expect(added.status).toBe(200);
    expect(added.body).toEqual({
      success: true,
      data: { lead_id: 'lead_000001', ...fields, created_at: expect.stringMatching(utc) },
      message: 'Lead added',
    });
  });

  test('fills in fields left out, and does not return the email field of the examples (§2.3)', async () => {
    const lead = await mock.lead(mock.key(), { name: 'Lena', email: 'lena@example.com' });
    expect(lead).toMatchObject({ source: '', note: '' });
    expect(lead).not.toHaveProperty('email');
  });

  test('gives the same ids to the same calls', async () => {
    const ids = async (key: string) => [(await mock.lead(key)).lead_id, (await mock.lead(key)).lead_id];
    expect(await ids(mock.key())).toEqual(await ids(mock.key()));
  });
});

describe('update a lead (§4.6)', () => {
  test.each([
    [{ note: 'new' }, { name: 'Lena', source: 'web', note: 'new' }],
    [
      { name: 'Mia', source: 'fair' },
      { name: 'Mia', source: 'fair', note: 'old' },
    ],
    [{}, { name: 'Lena', source: 'web', note: 'old' }],
    [{ note: '' }, { name: 'Lena', source: 'web', note: '' }],
  ])('%j changes what was sent and nothing else', async (changes, expected) => {
    const { lead_id } = await mock.lead(key, { name: 'Lena', source: 'web', note: 'old' });
    const other = await mock.lead(key);
    const updated = await mock.call('PUT', `/api/v1/leads/${lead_id}`, { key, body: changes });
    expect(updated.status).toBe(200);
    expect(updated.body).toEqual({
      success: true,
      error: '',
      data: { lead_id, ...expected, updated_at: expect.stringMatching(utc) },
      message: 'Lead updated',
    });
    expect(await mock.call('GET', `/__admin/leads/${lead_id}`, { key })).toMatchObject({ body: expected });
    const kept = await mock.call('GET', `/__admin/leads/${other.lead_id}`, { key });
    expect(kept.body).toMatchObject({ note: '', updated_at: other.created_at });
  });
});

describe('delete a lead (§4.7)', () => {
  test('deletes that lead only, under a percent-encoded id too', async () => {
    const [one, other] = [await mock.lead(key), await mock.lead(key)];
    const path = `/api/v1/leads/${one.lead_id.replace('l', '%6c')}`;
    expect(await mock.call('DELETE', path, { key })).toMatchObject({
      status: 200,
      body: { success: true, error: '', message: 'Lead deleted' },
    });
    const { body } = await mock.call('GET', '/__admin/leads', { key });
    expect(body).toMatchObject({ total: 1, leads: [{ lead_id: other.lead_id }] });
  });

  test.each([
    ['a JSON type and no body', { headers: { 'content-type': 'application/json' } }],
    ['a body that is not JSON', { body: '{"name":' }],
    ['a type that is none', { body: 'x', headers: { 'content-type': 'garbage' } }],
  ])('takes %s', async (_what, sent) => {
    const { lead_id } = await mock.lead(key);
    expect((await mock.call('DELETE', `/api/v1/leads/${lead_id}`, { key, ...sent })).status).toBe(200);
  });
});
