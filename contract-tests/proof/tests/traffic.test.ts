// The passive judge on the servers of the proof: an app that is not the suite works through the proxy.
import { describe, expect, test } from 'vitest';
import { isWhole } from '../../../mock/testing/scale.ts';
import found from '../traffic/found.json' with { type: 'json' };
import { judgeRecording, judgeTraffic, recordObservation, type TrafficResult } from '../traffic/traffic.ts';
import { conformingOfEachGroup, serverNamed } from './sample.ts';

const ids = ({ findings }: Pick<TrafficResult, 'findings'>): string[] => findings.map(({ check }) => check);

describe.concurrent('no false alarm on a conforming server', () => {
  // The recordings of whole runs show the others.
  test.each(conformingOfEachGroup.slice(0, isWhole ? undefined : 1))('$id: $title', async (deployment) => {
    const result = await judgeTraffic(deployment);
    expect(result.findings).toEqual([]);
    expect(result.undecided).toEqual([]);
    expect(result.judged).toBeGreaterThan(100);
  });
});

describe.concurrent('what this traffic shows is found', () => {
  test.each(found.slice(0, isWhole ? undefined : 2))('%s', async (id) => {
    const result = await judgeTraffic(serverNamed(id));
    expect(result.findings.length, `nothing found in ${result.judged} exchanges`).toBeGreaterThan(0);
  });
});

test('a recording of the same traffic shows the same', async () => {
  const sessions = [
    'Add lead answers 201',
    'plain',
    'Update lead gives its name to every lead',
    'List templates succeeds with a text in error',
    'Delete lead answers 204 without a body',
  ];
  for (const id of sessions.slice(0, isWhole ? undefined : 1)) {
    const result = await judgeTraffic(serverNamed(id));
    const recording = recordObservation('https://staging.example.com', result.observed);
    expect(ids(judgeRecording(recording)), id).toEqual(ids(result));
  }
});
