// `observe` reports the configured answers of a mock, and the known answers of a conforming server.
import { sample } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWhole } from '../../../mock/testing/scale.ts';
import {
  arbitraryAnswers,
  differencesOf,
  roundTrip,
  strictFindings,
  withoutViolations,
} from '../round-trip.ts';
import { serverNamed } from './sample.ts';

const servers = ['another-service', 'strict-fields', 'plain', 'php-style', 'merging'];
const profiles = sample(arbitraryAnswers, { numRuns: isWhole ? 60 : 1, seed: 2 });

const numbered = profiles.map((answers, index) => [index, answers] as const);

describe.concurrent('observe recovers the configured answers of a mock', () => {
  test.each(numbered)('profile %i', async (_, answers) => {
    expect(await roundTrip(answers)).toEqual([]);
  });
});

// Each takes as long as ten round trips.
describe.concurrent('contract --strict reports nothing on a mock with these answers', () => {
  test.each(numbered.filter(([index]) => index % 3 === 0))('profile %i', async (_, answers) => {
    expect(await strictFindings(withoutViolations(answers))).toEqual([]);
  });
});

describe.concurrent('observe recovers the answers of a conforming server', () => {
  test.each(isWhole ? servers : servers.slice(0, 1))('%s', async (id) => {
    expect(await differencesOf(serverNamed(id))).toEqual([]);
  });
});
