import { expect, test } from 'vitest';
import type { Message } from '../mail/template.ts';
import { createOutbox } from '../workspace/outbox.ts';

const message = (number: number, html = ''): Message => ({
  id: `msg_${number}`,
  operation: 'sendEmail',
  from: null,
  to: null,
  subject: null,
  html,
  template_id: null,
  variables: null,
  created_at: '2026-03-02T10:15:30.000Z',
});
const ids = (outbox: ReturnType<typeof createOutbox>) => outbox.list().map(({ id }) => id);

test('is bounded by size as well as by number', () => {
  const outbox = createOutbox(10, undefined, 1800);
  for (const number of [1, 2, 3]) outbox.add(message(number, 'x'.repeat(100)));
  expect(ids(outbox)).toEqual(['msg_3', 'msg_2']);
  expect(outbox.dropped()).toBe(1);
});

test('counts what was removed as free again', () => {
  const outbox = createOutbox(10, undefined, 1800);
  outbox.add(message(1, 'x'.repeat(600)));
  outbox.remove('msg_1');
  outbox.remove('msg_1');
  outbox.add(message(2, 'x'.repeat(100)));
  outbox.add(message(3, 'x'.repeat(100)));
  expect(ids(outbox)).toEqual(['msg_3', 'msg_2']);
  expect(outbox.dropped()).toBe(0);
});

test('keeps the newest however large it is', () => {
  const outbox = createOutbox(10, undefined, 1800);
  outbox.add(message(1));
  outbox.add(message(2, 'x'.repeat(5000)));
  expect(ids(outbox)).toEqual(['msg_2']);
  outbox.clear();
  expect(outbox.dropped()).toBe(0);
});
