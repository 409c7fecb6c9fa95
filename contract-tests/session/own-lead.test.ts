import { expect, test } from 'vitest';
import { createSharedLead } from './own-lead.ts';

test('one check uses the shared lead at a time, and the next one follows in order', async () => {
  const sharedLead = createSharedLead();
  const log: string[] = [];
  const use = async (check: string): Promise<void> => {
    await sharedLead.take(check);
    await sharedLead.take(check);
    log.push(`${check} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    log.push(`${check} ends`);
    sharedLead.release(check);
  };
  sharedLead.release('a check that never used it');
  await Promise.all(['first', 'second', 'third'].map(use));
  expect(log).toEqual(['first', 'second', 'third'].flatMap((check) => [`${check} begins`, `${check} ends`]));
});
