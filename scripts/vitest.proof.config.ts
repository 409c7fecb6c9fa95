// `npm run proof`: all conforming and all broken servers, the round trip of random profiles, the outages, more
// random input, and the browser files.
import { mergeConfig } from 'vitest/config';
import tests from './vitest.config.ts';

const proof = mergeConfig(tests, { test: { provide: { proof: 'whole' } } });
// An array would be merged with the one of the tests.
proof.test.include = [
  'contract-tests/proof/tests/*.test.ts',
  'contract-tests/cli/tests/profile.test.ts',
  'contract-tests/reports/tests/replay.test.ts',
  'contract-tests/tests/hostile-responses.test.ts',
  'mock/ui/tests/*.test.ts',
  'mock/contract/tests/redaction.test.ts',
  'mock/mail/linear.test.ts',
  'mock/tests/hostile.test.ts',
  '{mock,contract-tests,scripts}/**/*.proof.ts',
];

export default proof;
