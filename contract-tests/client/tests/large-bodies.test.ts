// What is judged of large bodies, and how many a run may hold.
import { describe, expect, test } from 'vitest';
import { createBodyReader, readBody } from '../decode-body.ts';

const read = (json: unknown) => readBody(Buffer.from(JSON.stringify(json)), '');

describe('a large body', () => {
  test('is judged whole up to 200,000 values', () => {
    const json = { success: true, data: Array.from({ length: 40_000 }, (_, at) => ({ id: `t${at}`, at })) };
    expect(read(json).json).toEqual(json);
    expect(() => read({ data: Array(200_000).fill(1) })).toThrow('a body has more than 200000 values');
  });

  test.each(['x', '"'])('with nine million times %j as a text is not judged', (character) => {
    expect(() => read({ error: character.repeat(9_000_000), message: 'no' })).toThrow(
      'a body has a text of more than 2097152 characters',
    );
  });

  test('that is not JSON is kept by its beginning', () => {
    const { json, rawText } = readBody(Buffer.from(`<p>${'x'.repeat(3_000_000)}`), '');
    expect(json).toBeUndefined();
    expect(rawText).toHaveLength(65_536);
  });
});

describe('the responses of a run', () => {
  const large = (text: string) => Buffer.from(JSON.stringify({ text, more: 'x'.repeat(400_000) }));

  test('are read as long as there is capacity, and then nothing more is sent', () => {
    const bodies = createBodyReader(1_200_000);
    bodies.expectCapacity('GET /');
    for (const text of ['a', 'b', 'c']) bodies.read(large(text), '');
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
