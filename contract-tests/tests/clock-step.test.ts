// The clock of the machine may be set back while the suite works.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { checks } from '../checks/index.ts';
import { everythingPermitted } from '../client/permissions.ts';
import { runContract } from '../proof/run-contract.ts';
import { createService } from '../proof/server/server.ts';
import { createProxyJournal } from '../proxy/journal.ts';
import { startProxyInTest } from '../testing/proxy.ts';
import { createTrafficSession } from '../traffic/session.ts';

const time = Date.parse('2026-03-02T10:15:30Z');
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: time }));
afterEach(() => void vi.useRealTimers());

/** A service whose first request sets the clock back. */
const startService = () =>
  createService(
    {},
    {
      handle: (call, next) => {
        vi.setSystemTime(time - 3_600_000);
        return next(call);
      },
    },
  ).start();

test('a run has the time of its start, and no negative duration', async () => {
  const service = await startService();
  const selected = checks.filter(({ id }) => id === 'leads.add.echoes-fields');
  const run = await runContract({ ...service, permissions: everythingPermitted, checks: selected });
  await service.close();
  expect(Date.now()).toBe(time - 3_600_000);
  expect(run.startedAt).toBe('2026-03-02T10:15:30.000Z');
  expect(run.durationMs).toBeGreaterThanOrEqual(0);
  expect(run.verdicts.map(({ status }) => status)).toEqual(['pass']);
});

test('an exchange of the proxy, and its session, have no negative duration', async () => {
  const service = await startService();
  const session = createTrafficSession({ checks });
  const journal = createProxyJournal(session.redact);
  const proxy = await startProxyInTest(service.url, {
    onExchange: (exchange) => {
      journal.record(exchange, session.observe(exchange), false);
      return undefined;
    },
  });
  const headers = { authorization: `Bearer ${service.key}` };
  await (await fetch(`${proxy.url}/api/v1/email/templates`, { headers })).text();
  await Promise.all([proxy.close(), service.close()]);
  const [entry] = journal.list().requests;
  expect(entry?.status).toBe(200);
  expect(entry?.duration_ms).toBeGreaterThanOrEqual(0);
  expect(Math.abs(Date.parse(entry?.created_at ?? '') - (time - 3_600_000))).toBeLessThan(60_000);
  expect(session.run().durationMs).toBeGreaterThanOrEqual(0);
});
