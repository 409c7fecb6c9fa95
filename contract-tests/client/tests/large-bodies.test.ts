// What is judged of large bodies, and how many a run may hold.
import { expect, test } from 'vitest';
import { createBodyReader, readBody } from '../decode-body.ts';

const read = (json: unknown) => readBody(Buffer.from(JSON.stringify(json)), '');

test('a body is judged whole up to 200,000 values and texts of two million characters', () => {
  const json = { success: true, data: Array.from({ length: 40_000 }, (_, at) => ({ id: `t${at}`, at })) };
  expect(read(json).json).toEqual(json);
  expect(() => read({ data: Array(200_000).fill(1) })).toThrow('a body has more than 200000 values');
  for (const character of ['x', '"'])
    expect(() => read({ error: character.repeat(9_000_000), message: 'no' })).toThrow(
      'a body has a text of more than 2097152 characters',
    );
});

test('a body that is not JSON is kept by its beginning', () => {
  const { json, rawText } = readBody(Buffer.from(`<p>${'x'.repeat(3_000_000)}`), '');
  expect([json, rawText.length]).toEqual([undefined, 65_536]);
});

test('the responses of a run are read as long as there is capacity, equal ones once, and then nothing more is sent', () => {
  const large = (text: string) => Buffer.from(JSON.stringify({ text, more: 'x'.repeat(400_000) }));
  const bodies = createBodyReader(1_200_000);
  const first = bodies.read(large('a'), '');
  for (let count = 0; count < 10; count += 1) expect(bodies.read(large('a'), '')).toBe(first);
  bodies.expectCapacity('GET /');
  for (const text of ['b', 'c']) bodies.read(large(text), '');
  const message = expect.stringContaining('was not sent');
  expect(() => bodies.expectCapacity('POST /api/v1/leads')).toThrow(
    expect.objectContaining({ kind: 'too large', unsent: true, message }),
  );
});
