// `--seed`: what a deployment holds becomes the seed of a mock.
import { expect, test } from 'vitest';
import { createMock } from '../../../mock/create-mock.ts';
import type { RecordedExchange } from '../record.ts';
import { createSeedCollector } from '../seed.ts';

const exchange = (method: string, path: string, body: object, status = 200): RecordedExchange => ({
  ...{ method, target: `/api/v1${path}`, status, requestHeaders: [], responseHeaders: [] },
  ...{ sent: '', received: JSON.stringify(body), startedAt: 0, durationMs: 1 },
});

const success = (data: unknown) => ({ success: true, data, message: 'done' });

const seedFrom = (exchanges: readonly RecordedExchange[], redact = (text: string): string => text) => {
  const collector = createSeedCollector();
  for (const one of exchanges) collector.add(one);
  return { ...collector.seed('From here.', redact), collector };
};

const welcome = {
  ...{ id: 'tpl_7', name: 'Welcome', body: 'Hi {{name}}, {{course}} begins' },
  ...{ variables: ['name', 'course'], created_at: '2026-01-05T08:00:00Z' },
};

test('templates of all lists, the latest state of each, and nothing that the document does not show', () => {
  const reminder = {
    ...welcome,
    id: 8,
    name: 'Reminder',
    state: 'draft',
    created_at: '2026-02-30T08:00:00Z',
  };
  const { templates, collector } = seedFrom([
    exchange('GET', '/email/templates', success([{ ...welcome, name: 'Old' }, reminder])),
    exchange('GET', '/email/template?page=2', success([welcome, { ...welcome, id: 'empty', body: '' }])),
    exchange('GET', '/email/templates', { success: false, error: 'no' }, 401),
  ]);
  expect(templates).toEqual([
    { id: 'tpl_7', name: 'Welcome', body: welcome.body, created_at: welcome.created_at },
    // Its day does not exist: the mock chooses a time.
    { id: '8', name: 'Reminder', body: welcome.body },
  ]);
  expect(collector.leftOut()).toEqual(['empty']);
});

test('leads that were added in the session and still exist, as the last response showed them', () => {
  const lead = (id: unknown, note: string) =>
    success({ lead_id: id, name: 'Anna', source: 'web', note, created_at: '2026-03-01T08:00:00.000Z' });
  const { leads } = seedFrom([
    exchange('POST', '/leads', lead('lead/1', 'first')),
    exchange('POST', '/leads', lead(2, 'second')),
    exchange('POST', '/leads', { success: false, error: 'no' }, 422),
    exchange('PUT', '/leads/lead%2F1', success({ note: 'changed', updated_at: '2026-03-02T08:00:00.000Z' })),
    exchange('PUT', '/leads/of-somebody-else', success({ lead_id: 'of-somebody-else', name: 'Zoe' })),
    exchange('DELETE', '/leads/2', success({})),
  ]);
  expect(leads).toEqual([
    {
      ...{ lead_id: 'lead/1', name: 'Anna', source: 'web', note: 'changed' },
      ...{ created_at: '2026-03-01T08:00:00.000Z', updated_at: '2026-03-02T08:00:00.000Z' },
    },
  ]);
});

test('every text is redacted, and a mock with the seed lists the templates of the deployment', async () => {
  const secret = { ...welcome, body: 'Key sk_live_1 {{name}}', variables: ['name'] };
  const redact = (text: string): string => text.replaceAll('sk_live_1', '***');
  const { collector: _, ...seed } = seedFrom(
    [exchange('GET', '/email/templates', success([welcome, { ...secret, id: 'tpl_8' }]))],
    redact,
  );
  expect(JSON.stringify(seed)).not.toContain('sk_live_1');
  const mock = createMock({ seed: JSON.parse(JSON.stringify(seed)) });
  const response = await mock.fetch(
    new Request('http://a.test/api/v1/email/templates', { headers: { authorization: 'Bearer test_key' } }),
  );
  const { data } = (await response.json()) as { data: unknown };
  expect(data).toEqual([welcome, { ...secret, id: 'tpl_8', body: 'Key *** {{name}}' }]);
});

test('without a list and without an addition there is nothing to write', () => {
  const { collector } = seedFrom([exchange('GET', '/email/templates', { success: false, error: 'no' }, 500)]);
  expect(collector.hasSeen()).toBe(false);
});
