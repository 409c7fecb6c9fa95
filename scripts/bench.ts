// `npm run bench`: compares the mock with a hand-written Fastify app (bench/baseline.mjs), in turns within one run.
//   --quick      fewer samples, under 40 s
// CPU time per request is the most reliable figure: wall time varies on shared machines. Nothing is asserted here.
import { measureEventLoop } from './bench/event-loop.ts';
import { createLoad, type Load, type Shot } from './bench/load.ts';
import { measureProxy } from './bench/proxy.ts';
import { measureScale } from './bench/scale.ts';
import { type Server, startServer } from './bench/server.ts';
import { measureSuite } from './bench/suite.ts';
import { median, printFigures, printTable, type Row } from './bench/table.ts';

const commands = {
  mock: ['dist/email-leads.js', 'mock', '--port', '0', '--log', 'silent'],
  baseline: ['scripts/bench/baseline.mjs'],
} as const;

type Side = keyof typeof commands;
type Sample = { readonly cpu: number | undefined; readonly wall: number };
type Samples = Record<Side, Sample[]>;

const quick = process.argv.includes('--quick');
// A workspace has room for about 36,000 such leads, including those that the rounds add. Pairs of processes differ in how V8
// optimises them; rounds within a pair differ in the other load of the machine.
const plan = quick
  ? { starts: 6, pairs: 2, rounds: 3, requests: 1500, budget: 12_000, leads: 20_000, runs: 1 }
  : { starts: 20, pairs: 3, rounds: 9, requests: 2000, budget: 50_000, leads: 12_000, runs: 3 };
// Reserves time for the request measurements on a loaded machine.
const startsDeadline = performance.now() + 0.4 * plan.budget;
const deadline = performance.now() + plan.budget;

const lead = JSON.stringify({ name: 'Lena Fischer', source: 'Webinar', note: 'Call back after 17:00' });
const changes = JSON.stringify({ note: 'Called; wants the evening course', source: 'Phone' });
const addLead: Shot = { method: 'POST', path: '/api/v1/leads', body: lead };
const listTemplates: Shot = { method: 'GET', path: '/api/v1/email/templates' };

/** Measures both sides one after the other; the first one alternates from round to round. */
const inTurns = async (round: number, measure: (side: Side) => Promise<void>): Promise<void> => {
  const sides: Side[] = round % 2 === 0 ? ['mock', 'baseline'] : ['baseline', 'mock'];
  for (const side of sides) await measure(side);
};

const noSamples = (): Samples => ({ mock: [], baseline: [] });

/** Measures from spawn to the first 200, with a new process each time. */
const measureStarts = async (): Promise<Samples> => {
  const samples = noSamples();
  for (let round = 0; round < plan.starts && performance.now() < startsDeadline; round++) {
    await inTurns(round, async (side) => {
      const begin = performance.now();
      const server = await startServer(commands[side]);
      const response = await fetch(server.url + listTemplates.path, {
        headers: { authorization: 'Bearer test_bench' },
      });
      const sample = { cpu: server.cpu(), wall: performance.now() - begin };
      const text = await response.text();
      await server.stop();
      if (response.status !== 200) throw new Error(`${side} answered ${response.status} at start: ${text}`);
      // The first start of each includes reading from a cold disk.
      if (round > 0) samples[side].push(sample);
    });
  }
  return samples;
};

type Subject = { readonly server: Server; readonly load: Load; readonly shots: ReadonlyMap<string, Shot> };

const prepare = async (side: Side): Promise<Subject> => {
  const server = await startServer(commands[side]);
  const load = await createLoad(server.url);
  const { data } = (await load.ask(addLead)) as { data: { lead_id: string } };
  const shots = new Map([
    ['POST /leads', addLead],
    ['GET /email/templates', listTemplates],
    ['PUT /leads/{id}', { method: 'PUT', path: `/api/v1/leads/${data.lead_id}`, body: changes } as const],
  ]);
  for (const shot of shots.values()) await load.send(shot, 2 * plan.requests);
  return { server, load, shots };
};

const measureRequests = async (): Promise<Map<string, Samples>> => {
  const samples = new Map<string, Samples>();
  for (let pair = 0; pair < plan.pairs; pair++) {
    const subjects = { mock: await prepare('mock'), baseline: await prepare('baseline') };
    for (let round = 0; round < plan.rounds && (round === 0 || performance.now() < deadline); round++) {
      for (const name of subjects.mock.shots.keys()) {
        const own = samples.get(name) ?? noSamples();
        samples.set(name, own);
        await inTurns(round, async (side) => void own[side].push(await measureBatch(subjects[side], name)));
      }
    }
    for (const { load, server } of Object.values(subjects)) {
      load.close();
      await server.stop();
    }
  }
  return samples;
};

const measureBatch = async ({ server, load, shots }: Subject, name: string): Promise<Sample> => {
  const shot = shots.get(name);
  if (!shot) throw new Error(`no request ${name}`);
  const before = server.cpu();
  const wall = await load.send(shot, plan.requests);
  const after = server.cpu();
  return { cpu: before === undefined || after === undefined ? undefined : after - before, wall };
};

const cpuRow = (figure: string, { mock, baseline }: Samples): Row => ({
  figure,
  unit: 'µs',
  mock: mock.map(({ cpu }) => cpu && (1000 * cpu) / plan.requests),
  baseline: baseline.map(({ cpu }) => cpu && (1000 * cpu) / plan.requests),
  ratio: 'hand-written/mock',
  aim: '≥ 0.85',
});

const throughputRow = (figure: string, { mock, baseline }: Samples): Row => ({
  figure,
  unit: '/s',
  mock: mock.map(({ wall }) => (1000 * plan.requests) / wall),
  baseline: baseline.map(({ wall }) => (1000 * plan.requests) / wall),
  ratio: 'mock/hand-written',
});

const startRow = (
  figure: string,
  { mock, baseline }: Samples,
  measure: 'cpu' | 'wall',
  aim?: string,
): Row => ({
  figure,
  unit: 'ms',
  mock: mock.map((sample) => sample[measure]),
  baseline: baseline.map((sample) => sample[measure]),
  ratio: 'mock/hand-written',
  ...(aim === undefined ? {} : { aim }),
});

const starts = await measureStarts();
const requests = [...(await measureRequests())];
const alone = [
  ...(await measureScale(commands.mock, { leads: plan.leads, rounds: plan.rounds, requests: plan.requests })),
  ...(await measureProxy(commands.mock, {
    rounds: quick ? 2 : 6,
    requests: 1000,
    shots: [addLead, listTemplates],
  })),
  ...(await measureEventLoop(quick ? 1 : 5)),
  ...(await measureSuite(plan.runs, median(starts.mock.map(({ cpu }) => cpu)))),
];
console.log(
  [
    `Node ${process.version}, ${starts.mock.length} starts, ${requests[0]?.[1].mock.length} rounds of ${plan.requests} requests; medians, ratios of neighbours`,
    '',
    printTable([
      ...requests.map(([name, samples]) => cpuRow(`CPU per request, ${name}`, samples)),
      ...requests.map(([name, samples]) => throughputRow(`Throughput, ${name}`, samples)),
      startRow('Start to first 200, CPU', starts, 'cpu', '≤ 1.00, then 0.70'),
      startRow('Start to first 200, wall', starts, 'wall'),
    ]),
    '',
    printFigures(alone),
    '',
    'CPU ratios of requests are hand-written/mock: the share of that app’s capacity the mock has. Throughput is what this',
    'one client could draw from one server, so it says less. Start ratios are mock/hand-written: less is better.',
    ...(starts.mock.some(({ cpu }) => cpu !== undefined)
      ? []
      : ['CPU time of another process is not available on this system.']),
  ].join('\n'),
);
