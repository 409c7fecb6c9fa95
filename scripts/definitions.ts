// The definition of every command: for completion, for the tables in the pages, and for tests.
import type { Command } from 'commander';
import { definition as check } from '../contract-tests/cli/check.ts';
import { definition as contract } from '../contract-tests/cli/contract.ts';
import { definition as explain } from '../contract-tests/cli/explain.ts';
import { definition as observe } from '../contract-tests/cli/observe.ts';
import { pinDefinition as pin, specDefinition as spec } from '../contract-tests/cli/profile.ts';
import { definition as proxy } from '../contract-tests/cli/proxy.ts';
import { definition as report } from '../contract-tests/cli/report.ts';
import { definition as waive } from '../contract-tests/cli/waive.ts';
import { definition as completion } from '../mock/cli/completion.ts';
import { definition as init } from '../mock/cli/config-file.ts';
import { definition as health } from '../mock/cli/health.ts';
import { definition as mock } from '../mock/cli/mock.ts';

/** As a new one for each use. */
export const definitions: Readonly<Record<string, () => Command>> = {
  mock,
  health,
  contract,
  observe,
  proxy,
  check,
  report,
  waive,
  pin,
  spec,
  explain,
  init,
  completion,
};
