// Runs every check on every conforming and every broken server. Writes the README's sentence and the kill sets of the tests.
//   npm run kill-matrix [-- PATTERN]   with a pattern: only servers whose id matches, in detail, without writing files
import { runKillMatrix } from '../contract-tests/proof/kill-matrix.ts';

process.exitCode = await runKillMatrix(process.argv[2]);
