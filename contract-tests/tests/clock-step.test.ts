// The clock of the machine may be set back while the suite works.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { checks } from '../checks/index.ts';
import { everythingPermitted } from '../client/permissions.ts';
import { runContract } from '../proof/run-contract.ts';
import { createService } from '../proof/server/server.ts';
import type { ExchangePage } from '../proxy/journal.ts';
import type { Report } from '../reports/report.ts';
import { startProxySession, temporaryDirectory } from '../testing/command.ts';

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
  const { url, end } = await startProxySession(service.url, ['--report-dir', temporaryDirectory()]);
  const headers = { authorization: `Bearer ${service.key}` };
  await (await fetch(`${url}/api/v1/email/templates`, { headers })).text();
  const { requests } = (await (await fetch(`${url}/__proxy/requests`)).json()) as ExchangePage;
  expect(requests[0]?.duration_ms).toBeGreaterThanOrEqual(0);
  expect(Math.abs(Date.parse(requests[0]?.created_at ?? '') - (time - 3_600_000))).toBeLessThan(60_000);
  expect(((await end()) as Report).duration_ms).toBeGreaterThanOrEqual(0);
  await service.close();
});
