import { sample } from 'fast-check';
import { type Score, scoreDeployment } from './observe-score.ts';
import { arbitraryAnswers, roundTrip, strictFindings, withoutViolations } from './round-trip.ts';
import { conforming } from './servers.ts';

/** Works on many items, some at a time, as most of the time is waiting. */
const forEachParallel = async <Item>(
  items: Iterable<Item>,
  workers: number,
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  const waiting = [...items];
  const take = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: workers }, take));
};

/** How many mocks with random answers are observed or checked wrongly; prints each difference. */
const countFaultyProfiles = async (count: number, seed: number): Promise<number> => {
  let [complete, differing, faulted] = [0, 0, 0];
  await forEachParallel(sample(arbitraryAnswers, { numRuns: count, seed }), 4, async (answers) => {
    const differences = await roundTrip(answers);
    const findings = await strictFindings(withoutViolations(answers));
    complete += differences.length === 0 ? 1 : 0;
    differing += differences.length;
    faulted += findings.length > 0 ? 1 : 0;
    if (differences.length + findings.length === 0) return;
    console.log(JSON.stringify(answers));
    for (const line of [...differences, ...findings]) console.log(`  ${line}`);
  });
  console.log(
    `observe: ${complete} of ${count} profiles recovered in full, ${differing} answers differ (seed ${seed})`,
  );
  console.log(`contract --strict: findings for ${faulted} of ${count} profiles, none expected`);
  return differing + faulted;
};

const printScore = ({ id, wrong, undecided, leftoverLeads }: Score): void => {
  for (const line of wrong) console.log(`${id}: WRONG ${line}`);
  for (const line of undecided) console.log(`${id}: ${line}`);
  if (leftoverLeads > 0) console.log(`${id}: ${leftoverLeads} leads left behind`);
};

/** Scores `observe` on conforming servers, whose answers are known from how they are built. */
const scoreConforming = async (pattern: string): Promise<{ wrong: number; share: number }> => {
  const servers = conforming.filter(({ id }) => new RegExp(pattern).test(id));
  const scores: Score[] = [];
  await forEachParallel(servers, 6, async (server) => void scores.push(await scoreDeployment(server)));
  for (const score of scores) printScore(score);
  const sum = (of: (score: Score) => number): number => scores.reduce((total, score) => total + of(score), 0);
  const [right, wrong] = [sum((score) => score.right), sum((score) => score.wrong.length)];
  const undecided = sum((score) => score.undecided.length);
  const share = (100 * right) / (right + wrong + undecided);
  console.log(
    `observe on ${scores.length} conforming servers: ${right} right (${share.toFixed(1)} %), ${wrong} wrong, ${undecided} undecided`,
  );
  return { wrong, share };
};

/** Both halves; returns the exit code. */
export const runRoundTrip = async (count: number, seed: number, pattern: string): Promise<number> => {
  const faulty = await countFaultyProfiles(count, seed);
  const { wrong, share } = await scoreConforming(pattern);
  return faulty + wrong > 0 || share < 98 ? 1 : 0;
};
