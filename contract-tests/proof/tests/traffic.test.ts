// The passive judge on the servers of the proof: an app that is not the suite works through the proxy.
import { afterAll, describe, expect, test } from 'vitest';
import { isWhole } from '../../../mock/testing/scale.ts';
import { dependOnChance } from '../finders.ts';
import { brokenSample, conformingOfEachGroup } from '../sample.ts';
import { broken, conforming } from '../servers.ts';
import found from '../traffic/found.json' with { type: 'json' };
import { toHar } from '../traffic/har.ts';
import { judgeRecording, judgeTraffic, type TrafficResult } from '../traffic/result.ts';

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

/** Broken servers whose traffic shows what is wrong: those of every group and every check, and some of these in `npm test`. */
const shown = brokenSample
  .filter(({ id }) => (found as string[]).includes(id) && !dependOnChance.has(id))
  .slice(0, isWhole ? undefined : 2);

/** How many of the broken servers of each group the traffic of an app shows, and how many of these this run has tried. */
const printTable = (killed: ReadonlySet<string>): void => {
  console.log(`\n${'judged by their traffic'.padEnd(28)}servers  shown  in this run`);
  for (const group of [...new Set(broken.map((server) => server.group))]) {
    const servers = broken.filter((server) => server.group === group);
    const known = servers.filter(({ id }) => (found as string[]).includes(id));
    const counts = [servers.length, known.length, servers.filter(({ id }) => killed.has(id)).length];
    const [all = '', shownCount = '', tried = ''] = counts.map(String);
    console.log(`${group.padEnd(28)}${all.padStart(7)}${shownCount.padStart(7)}${tried.padStart(13)}`);
  }
};

describe.concurrent('what this traffic shows is found', () => {
  const killed = new Set<string>();
  afterAll(() => {
    if (isWhole) printTable(killed);
  });

  test.each(shown)('$id: $title', async (deployment) => {
    const { requirements = {} } = conforming.find(({ id }) => id === deployment.base) ?? {};
    const result = await judgeTraffic({ ...deployment, requirements });
    expect(result.findings.length, `nothing found in ${result.judged} exchanges`).toBeGreaterThan(0);
    killed.add(deployment.id);
  });
});

test('a recording of the same traffic shows the same', async () => {
  const sessions = ['add-201', 'plain', 'update-note-of-all', 'list-error-text', 'delete-204'];
  for (const id of sessions.slice(0, isWhole ? undefined : 1)) {
    const deployment = [...broken, ...conforming].find((candidate) => candidate.id === id);
    if (!deployment) throw new Error(`there is no server ${id}`);
    const result = await judgeTraffic(deployment);
    expect(ids(judgeRecording(toHar('https://staging.example.com', result.observed))), id).toEqual(
      ids(result),
    );
  }
});

test('the list names servers that there are', () => {
  const known = new Set(broken.map(({ id }) => id));
  expect((found as string[]).filter((id) => !known.has(id))).toEqual([]);
});
