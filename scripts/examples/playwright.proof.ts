import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { chromiumPath, noBrowser } from '../../mock/testing/browser.ts';

const root = resolve(import.meta.dirname, '../..');

const freePort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address ? address.port : 0;
};

const found = chromiumPath();

describe.skipIf(found === undefined)(found === undefined ? noBrowser : 'the example for Playwright', () => {
  test('passes with two workers on one mock', async () => {
    const output = mkdtempSync(join(tmpdir(), 'email-leads-playwright-'));
    const others = Object.entries(process.env).filter(
      ([name]) => !/^(EMAIL_LEADS_|VITEST|TEST|NODE_OPTIONS|FORCE_COLOR)/.test(name),
    );
    try {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [
          join(root, 'node_modules/@playwright/test/cli.js'),
          'test',
          '--config',
          'scripts/examples/playwright/playwright.config.ts',
          '--reporter=json',
          '--output',
          output,
        ],
        {
          cwd: root,
          env: {
            ...Object.fromEntries(others),
            MOCK_COMMAND: `"${process.execPath}" "${join(root, 'dist/email-leads.js')}" mock`,
            MOCK_PORT: String(await freePort()),
            CHROMIUM: found,
          },
        },
      );
      const { stats, config } = JSON.parse(stdout);
      expect({ ...stats, workers: config.workers }).toMatchObject({
        workers: 2,
        expected: 5,
        unexpected: 0,
        flaky: 0,
      });
    } finally {
      rmSync(output, { recursive: true, force: true });
    }
  });
});
