// The round trip: what `observe` finds of a mock is what the mock was told, and `contract --strict` finds no fault with it.
//   npm run round-trip [-- COUNT [SEED]]
import { sample } from 'fast-check';
import { anyAnswers, calm } from '../contract-tests/any-answers.ts';
import { roundTrip, strictFindings } from '../contract-tests/round-trip.ts';

const [count = '300', seed = '1'] = process.argv.slice(2);
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
process.exitCode = differing + faulted > 0 ? 1 : 0;
