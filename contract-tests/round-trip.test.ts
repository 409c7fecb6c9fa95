// What is observed of a server whose answers are known is those answers. The long run: npm run round-trip
import { sample } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyAnswers, calm } from './any-answers.ts';
import { conforming } from './deployments/index.ts';
import { scoreOf } from './observe-conforming.ts';
import { probes } from './probes/index.ts';
import { roundTrip, strictFindings } from './round-trip.ts';

describe('a mock is observed to answer what it was told, and contract --strict finds no fault', () => {
  test.each(sample(anyAnswers, { numRuns: 6, seed: 2 }).map((answers, at) => [at, answers] as const))(
    'profile %i',
    async (_, answers) => {
      expect(await roundTrip(answers)).toEqual([]);
      expect(await strictFindings(calm(answers))).toEqual([]);
    },
  );
});

describe('a conforming server is observed to be what it is', () => {
  test.each(['plain', 'strict-fields', 'php-style', 'merging', 'another-service'])('%s', async (id) => {
    const deployment = conforming.find((one) => one.id === id);
    if (!deployment) throw new Error(id);
    expect(await scoreOf(deployment)).toEqual({
      id,
      right: probes.length,
      wrong: [],
      undecided: [],
      left: 0,
    });
  });
});
