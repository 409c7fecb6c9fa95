import { readFileSync, writeFileSync } from 'node:fs';
import { checks } from '../checks/index.ts';
import { everythingPermitted } from '../client/permissions.ts';
import { runContract } from '../runner/run.ts';
import { embeddedTarget } from '../session/target.ts';
import { chooseKillSets } from './kill-set.ts';
import type { Deployment } from './server/types.ts';
import { broken, conforming } from './servers.ts';
import { isKilled, type Outcome, proofSentence, runSuiteOnAll } from './suite-result.ts';

const repeats = 100;

const isMissed = ({ deployment, row }: Outcome): boolean => !isKilled(deployment, row);

const isFalseAlarm = ({ row }: Outcome): boolean => row.strictExitCode !== 0;

const printTable = (
  title: string,
  outcomes: readonly Outcome[],
  isWrong: (outcome: Outcome) => boolean,
  word: string,
): void => {
  console.log(`\n${title.padEnd(28)}servers  ${word}`);
  for (const group of [...new Set(outcomes.map(({ deployment }) => deployment.group))]) {
    const members = outcomes.filter(({ deployment }) => deployment.group === group);
    console.log(
      `${group.padEnd(28)}${String(members.length).padStart(7)}  ${members.filter(isWrong).length}`,
    );
  }
};

const printDetail = ({ deployment, row }: Outcome): void => {
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
const killSetFile = (killSets: Readonly<Record<string, readonly string[]>>): string => {
  const line = ([id, ids]: [string, readonly string[]]): string => {
    const names = ids.map((name) => JSON.stringify(name));
    const short = `  ${JSON.stringify(id)}: [${names.join(', ')}]`;
    return short.length < 110 ? short : `  ${JSON.stringify(id)}: [\n    ${names.join(',\n    ')}\n  ]`;
  };
  return `{\n${Object.entries(killSets).map(line).join(',\n')}\n}\n`;
};

const writeResult = async (sentence: string, outcomes: readonly Outcome[]): Promise<void> => {
  const readme = readFileSync('README.md', 'utf8');
  writeFileSync(
    'README.md',
    readme.replace(
      /(<!-- proof -->)[\s\S]*(<!-- \/proof -->)/,
      (_, before: string, after: string) => before + sentence + after,
    ),
  );
  writeFileSync('contract-tests/proof/kill-set.json', killSetFile(await chooseKillSets(outcomes)));
};

/**
 * Runs every check against every conforming and every broken server, prints the table by group, and writes the README's
 * sentence and the kill sets. With a pattern: only the servers whose id matches, in detail, and no file is written.
 * Returns the exit code.
 */
export const runKillMatrix = async (pattern?: string): Promise<number> => {
  const select = <D extends Deployment>(all: readonly D[]): readonly D[] =>
    pattern === undefined ? all : all.filter(({ id }) => new RegExp(pattern).test(id));
  const good = await runSuiteOnAll(select(conforming), () => checks);
  const bad = await runSuiteOnAll(select(broken), () => checks);
  const alarms = good.filter(isFalseAlarm);
  const missed = bad.filter(isMissed);
  for (const outcome of pattern === undefined ? [...alarms, ...missed] : [...good, ...bad])
    printDetail(outcome);
  printTable('conforming', good, isFalseAlarm, 'false alarms');
  printTable('broken', bad, isMissed, 'missed');
  const differing = pattern === undefined ? await differingRepeats() : 0;
  const score = { good: good.length, alarms: alarms.length, bad: bad.length, missed: missed.length };
  const sentence = proofSentence(score);
  console.log(`\n${sentence}; ${repeats} runs on the mock, ${differing} of them different`);
  if (pattern === undefined) await writeResult(sentence, bad);
  return alarms.length + missed.length + differing > 0 ? 1 : 0;
};
