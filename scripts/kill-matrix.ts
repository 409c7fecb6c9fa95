// Runs every check on every conforming and every broken server. Writes the score into contract-tests/README.md.
//   npm run kill-matrix [-- PATTERN] [-- --json FILE]   with a pattern: only servers whose id, title or checks match, in detail,
//   without writing files; --json writes one row per server, to compare two versions of the suite
import { parseArgs } from 'node:util';
import { runKillMatrix } from '../contract-tests/proof/kill-matrix.ts';
import { writeFigures } from './generate/blocks.ts';

const { values, positionals } = parseArgs({ options: { json: { type: 'string' } }, allowPositionals: true });
const [pattern] = positionals;
const { exitCode, sentence } = await runKillMatrix({ pattern, json: values.json });
if (pattern === undefined) writeFigures('proof', sentence);
process.exitCode = exitCode;
