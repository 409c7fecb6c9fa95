// Checks that `observe` recovers the answers that a mock is configured with, and that `contract --strict` finds nothing wrong
// with that mock. Then does the same for the conforming servers, which are not the mock and whose answers are known.
//   npm run round-trip [-- COUNT [SEED [PATTERN of conforming servers]]]
import { runRoundTrip } from '../contract-tests/proof/round-trip-report.ts';

const [count = '300', seed = '1', pattern = '.'] = process.argv.slice(2);
process.exitCode = await runRoundTrip(Number(count), Number(seed), pattern);
