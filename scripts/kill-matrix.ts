// The suite's own score: every conforming and every broken server, the table by class of fault, and the README's summary.
//   npm run kill-matrix [-- PATTERN]   with a pattern: those servers only, in detail, and no file is written
// It also writes which few checks are enough for each broken server: with these `npm test` repeats the proof.
import { readFileSync, writeFileSync } from 'node:fs';
import { checks } from '../contract-tests/checks/index.ts';
import { chooseCatchers } from '../contract-tests/deployments/choose-catchers.ts';
import type { Deployment } from '../contract-tests/deployments/deployment.ts';
import { broken, conforming } from '../contract-tests/deployments/index.ts';
import { isCaught, type Judged, judgeAll, proofSentence } from '../contract-tests/deployments/matrix.ts';
import { everythingPermitted } from '../contract-tests/permissions.ts';
import { runContract } from '../contract-tests/run.ts';
import { embeddedTarget } from '../contract-tests/target.ts';

const repeats = 100;

const isMissed = ({ deployment, row }: Judged): boolean => !isCaught(deployment, row);

const isFalseAlarm = ({ row }: Judged): boolean => row.strictExitCode !== 0;

const tableBy = (
  title: string,
  judged: readonly Judged[],
  isWrong: (judged: Judged) => boolean,
  word: string,
): void => {
  console.log(`\n${title.padEnd(28)}servers  ${word}`);
  for (const group of [...new Set(judged.map(({ deployment }) => deployment.group))]) {
    const members = judged.filter(({ deployment }) => deployment.group === group);
    console.log(
      `${group.padEnd(28)}${String(members.length).padStart(7)}  ${members.filter(isWrong).length}`,
    );
  }
};

const detail = ({ deployment, row }: Judged): void => {
  console.log(
    `\n${deployment.id}: ${deployment.title}\n  exit ${row.exitCode}, strict ${row.strictExitCode}, ${Math.round(row.ms)} ms: ${row.headline}`,
  );
  for (const { check, level, reason } of row.findings) console.log(`  ${level} ${check}: ${reason}`);
  for (const line of row.undecided) console.log(`  ${line}`);
};

/** The statuses of every check, in many runs on one mock: they must be the same every time. */
const differingRepeats = async (): Promise<number> => {
  const target = await embeddedTarget();
  const seen = new Set<string>();
  for (let round = 0; round < repeats; round += 1) {
    const { verdicts } = await runContract({ ...target, permissions: everythingPermitted, checks });
    seen.add(verdicts.map(({ check, status }) => `${check.id} ${status}`).join());
  }
  await target.close();
  return seen.size - 1;
};

/** JSON as the formatter of this project writes it. */
const catchersFile = (catchers: Readonly<Record<string, readonly string[]>>): string => {
  const line = ([id, ids]: [string, readonly string[]]): string => {
    const names = ids.map((name) => JSON.stringify(name));
    const short = `  ${JSON.stringify(id)}: [${names.join(', ')}]`;
    return short.length < 110 ? short : `  ${JSON.stringify(id)}: [\n    ${names.join(',\n    ')}\n  ]`;
  };
  return `{\n${Object.entries(catchers).map(line).join(',\n')}\n}\n`;
};

const [pattern] = process.argv.slice(2);
const chosen = <D extends Deployment>(all: readonly D[]): readonly D[] =>
  pattern === undefined ? all : all.filter(({ id }) => new RegExp(pattern).test(id));

const good = await judgeAll(chosen(conforming), () => checks);
const bad = await judgeAll(chosen(broken), () => checks);
const alarms = good.filter(isFalseAlarm);
const missed = bad.filter(isMissed);
for (const judged of pattern === undefined ? [...alarms, ...missed] : [...good, ...bad]) detail(judged);
tableBy('conforming', good, isFalseAlarm, 'false alarms');
tableBy('broken', bad, isMissed, 'missed');
const differing = pattern === undefined ? await differingRepeats() : 0;
const sentence = proofSentence({
  good: good.length,
  alarms: alarms.length,
  bad: bad.length,
  missed: missed.length,
});
console.log(`\n${sentence}; ${repeats} runs on the mock, ${differing} of them different`);
if (pattern === undefined) {
  const readme = readFileSync('README.md', 'utf8');
  writeFileSync(
    'README.md',
    readme.replace(
      /(<!-- proof -->)[\s\S]*(<!-- \/proof -->)/,
      (_, before: string, after: string) => before + sentence + after,
    ),
  );
  writeFileSync('contract-tests/deployments/catchers.json', catchersFile(await chooseCatchers(bad)));
}
process.exitCode = alarms.length + missed.length + differing > 0 ? 1 : 0;
