import { describe, expect, test } from 'vitest';
import { createBodyReader, readBody } from '../decode-body.ts';

const read = (json: unknown) => readBody(Buffer.from(JSON.stringify(json)), '');

const template = (index: number) => ({
  id: `t${index}`,
  name: 'Welcome',
  body: 'Hello {{name}}',
  variables: ['name'],
});

const fields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, at]));

describe('a large response', () => {
  test('within the bound is judged whole', () => {
    const json = { success: true, data: Array.from({ length: 1000 }, (_, at) => template(at)) };
    expect(read(json)).toEqual({ json, rawText: JSON.stringify(json), byteProblem: undefined });
  });

  test('with many items is judged by the same items in any order', () => {
    const data = Array.from({ length: 5000 }, (_, at) => template(at));
    const [one, other] = [read({ data }), read({ data: data.toReversed() })];
    const ids = ({ json }: typeof one) => (json as { data: { id: string }[] }).data.map(({ id }) => id);
    expect(one.partlyJudged).toBe('1000 of 5000 items of data');
    expect(ids(one)).toHaveLength(1000);
    expect(ids(other).toSorted()).toEqual(ids(one).toSorted());
  });

  test('is judged without an item that is too large, not with a part of it', () => {
    const large = { ...template(1), variables: Array.from({ length: 30_000 }, (_, at) => `v${at}`) };
    expect(read({ data: [template(0), large, template(2)] })).toMatchObject({
      json: { data: [template(0), template(2)] },
      partlyJudged: '2 of 3 items of data',
    });
  });

  test('with many fields keeps the documented ones', () => {
    const data = { ...fields(20_000), lead_id: '7', note: 'x' };
    const { json, partlyJudged } = read({ ...fields(20_000), success: true, error: '', data });
    expect(json).toMatchObject({ success: true, error: '', data: { lead_id: '7', note: 'x' } });
    expect(partlyJudged).toBe('202 of 20002 fields of data, 203 of 20003 fields of the body');
  });

  test('with a long list where a text belongs has a list there', () => {
    expect(read({ error: Array.from({ length: 50_000 }, () => 1), message: 'no' })).toMatchObject({
      json: { error: expect.arrayContaining([1]), message: 'no' },
      partlyJudged: '1000 of 50000 items of error',
    });
  });

  test.each(['x', '\n', '"', ' '])('with nine million times %j as a text is JSON', (character) => {
    const { json, rawText, partlyJudged } = read({ error: character.repeat(9_000_000), message: 'no' });
    expect(json).toMatchObject({ error: expect.any(String), message: 'no' });
    expect(partlyJudged).toBe('2097152 of 9000000 characters of error');
    expect(rawText.length).toBeLessThan(100_000);
  });

  test('that is not JSON is judged by its beginning', () => {
    const { json, rawText, partlyJudged } = readBody(Buffer.from(`<p>${'x'.repeat(3_000_000)}`), '');
    expect({ json, partlyJudged }).toEqual({
      json: undefined,
      partlyJudged: '65536 of 3000003 characters of the body',
    });
    expect(rawText).toMatch(/^<p>xxx/);
  });
});

describe('the responses of a run', () => {
  const large = (text: string) => Buffer.from(JSON.stringify({ text, more: 'x'.repeat(400_000) }));

  test('are read as long as there is capacity, and then nothing more is sent', () => {
    const bodies = createBodyReader(1_200_000);
    bodies.expectCapacity('GET /');
    bodies.read(large('a'), '');
    bodies.expectCapacity('GET /');
    bodies.read(large('b'), '');
    expect(() => bodies.expectCapacity('POST /api/v1/leads')).toThrow(
      expect.objectContaining({
        kind: 'too large',
        unsent: true,
        message: expect.stringContaining('was not sent'),
      }),
    );
  });

  test('are kept once if they are equal', () => {
    const bodies = createBodyReader(1_200_000);
    const first = bodies.read(large('a'), '');
    for (let count = 0; count < 10; count += 1) expect(bodies.read(large('a'), '')).toBe(first);
    bodies.expectCapacity('GET /');
  });
});
