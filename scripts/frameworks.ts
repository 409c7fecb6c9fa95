// Runs the suite on servers that implement the service with common frameworks. Writes the sentence about them in contract-tests/README.md.
//   npm run frameworks [-- FRAMEWORK…] [--json FILE]
//   with names: only these, without writing the page; --json: counts in vitest's format
import { spawnSync } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { frameworks, switches } from '../contract-tests/proof/framework-expectations.ts';
import {
  type FrameworkResult,
  frameworksFolder,
  isRight,
  judgeFramework,
} from '../contract-tests/proof/frameworks.ts';
import { writeFigures } from './generate/blocks.ts';

/** Installs the frameworks in their own folder, to keep the `npm ci` of this project small. */
const install = (): void => {
  const installed = join(frameworksFolder, 'node_modules', '.package-lock.json');
  const wanted = join(frameworksFolder, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return;
  const { status } = spawnSync('npm', ['ci', '--prefix', frameworksFolder], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm ci --prefix ${frameworksFolder} failed: see its output above`);
};

const cell = (result: FrameworkResult | undefined): string => {
  if (result === undefined) return '-';
  if (isRight(result)) return 'right';
  return result.alarms.length > 0 ? 'alarm' : 'wrong';
};

const printTable = (results: readonly FrameworkResult[], names: readonly string[]): void => {
  console.log(`\n${''.padEnd(14)}${names.map((name) => name.padEnd(10)).join('')}`);
  for (const name of switches) {
    const row = names.map((framework) =>
      cell(results.find((result) => result.framework === framework && result.name === name)).padEnd(10),
    );
    console.log(`${name.padEnd(14)}${row.join('')}`);
  }
};

const printDifferences = (result: FrameworkResult): void => {
  console.log(`\n${result.framework}, ${result.name}`);
  for (const line of result.alarms) console.log(`  false alarm: ${line}`);
  for (const line of result.missed) console.log(`  missed: ${line}`);
  for (const line of [...result.wrongAnswers, ...result.otherDifferences]) console.log(`  ${line}`);
};

const sentenceOf = (results: readonly FrameworkResult[]): string => {
  const conforming = results.filter(({ isConforming }) => isConforming);
  const broken = results.filter(({ isConforming }) => !isConforming);
  const alarms = results.filter((result) => result.alarms.length > 0).length;
  const missed = broken.filter((result) => result.missed.length > 0).length;
  const wrongAnswers = results.flatMap((result) => result.wrongAnswers).length;
  return `${conforming.length} conforming and ${broken.length} broken servers, false alarms ${alarms}, missed ${missed}, wrong answers of \`observe\` ${wrongAnswers}`;
};

const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'string' } } });
const selected = frameworks.filter((name) => positionals.length === 0 || positionals.includes(name));
if (selected.length === 0) throw new Error(`usage: npm run frameworks -- [${frameworks.join(' | ')}]`);
install();
const results = (await Promise.all(selected.map(judgeFramework))).flat();
const failed = results.filter((result) => !isRight(result));
failed.forEach(printDifferences);
printTable(results, selected);
const sentence = sentenceOf(results);
console.log(`\n${sentence}`);
if (positionals.length === 0) writeFigures('frameworks', sentence);
if (values.json) {
  const counts = { numPassedTests: results.length - failed.length, numFailedTests: failed.length };
  writeFileSync(values.json, JSON.stringify({ ...counts, success: failed.length === 0 }));
}
process.exitCode = failed.length > 0 ? 1 : 0;
