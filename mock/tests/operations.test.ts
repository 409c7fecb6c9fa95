// What operations store and say beyond the contract, which the suite holds against the mock (`contract.test.ts`).
import { describe, expect, test } from 'vitest';
import defaultSeed from '../mail/default-seed.json' with { type: 'json' };
import { mailInTest, useMock } from '../testing/mock-server.ts';

const utc = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const mock = useMock();

describe('send an email (§4.1)', () => {
  test('confirms with a message, and captures exactly what came', async () => {
    const html = '<p>"ü" & 𝄞 {{name}} $&</p>\r\n\0';
    const sent = { ...mailInTest, html, to: 'b@example.com' };
    expect(await mock.mail(sent)).toMatchObject({
      status: 200,
      body: { success: true, message: 'Email sent to b@example.com' },
    });
    expect(await mock.read('/outbox/latest')).toMatchObject({
      id: 'msg_000001',
      operation: 'sendEmail',
      ...sent,
      template_id: null,
      variables: null,
      created_at: utc,
    });
  });
});

describe('list templates (§4.2)', () => {
  test.each(['/api/v1/email/templates', '/api/v1/email/template?limit=1'])(
    'lists the seed at %s, and ignores a limit',
    async (path) => {
      expect(await mock.call('GET', path)).toMatchObject({
        status: 200,
        body: { success: true, error: '', data: defaultSeed.templates, message: '5 templates' },
      });
    },
  );
});

describe('send an email from a template (§4.3)', () => {
  const variables = { first_name: 'Lena', course_name: 'Watercolour', reserved_until: 'Friday' };

  test.each(['template', 'send-template'])(
    'fills in each place of a repeated variable at %s',
    async (path) => {
      const body = { template_id: '3', variables };
      expect(await mock.call('POST', `/api/v1/email/${path}`, { body })).toMatchObject({
        status: 200,
        body: { success: true, message: 'Email from template "Trial lesson follow-up" captured' },
      });
      expect(await mock.read('/outbox/latest')).toMatchObject({
        operation: 'sendTemplateEmail',
        to: null,
        from: null,
        subject: null,
        ...body,
        html:
          '<p>Hi Lena,</p><p>how did you like the trial lesson of Watercolour? ' +
          'Seats in Watercolour are kept for you until Friday.</p>',
      });
    },
  );

  test('takes a recipient, no variables, and variables the template does not list', async () => {
    for (const variables of [{}, { spare: 'x', ['__proto__']: 'y', constructor: 'z' }]) {
      const body = JSON.stringify({ template_id: '5', variables, to: 'b@example.com' });
      expect((await mock.call('POST', '/api/v1/email/template', { body })).status).toBe(200);
      expect(await mock.read('/outbox/latest')).toMatchObject({ to: 'b@example.com' });
    }
  });
});

describe('add a lead (§4.5)', () => {
  test('returns it with an id and the time', async () => {
    const fields = { name: 'Lena', source: 'web / ref=7, ü', note: 'a "note"\n<b>𝄞</b>' };
    const { body } = await mock.call('POST', '/api/v1/leads', {
      body: { ...fields, email: 'a@example.com' },
    });
    const data = { lead_id: 'lead_000001', ...fields, created_at: utc };
    expect(body).toEqual({ success: true, data, message: 'Lead added' });
    expect(await mock.lead({ name: 'Lena' })).toMatchObject({ lead_id: 'lead_000002', source: '', note: '' });
  });

  test('names of inherited properties are ordinary fields', async () => {
    const body = '{"name":"Lena","__proto__":{"source":"x"},"constructor":{"prototype":{}},"toString":1}';
    expect(await mock.call('POST', '/api/v1/leads', { body })).toMatchObject({
      status: 200,
      body: { data: { name: 'Lena', source: '' } },
    });
  });

  test('lone surrogates come back as they were sent', async () => {
    const { text } = await mock.call('POST', '/api/v1/leads', { body: '{"name":"\\ud800"}' });
    expect(text).toContain('"name":"\\ud800"');
  });
});

describe('delete a lead (§4.7)', () => {
  test.each([
    ['a JSON type and no body', { headers: { 'content-type': 'application/json' } }],
    ['a body that is not JSON', { body: '{"name":' }],
    ['a type that is none', { body: 'x', headers: { 'content-type': 'garbage' } }],
  ])('takes %s', async (_what, sent) => {
    const { lead_id } = await mock.lead();
    expect((await mock.call('DELETE', `/api/v1/leads/${lead_id}`, sent)).status).toBe(200);
  });
});
