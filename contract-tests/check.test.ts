import { expect, test } from 'vitest';
import { showOwn } from './check.ts';

const sent = 'called Contract test 0a1b2c3d-7 note';

test.each([
  ['a text of this run', 'Contract Test 0a1b2c3d-7', '"Contract Test 0a1b2c3d-7"'],
  ['nothing', '', '""'],
  ['no text', null, 'null'],
  ['a mistyped text', 'called Contrcat test 0a1b2c3d-7 note', '"called Contrcat test 0a1b2c3d-7 note"'],
  ['a text that was cut', 'called Contr', '"called Contr"'],
  ['somebody else', 'called Mrs Jones, wants a refund', 'another text of 32 characters'],
  ['a short one', 'called', 'another text of 6 characters'],
])('%s', (_, came, shown) => {
  expect(showOwn(came, sent)).toBe(shown);
});
