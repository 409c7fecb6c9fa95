// Seeds from exchanges: what a mock can load, and nothing that the deployment did not show.
import { expect, test } from 'vitest';
import { checkState } from '../../../mock/nouns/index.ts';
import { observe } from '../../testing/observed.ts';
import type { ObservedExchange } from '../exchanges/observed.ts';
import { createSeedCollector } from '../record.ts';

const key = 'sk_live_4f9c1e7ab2d8463095be';
const redact = (text: string): string => text.replaceAll(key, '[key]');

const exchange = (method: string, path: string, data: unknown, status = 200): ObservedExchange =>
  observe(method, path, undefined, { success: status === 200, data }, { status });

const list = (...data: readonly unknown[]): ObservedExchange => exchange('GET', 'email/templates', data);
const added = (data: object): ObservedExchange => exchange('POST', 'leads', data);

/** The seed of some exchanges, which the mock must accept. */
const seedOf = (...exchanges: readonly ObservedExchange[]) => {
  const collector = createSeedCollector();
  for (const each of exchanges) collector.add(each);
  const seed = collector.seed(`Written from a test with ${key}.`, redact);
  return { seed: checkState(seed), leftOut: collector.leftOut(), hasSeen: collector.hasSeen() };
};

const welcome = { id: 'tpl_1', name: 'Welcome', body: '<p>Hi {{first_name}}</p>' };
const lena = { lead_id: 'l1', name: 'Lena', source: 'Webinar', note: 'first' };

test('the latest list counts, and templates of earlier pages stay', () => {
  const { seed } = seedOf(
    list(welcome, { ...welcome, id: 'tpl_2' }),
    list({ ...welcome, name: 'Hello', created_at: '2024-03-09T08:15:30Z', variables: ['first_name'] }),
  );
  expect(seed.templates).toEqual([
    { ...welcome, name: 'Hello', created_at: '2024-03-09T08:15:30Z' },
    { ...welcome, id: 'tpl_2' },
  ]);
});

test('templates that no seed can hold are named', () => {
  const { seed, leftOut } = seedOf(
    list(
      welcome,
      { ...welcome, id: 'no-body', body: 7 },
      { ...welcome, id: 'empty', name: '' },
      { name: 'x' },
    ),
    list({ ...welcome, id: 'x'.repeat(1001) }),
  );
  expect(seed.templates).toEqual([welcome]);
  expect(leftOut).toEqual(['no-body', 'empty', 'a template without a usable id']);
});

test.each(['2024-03-09 08:15', '2024-02-30T00:00:00Z', '2024-03-09T08:15:30+01:00', 7])(
  'a time that a seed cannot hold is left to the mock: %s',
  (created_at) => {
    const { seed } = seedOf(list({ ...welcome, created_at }), added({ ...lena, created_at }));
    expect(seed.templates).toEqual([welcome]);
    expect(seed.leads).toEqual([lena]);
  },
);

test('leads are those that were added and still exist, with their latest texts', () => {
  const { seed } = seedOf(
    added(lena),
    added({ ...lena, lead_id: 'l2' }),
    added({ ...lena, lead_id: 'x'.repeat(1001) }),
    exchange('PUT', 'leads/l1', { ...lena, note: 'second' }),
    exchange('PUT', 'leads/of-others', { ...lena, lead_id: 'of-others' }),
    exchange('DELETE', 'leads/l2', {}),
    exchange('DELETE', 'leads/l1', {}, 500),
    exchange('POST', 'leads', { ...lena, lead_id: 'refused' }, 400),
  );
  expect(seed.leads).toEqual([{ ...lena, note: 'second' }]);
});

test('a note that a response shows as null is empty', () => {
  const { seed } = seedOf(added(lena), exchange('PUT', 'leads/l1', { ...lena, note: null }));
  expect(seed.leads).toEqual([{ ...lena, note: '' }]);
});

test('without a list the mock keeps its own templates; an empty list is one, and only successes count', () => {
  expect(seedOf(added(lena)).seed).not.toHaveProperty('templates');
  expect(seedOf(list())).toMatchObject({ seed: { templates: [] }, hasSeen: true });
  expect(seedOf(exchange('GET', 'email/templates', [welcome], 403)).hasSeen).toBe(false);
});

test('it says that it holds data of the deployment, and contains no key', () => {
  const { seed } = seedOf(list({ ...welcome, body: `Key: ${key}` }), added({ ...lena, note: key }));
  expect(seed.$comment).toMatch(/data of this deployment/);
  expect(JSON.stringify(seed)).not.toContain(key);
});
