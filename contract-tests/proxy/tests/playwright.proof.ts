// `email-leads proxy -- npx playwright test`, and the recording that the browser made meanwhile.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { chromiumPath, describeInBrowser } from '../../../mock/testing/browser.ts';
import { bin, type Child, runNode } from '../../../mock/testing/cli-process.ts';
import { inData } from '../../proof/server/mutation.ts';
import type { Mutation } from '../../proof/server/types.ts';
import type { Report } from '../../reports/report.ts';
import { key, serve, temporaryDirectory } from '../../testing/command.ts';

const root = resolve(import.meta.dirname, '../../..');

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory();
});

const wrongNote = inData('updateLead', (data) => ({ ...data, note: 'another note' }));

const run = async (args: readonly string[]): Promise<{ readonly code: unknown; readonly child: Child }> => {
  const child = runNode([bin, ...args], {
    PATH: process.env.PATH ?? '',
    HOME: directory,
    CHROMIUM: chromiumPath() ?? '',
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
  const service = await serve(mutation);
  const reports = { proxy: join(directory, 'proxy'), check: join(directory, 'check') };
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
  return { proxied, checked, found: findingsIn(reports.proxy), foundAgain: findingsIn(reports.check) };
};

describeInBrowser('end-to-end tests in a browser', () => {
  test.each([
    ['green where the service conforms', {}, 0, []],
    [
      'red where a response is wrong that they do not look at',
      wrongNote,
      1,
      [{ id: 'leads.update.echoes-note', status: 'fail' }],
    ],
  ])('are %s, and so is their recording', async (_what, mutation, code, findings) => {
    const { proxied, checked, found, foundAgain } = await runBoth(mutation);
    expect(proxied.child.stdout()).toContain('1 passed');
    expect(proxied.code, proxied.child.stdout() + proxied.child.stderr()).toBe(code);
    expect(checked.code, checked.child.stdout() + checked.child.stderr()).toBe(code);
    expect(found).toMatchObject(findings);
    expect(foundAgain).toEqual(found);
  });
});
