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

/** The seed of some exchanges, which the mock must accept. */
const seedOf = (...exchanges: readonly ObservedExchange[]) => {
  const collector = createSeedCollector();
  for (const each of exchanges) collector.add(each);
  const text = collector.text({ url: `https://a.test/${key}`, version: '1', redact });
  return { seed: checkState(JSON.parse(text)), said: collector.describe('seed.json', redact).join('\n') };
};

const welcome = { id: 'tpl_1', name: 'Welcome', body: '<p>Hi {{first_name}}</p>' };

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
  const { seed, said } = seedOf(
    list(
      welcome,
      { ...welcome, id: 'no-body', body: 7 },
      { ...welcome, id: 'empty', name: '' },
      { name: 'x' },
    ),
    list({ ...welcome, id: 'x'.repeat(1001) }),
  );
  expect(seed.templates).toEqual([welcome]);
  expect(said).toMatch(/: no-body, empty, a template without a usable id$/);
});

test.each(['2024-03-09 08:15', '2024-02-30T00:00:00Z', '2024-03-09T08:15:30+01:00', 7])(
  'a time that a seed cannot hold is left to the mock: %s',
  (created_at) => {
    expect(seedOf(list({ ...welcome, created_at })).seed.templates).toEqual([welcome]);
  },
);

test('an empty list is one, only lists that succeed count, and leads, which are data of persons, are left out', () => {
  const nothing = 'was not written: no list of templates succeeded';
  expect(seedOf(list()).seed.templates).toEqual([]);
  expect(() => seedOf(exchange('GET', 'email/templates', [welcome], 403))).toThrow(nothing);
  const added = exchange('POST', 'leads', { lead_id: 'l1', name: 'Lena' });
  expect(() => seedOf(added)).toThrow(nothing);
  expect(seedOf(list(welcome), added).seed).toEqual({ $comment: expect.any(String), templates: [welcome] });
});

test('it says that it holds data of the deployment, and contains no key', () => {
  const { seed } = seedOf(list({ ...welcome, name: key, body: `Key: ${key}` }));
  expect(seed.$comment).toMatch(/data of this deployment/);
  expect(JSON.stringify(seed)).not.toContain(key);
});
