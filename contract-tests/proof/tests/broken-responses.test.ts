import { expect, test } from 'vitest';
import { checks } from '../../checks/index.ts';
import { broken } from '../broken.ts';
import { isObject } from '../server/operations.ts';
import { createService } from '../server/server.ts';
import type { Mutation } from '../server/types.ts';
import { describeResult, runSuite } from '../suite-result.ts';
import { proveBrokenServers } from './broken-servers.ts';

proveBrokenServers('responses, keys, mails and templates', (check) =>
  /^(replies|failures|email|templates)\.|\.auth\./.test(check),
);

test('an update that is refused because it changes nothing breaks no documented claim', async () => {
  const servers = broken.filter(({ id }) => id === 'Refuses an update with the note that is there');
  const updates = checks.filter(({ id }) => id.startsWith('leads.update.'));
  for (const deployment of servers) {
    const result = await runSuite(deployment, updates);
    expect([result.exitCode, result.strictExitCode], describeResult(result)).toEqual([0, 1]);
  }
  expect(servers).toHaveLength(1);
});

/** Sources of a list break §2.3. The error for a wrong key contains one of them, and leads can be read. */
const sourcesOfList: Mutation = {
  handle: (call, next) => {
    const { source } = isObject(call.body) ? call.body : {};
    const isListed = source === undefined || source === 'web' || source === '';
    const reply = next(isListed ? call : { ...call, operation: undefined });
    if (reply.refused === 'key')
      return { ...reply, body: { ...reply.body, error: 'get a key on our website' } };
    if (isListed) return reply;
    return { status: 422, refused: 'fields', body: { success: false, error: 'unknown source' } };
  },
};

test('a source that every lead must have is not taken for data of one lead', async () => {
  const start = createService({ leadReading: 'present' }, sourcesOfList).start;
  const leadChecks = checks.filter(({ id }) => /^leads\..*(auth|stores-nothing|free-source)/.test(id));
  const { findings } = await runSuite({ id: 'sources', title: '', start }, leadChecks);
  expect(findings.map(({ check }) => check)).toEqual(['leads.add.free-source']);
});
