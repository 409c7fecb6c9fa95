// Every check against every conforming and every broken server. It writes the README's sentence and the kill sets of the tests.
//   npm run kill-matrix [-- PATTERN]   with a pattern: only the servers whose id matches, in detail, and no file is written
import { runKillMatrix } from '../contract-tests/proof/kill-matrix.ts';

process.exitCode = await runKillMatrix(process.argv[2]);
