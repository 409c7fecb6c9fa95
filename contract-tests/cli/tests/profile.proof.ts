// The documents that `email-leads spec` prints, whatever a profile answers.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sample } from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryAnswers } from '../../proof/round-trip.ts';
import { specText } from '../profile.ts';

test('under any answers it passes the recommended lint without a warning', () => {
  const directory = mkdtempSync(join(tmpdir(), 'spec-'));
  const files = sample(arbitraryAnswers, { numRuns: 6, seed: 4 }).map((given, at) => {
    const file = join(directory, `${at}.yaml`);
    writeFileSync(file, specText(given, 'yaml'));
    return file;
  });
  const redocly = join('node_modules', '@redocly', 'cli', 'bin', 'cli.js');
  const { stdout, status } = spawnSync(
    process.execPath,
    [redocly, 'lint', ...files, '--extends=recommended', '--format=json'],
    { encoding: 'utf8', env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  );
  rmSync(directory, { recursive: true });
  expect(stdout.match(/"totals": \{\s+"errors": 0,\s+"warnings": 0,/g)).toHaveLength(files.length);
  expect(status).toBe(0);
});
