// `npm run bench`: compares the mock with a hand-written Fastify app (bench/baseline.mjs), in turns within one run.
//   --quick      fewer samples, under 40 s
// CPU time per request is the most reliable figure: wall time varies on shared machines. Nothing is asserted here.
import { measureEventLoop } from './bench/event-loop.ts';
import { createLoad, type Load, type Shot } from './bench/load.ts';
import { type Sample, type Server, startServer } from './bench/server.ts';
import { measureProxy, measureSuite } from './bench/suite.ts';
import { median, printFigures, printTable, type Row } from './bench/table.ts';

const commands = {
  mock: ['dist/email-leads.js', 'mock', '--port', '0', '--log', 'silent'],
  baseline: ['scripts/bench/baseline.mjs'],
} as const;

type Side = keyof typeof commands;
type Samples = Record<Side, Sample[]>;

const quick = process.argv.includes('--quick');
// A workspace has room for about 36,000 such leads, including those that the rounds add. Pairs of processes differ in how V8
// optimises them; rounds within a pair differ in the other load of the machine.
const plan = quick
  ? { starts: 6, pairs: 2, rounds: 3, requests: 1500, budget: 12_000, proxyRounds: 2, runs: 1 }
  : { starts: 20, pairs: 3, rounds: 9, requests: 2000, budget: 50_000, proxyRounds: 6, runs: 3 };
// Reserves time for the request measurements on a loaded machine.
const startsDeadline = performance.now() + 0.4 * plan.budget;
const deadline = performance.now() + plan.budget;

const lead = JSON.stringify({ name: 'Lena Fischer', source: 'Webinar', note: 'Call back after 17:00' });
const changes = JSON.stringify({ note: 'Called; wants the evening course', source: 'Phone' });
const addLead: Shot = { method: 'POST', path: '/api/v1/leads', body: lead };
// The lead that the first request of every server adds.
const updateLead: Shot = { method: 'PUT', path: '/api/v1/leads/lead_000001', body: changes };
const listTemplates: Shot = { method: 'GET', path: '/api/v1/email/templates' };

const requests: Readonly<Record<string, Shot>> = {
  'POST /leads': addLead,
  'GET /email/templates': listTemplates,
  'PUT /leads/{id}': updateLead,
};

/** Measures both sides one after the other; the first one alternates from round to round. */
const inTurns = async (round: number, measure: (side: Side) => Promise<void>): Promise<void> => {
  const sides: Side[] = round % 2 === 0 ? ['mock', 'baseline'] : ['baseline', 'mock'];
  for (const side of sides) await measure(side);
};

/** Measures from spawn to the first 200, with a new process each time. */
const measureStarts = async (): Promise<Samples> => {
  const samples: Samples = { mock: [], baseline: [] };
  for (let round = 0; round < plan.starts && performance.now() < startsDeadline; round++) {
    await inTurns(round, async (side) => {
      const server = await startServer(commands[side]);
      const response = await fetch(server.url + listTemplates.path, {
        headers: { authorization: 'Bearer test_bench' },
      });
      const sample = await server.sinceStart();
      const text = await response.text();
      await server.stop();
      if (response.status !== 200) throw new Error(`${side} answered ${response.status} at start: ${text}`);
      // The first start of each includes reading from a cold disk.
      if (round > 0) samples[side].push(sample);
    });
  }
  return samples;
};

type Subject = { readonly server: Server; readonly load: Load };

const prepare = async (side: Side): Promise<Subject> => {
  const server = await startServer(commands[side]);
  const load = await createLoad(server.url);
  for (const shot of Object.values(requests)) await load.send(shot, 2 * plan.requests);
  return { server, load };
};

type Measured = readonly [name: string, Samples];

const measureRequests = async (): Promise<Measured[]> => {
  const all = Object.entries(requests).map(([name, shot]): readonly [Shot, Measured] => [
    shot,
    [name, { mock: [], baseline: [] }],
  ]);
  for (let pair = 0; pair < plan.pairs; pair++) {
    const subjects = { mock: await prepare('mock'), baseline: await prepare('baseline') };
    for (let round = 0; round < plan.rounds && (round === 0 || performance.now() < deadline); round++)
      for (const [shot, [, samples]] of all)
        await inTurns(round, async (side) => {
          const { server, load } = subjects[side];
          samples[side].push(await server.measure(() => load.send(shot, plan.requests)));
        });
    for (const { load, server } of Object.values(subjects)) {
      load.close();
      await server.stop();
    }
  }
  return all.map(([, measured]) => measured);
};

const rowOf = (
  [figure, { mock, baseline }]: Measured,
  unit: string,
  ratio: Row['ratio'],
  value: (sample: Sample) => number,
  aim?: string,
): Row => ({ figure, unit, ratio, aim, mock: mock.map(value), baseline: baseline.map(value) });

const starts = await measureStarts();
const measured = await measureRequests();
const alone = [
  ...(await measureProxy(commands.mock, [addLead, listTemplates], plan.proxyRounds)),
  ...(await measureEventLoop(quick ? 1 : 5)),
  ...(await measureSuite(plan.runs, median(starts.mock.map(({ cpu }) => cpu)))),
];
const cpuPerRequest = ({ cpu }: Sample): number => (1000 * cpu) / plan.requests;
const throughput = ({ wall }: Sample): number => (1000 * plan.requests) / wall;
console.log(
  [
    `Node ${process.version}, ${starts.mock.length} starts, ${measured[0]?.[1].mock.length} rounds of ${plan.requests} requests; medians, ratios of neighbours`,
    '',
    printTable([
      ...measured.map(([name, samples]) =>
        rowOf([`CPU per request, ${name}`, samples], 'µs', 'hand-written/mock', cpuPerRequest, '≥ 0.85'),
      ),
      ...measured.map(([name, samples]) =>
        rowOf([`Throughput, ${name}`, samples], '/s', 'mock/hand-written', throughput),
      ),
      rowOf(
        ['Start to first 200, CPU', starts],
        'ms',
        'mock/hand-written',
        ({ cpu }) => cpu,
        '≤ 1.00, then 0.70',
      ),
      rowOf(['Start to first 200, wall', starts], 'ms', 'mock/hand-written', ({ wall }) => wall),
    ]),
    '',
    printFigures(alone),
    '',
    'CPU ratios of requests are hand-written/mock: the share of that app’s capacity the mock has. Throughput is what this',
    'one client could draw from one server, so it says less. Start ratios are mock/hand-written: less is better.',
  ].join('\n'),
);
