// What operations store and say beyond the contract, which the suite holds against the mock (`contract.test.ts`).
import { describe, expect, test } from 'vitest';
import { mailInTest, useMock } from '../testing/mock-server.ts';

const utc = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const mock = useMock();

describe('send an email (§4.1)', () => {
  test('confirms with a message, and captures exactly what came', async () => {
    const html = '<p>"ü" & 𝄞 {{name}} $&</p>\r\n\0';
    const sent = { ...mailInTest, html, to: 'b@example.com' };
    const confirmed = { success: true, message: 'Email sent to b@example.com' };
    expect(await mock.mail(sent)).toMatchObject({ status: 200, body: confirmed });
    const kept = { id: 'msg_000001', operation: 'sendEmail', template_id: null, variables: null };
    expect(await mock.read('/outbox/latest')).toMatchObject({ ...kept, ...sent, created_at: utc });
  });
});

describe('send an email from a template (§4.3)', () => {
  const variables = { first_name: 'Lena', course_name: 'Watercolour', reserved_until: 'Friday' };

  test.each([
    ['template', {}, 'Email from template "Trial lesson follow-up" captured'],
    ['send-template', { to: 'b@example.com' }, 'Email sent to b@example.com'],
  ])('fills in each place of a repeated variable at %s with %j', async (path, recipient, message) => {
    const body = { template_id: '3', variables, ...recipient };
    const sent = await mock.call('POST', `/api/v1/email/${path}`, { body });
    expect(sent).toMatchObject({ status: 200, body: { success: true, message } });
    const kept = { operation: 'sendTemplateEmail', to: null, from: null, subject: null };
    const html =
      /^<p>Hi Lena,<\/p>.* lesson of Watercolour\? Seats in Watercolour are kept for you until Friday.<\/p>$/;
    expect(await mock.read('/outbox/latest')).toMatchObject({
      ...kept,
      ...body,
      html: expect.stringMatching(html),
    });
  });
});

describe('add a lead (§4.5)', () => {
  test('returns it with an id and the time', async () => {
    const fields = { name: 'Lena', source: 'web / ref=7, ü', note: 'a "note"\n<b>𝄞</b>' };
    const sent = { body: { ...fields, email: 'a@example.com' } };
    const { body } = await mock.call('POST', '/api/v1/leads', sent);
    const data = { lead_id: 'lead_000001', ...fields, created_at: utc };
    expect(body).toEqual({ success: true, data, message: 'Lead added' });
    expect(await mock.lead({ name: 'Lena' })).toMatchObject({ lead_id: 'lead_000002', source: '', note: '' });
  });

  test('names of inherited properties are ordinary fields', async () => {
    const body = '{"name":"Lena","__proto__":{"source":"x"},"constructor":{"prototype":{}},"toString":1}';
    const added = await mock.call('POST', '/api/v1/leads', { body });
    expect(added).toMatchObject({ status: 200, body: { data: { name: 'Lena', source: '' } } });
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
