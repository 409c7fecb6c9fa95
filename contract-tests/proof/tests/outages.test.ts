// Ways to stop answering × the moment it begins × servers: nothing green that is undecided, nobody blamed, nothing lost.
import { describe, expect, test } from 'vitest';
import { isWhole } from '../../../mock/testing/scale.ts';
import {
  brokenCasesFor,
  type Case,
  caseName,
  casesFor,
  type Fault,
  faultsOfBroken,
  faultsOfContract,
  faultsOfObserve,
  sampleOf,
} from '../outage-matrix.ts';

/** What they break shows in discovery, before the trouble begins. */
const brokenServers = [
  'Add lead answers 201',
  'Update lead keeps the change and shows the old text',
  'Templates have name null',
  'Delete lead succeeds with error null',
];

/** In the sample one case each, of another outage each time. */
const chosen = (cases: readonly Case[], seed: number): readonly Case[] =>
  isWhole ? cases : sampleOf(cases, seed).slice(seed, seed + 1);

/** A part of the cases, to save time: each outage at every so many moments. */
const every =
  (count: number) =>
  (_: Case, index: number): boolean =>
    index % count === 0;

/** What a run concludes from an outage that ends depends most on the moment. */
const isEvenOrEnds = (subject: Case, index: number): boolean =>
  subject.outage.ends === true || every(2)(subject, index);

const proofs: readonly [string, readonly Case[], (subject: Case) => Promise<Fault[]>][] = [
  ['contract blames the service for nothing', chosen(casesFor(1).filter(isEvenOrEnds), 1), faultsOfContract],
  ['observe reports no wrong answer', chosen(casesFor(2).filter(every(4)), 4), faultsOfObserve],
  ['a broken server is found all the same', chosen(brokenCasesFor(3, brokenServers), 3), faultsOfBroken],
];

describe.concurrent.each(proofs)('%s', (_title, cases, faultsOf) => {
  test.each(cases.map((subject) => [caseName(subject), subject] as const))('%s', async (_, subject) => {
    expect(await faultsOf(subject)).toEqual([]);
  });
});
