// `email-leads proxy -- npx playwright test`, and the recording that the browser made meanwhile.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { browserTestMs, chromiumPath, noBrowser } from '../../../mock/testing/browser.ts';
import { bin, type Child, runNode } from '../../../mock/testing/cli-process.ts';
import { inData } from '../../proof/server/mutation.ts';
import { createService } from '../../proof/server/server.ts';
import type { Mutation } from '../../proof/server/types.ts';
import type { Report } from '../../reports/report.ts';

const key = 'sk_live_4f9c1e7ab2d8463095be';
const root = resolve(import.meta.dirname, '../../..');
const found = chromiumPath();

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'email-leads-playwright-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const wrongNote = inData('updateLead', (data) => ({ ...data, note: 'another note' }));

const run = async (args: readonly string[]): Promise<{ readonly code: unknown; readonly child: Child }> => {
  const child = runNode([bin, ...args], {
    PATH: process.env.PATH ?? '',
    HOME: directory,
    CHROMIUM: found ?? '',
    SERVICE_KEY: key,
    HAR_FILE: join(directory, 'session.har'),
  });
  return { code: await child.ended, child };
};

/** Ids of the checks that found something, with what they found. */
const findingsIn = (reports: string): object[] => {
  const { checks } = JSON.parse(readFileSync(join(reports, 'report.json'), 'utf8')) as Report;
  return checks.flatMap(({ id, status, finding }) =>
    finding ? [{ id, status, expected: finding.expected, actual: finding.actual }] : [],
  );
};

/** The end-to-end tests through the proxy, then the same session from its recording. */
const runBoth = async (mutation: Mutation) => {
  const service = await createService({ key }, mutation).start();
  const reports = { proxy: join(directory, 'proxy'), check: join(directory, 'check') };
  try {
    const proxied = await run([
      ...['proxy', '--upstream', service.url, '--port', '0', '--require', 'addLead,updateLead'],
      ...['--report', 'console,json', '--report-dir', reports.proxy, '--'],
      ...[process.execPath, join(root, 'node_modules/@playwright/test/cli.js'), 'test'],
      ...['--config', join(import.meta.dirname, 'playwright'), '--output', join(directory, 'output')],
    ]);
    const checked = await run([
      ...['check', join(directory, 'session.har'), '--require', 'addLead,updateLead'],
      ...['--report', 'console,json', '--report-dir', reports.check],
    ]);
    return { proxied, checked, reports };
  } finally {
    await service.close();
  }
};

describe.skipIf(found === undefined)(
  found === undefined ? noBrowser : 'end-to-end tests in a browser',
  () => {
    test('are green where the service conforms, and so is their recording', {
      timeout: browserTestMs,
    }, async () => {
      const { proxied, checked, reports } = await runBoth({});
      expect(proxied.code, proxied.child.stdout() + proxied.child.stderr()).toBe(0);
      expect(proxied.child.stdout()).toContain('1 passed');
      expect(checked.code, checked.child.stdout() + checked.child.stderr()).toBe(0);
      expect([...findingsIn(reports.proxy), ...findingsIn(reports.check)]).toEqual([]);
    });

    test('are red where a response is wrong that they do not look at, with the same findings in their recording', {
      timeout: browserTestMs,
    }, async () => {
      const { proxied, checked, reports } = await runBoth(wrongNote);
      expect(proxied.child.stdout()).toContain('1 passed');
      expect([proxied.code, checked.code]).toEqual([1, 1]);
      const findings = findingsIn(reports.proxy);
      expect(findings).toMatchObject([{ id: 'leads.update.echoes-note', status: 'fail' }]);
      expect(findingsIn(reports.check)).toEqual(findings);
    });
  },
);
