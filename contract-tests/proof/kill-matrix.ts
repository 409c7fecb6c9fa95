import { readFileSync, writeFileSync } from 'node:fs';
import { checks, usualChecks } from '../checks/index.ts';
import { everythingPermitted } from '../client/permissions.ts';
import { embeddedTarget } from '../session/target.ts';
import type { BrokenDeployment } from './broken/mutation.ts';
import { broken, unfound } from './broken.ts';
import { conforming } from './conforming/index.ts';
import { grid, isHeldOut } from './grid/grid.ts';
import type { Deployment } from './server/types.ts';
import { exitCodeOf, isFound, type Outcome, runContract, runSuiteOnAll } from './suite-result.ts';

const repeats = 100;

const isMissed = ({ deployment, row }: Outcome<BrokenDeployment>): boolean => !isFound(deployment, row);

/** Found, but by none of the checks that it is said to break. */
const isFoundByOthers = ({ deployment, row }: Outcome<BrokenDeployment>): boolean =>
  !unfound.has(deployment.id) && !row.findings.some(({ check }) => deployment.breaks.includes(check));

const isFalseAlarm = ({ deployment, row }: Outcome): boolean => row.strictExitCode !== exitCodeOf(deployment);

const printDetail = ({ deployment, row }: Outcome): void => {
  console.log(
    `\n${[...new Set([deployment.id, deployment.title])].join(': ')}\n  exit ${row.exitCode}, strict ${row.strictExitCode}, ${Math.round(row.ms)} ms: ${row.headline}`,
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

/** Said to break a check that only a thorough run has. */
const breaksThoroughCheck = ({ deployment }: Outcome<BrokenDeployment>): boolean =>
  checks.some(({ id, thorough }) => thorough && deployment.breaks.includes(id));

/** Runs the suite as users do, and everything where that finds nothing, or not what it should. */
const runOnBroken = async (
  deployments: readonly BrokenDeployment[],
): Promise<Outcome<BrokenDeployment>[]> => {
  const usual = await runSuiteOnAll(deployments, usualChecks);
  console.log(
    `${usual.filter(isMissed).length} of ${usual.length} found only by a thorough run, or not at all`,
  );
  const isDue = (outcome: Outcome<BrokenDeployment>): boolean =>
    isMissed(outcome) || isFoundByOthers(outcome) || breaksThoroughCheck(outcome);
  const again = await runSuiteOnAll(
    usual.filter(isDue).map(({ deployment }) => deployment),
    checks,
    true,
  );
  return usual.map((one) => again.find(({ deployment }) => deployment === one.deployment) ?? one);
};

const page = 'contract-tests/README.md';

/**
 * `npm run kill-matrix [-- PATTERN]`: runs every check against every conforming and every broken server and the grid, and writes what
 * it misses of the grid into the page of the suite. With a pattern only servers whose id, title or checks match, in detail, without the page. Of the
 * held-out half of the grid only the number is shown, and the grid does not change the exit code.
 */
const main = async (): Promise<void> => {
  const [pattern] = process.argv.slice(2);
  const select = <D extends Deployment & { readonly breaks?: readonly string[] }>(
    all: readonly D[],
  ): readonly D[] =>
    pattern === undefined
      ? all
      : all.filter(({ id, breaks = [] }) => new RegExp(pattern).test([id, ...breaks].join(' ')));
  const good = await runSuiteOnAll(select(conforming), usualChecks);
  const bad = await runOnBroken(select(broken));
  const ofGrid = await runSuiteOnAll(select(grid), usualChecks);
  const alarms = good.filter(isFalseAlarm);
  const missed = bad.filter(isMissed);
  const seen = ofGrid.filter(({ deployment }) => !isHeldOut(deployment));
  for (const outcome of pattern === undefined ? [...alarms, ...missed] : [...good, ...bad, ...seen])
    printDetail(outcome);
  for (const { deployment } of bad.filter(isFoundByOthers))
    console.log(`${deployment.id} is not found by ${deployment.breaks.join(' or ')}`);
  const differing = pattern === undefined ? await differingRepeats() : 0;
  const missedOfGrid = `${ofGrid.filter(isMissed).length} of ${ofGrid.length}`;
  console.log(
    `\nfalse alarms ${alarms.length}/${good.length}, missed ${missed.length}/${bad.length}; of the grid, missed ${missedOfGrid}; ${repeats} runs on the mock, ${differing} of them different`,
  );
  console.log(
    `of the half of the grid that is not held out, missed ${seen.filter(isMissed).length}/${seen.length}`,
  );
  if (pattern === undefined)
    writeFileSync(page, readFileSync(page, 'utf8').replace(/(?<=<!-- grid -->).*?(?=<!-- )/, missedOfGrid));
  process.exitCode = alarms.length + missed.length + differing > 0 ? 1 : 0;
};

await main();
