import { expect, test } from 'vitest';
import { type Client, RequestFailed } from '../client/client.ts';
import type { Exchange } from '../client/exchange.ts';
import { createLedger } from '../client/ledger.ts';
import { everythingPermitted } from '../client/permissions.ts';
import { createShared } from '../session/shared.ts';
import { deleteCreated } from './cleanup.ts';

/** A run that has added one lead, on a deployment that answers its deletion so. */
const runWith = (send: Client['send'], write?: Parameters<typeof createLedger>[0]) => {
  const client = { send, idle: async () => undefined, exchanges: [] as Exchange[] } as unknown as Client;
  const ledger = createLedger(write);
  ledger.note('7');
  return createShared({ client, ledger, permissions: everythingPermitted, runId: '1', sender: '' });
};

const success = { operation: 'deleteLead', status: 200, outcome: 'success', json: {} } as Exchange;

test('a lead whose deletion gets no answer is left over', async () => {
  const shared = runWith(() => Promise.reject(new RequestFailed('timeout', 'no answer')));
  expect(await deleteCreated(shared)).toEqual(['7']);
});

test.each<[string, ReturnType<typeof runWith>, string]>([
  ['a defect of the suite', runWith(() => Promise.reject(new TypeError('a defect'))), 'a defect'],
  [
    'a ledger that cannot be written',
    runWith(
      async () => success,
      (line) => {
        if ('deleted' in line) throw new Error('no space left');
      },
    ),
    'no space left',
  ],
])('%s is no lead that is left over', async (_, shared, message) => {
  await expect(deleteCreated(shared)).rejects.toThrow(message);
});
