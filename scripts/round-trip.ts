// The round trip: what `observe` finds of a mock is what the mock was told, and `contract --strict` finds no fault with it.
// Then the conforming servers, which are not the mock: their answers are known from how they are built.
//   npm run round-trip [-- COUNT [SEED [PATTERN of conforming servers]]]
import { sample } from 'fast-check';
import { anyAnswers, calm } from '../contract-tests/any-answers.ts';
import { conforming } from '../contract-tests/deployments/index.ts';
import { type Score, scoreOf } from '../contract-tests/observe-conforming.ts';
import { roundTrip, strictFindings } from '../contract-tests/round-trip.ts';

const [count = '300', seed = '1', pattern = '.'] = process.argv.slice(2);
const waiting = sample(anyAnswers, { numRuns: Number(count), seed: Number(seed) });
let [whole, differing, faulted] = [0, 0, 0];

const work = async (): Promise<void> => {
  for (let answers = waiting.pop(); answers; answers = waiting.pop()) {
    const differences = await roundTrip(answers);
    const findings = await strictFindings(calm(answers));
    whole += differences.length === 0 ? 1 : 0;
    differing += differences.length;
    faulted += findings.length > 0 ? 1 : 0;
    if (differences.length + findings.length === 0) continue;
    console.log(JSON.stringify(answers));
    for (const line of [...differences, ...findings]) console.log(`  ${line}`);
  }
};

await Promise.all(Array.from({ length: 4 }, work));
console.log(
  `observe: ${whole} of ${count} profiles came back whole, ${differing} answers differ (seed ${seed})`,
);
console.log(`contract --strict: finds fault with ${faulted} of ${count}, where nothing is wrong with any`);

const servers = conforming.filter(({ id }) => new RegExp(pattern).test(id));
const scores: Score[] = [];
const observeAll = async (): Promise<void> => {
  for (let server = servers.shift(); server; server = servers.shift()) scores.push(await scoreOf(server));
};
await Promise.all(Array.from({ length: 6 }, observeAll));
for (const { id, wrong, undecided, left } of scores) {
  for (const line of wrong) console.log(`${id}: WRONG ${line}`);
  for (const line of undecided) console.log(`${id}: ${line}`);
  if (left > 0) console.log(`${id}: ${left} leads left behind`);
}
const sum = (of: (score: Score) => number): number => scores.reduce((total, score) => total + of(score), 0);
const [right, wrong, undecided] = [
  sum((score) => score.right),
  sum((score) => score.wrong.length),
  sum((score) => score.undecided.length),
];
const share = ((100 * right) / (right + wrong + undecided)).toFixed(1);
console.log(
  `observe on ${scores.length} conforming servers: ${right} right (${share} %), ${wrong} wrong, ${undecided} undecided`,
);
process.exitCode = differing + faulted + wrong > 0 || Number(share) < 98 ? 1 : 0;
