// `npm run bench`: the CPU time that the mock, a Fastify app as teams write it, and the proxy in front of a mock take, in turns.
// Nothing is asserted here. CPU time is the most reliable figure: wall time varies on shared machines.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Pool } from 'undici';
import defaultSeed from '../mock/mail/default-seed.json' with { type: 'json' };

// Each server tells its own CPU time when it is asked, which works on every system.
const tellCpu = `
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send((user + system) / 1000);
  });
  process.channel.unref();`;
const inServers = ['--import', `data:text/javascript,${encodeURIComponent(tellCpu)}`];

// Without the variables that configure a mock.
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('EMAIL_LEADS_')),
);

/** Starts `node ARGUMENTS…` and waits until it prints its URL. */
const startServer = async (args: readonly string[]) => {
  const stdio = ['ignore', 'pipe', 'inherit', 'ipc'] as const;
  const child = spawn(process.execPath, [...inServers, ...args], { stdio: [...stdio], env });
  let printed = '';
  for await (const part of child.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    printed += part;
    const [url] = /http:\/\/127\.0\.0\.1:\d+(?=\s)/.exec(printed) ?? [];
    if (url === undefined) continue;
    child.stdout?.resume();
    /** Milliseconds of the processor so far. */
    const readCpu = async (): Promise<number> => {
      child.send('read');
      return (await once(child, 'message'))[0];
    };
    const stop = async (): Promise<void> => {
      child.kill();
      await once(child, 'exit');
    };
    return { url, readCpu, stop };
  }
  throw new Error(`node ${args.join(' ')} ended before it printed its URL: ${printed}`);
};

const bin = 'dist/email-leads.js';
const mock = [bin, 'mock', '--port', '0', '--log', 'silent'];
// Both list the same templates: most of a GET is to write them.
const startFastify = `
  const { templates } = await import('./contract-tests/proof/frameworks/switches.mjs');
  templates.splice(0, templates.length, ...${JSON.stringify(defaultSeed.templates)});
  const { start } = await import('./contract-tests/proof/frameworks/fastify.mjs');
  console.log('http://127.0.0.1:' + (await start({})).port);`;
const upstream = await startServer(mock);

/** What is measured: how it is started, and the key it takes. */
const columns = {
  mock: [mock, 'test_bench'],
  'Fastify app': [['--input-type=module', '--eval', startFastify], 'fw_4f1c9b7e2a6d'],
  proxy: [[bin, 'proxy', '--upstream', upstream.url, '--port', '0'], 'test_bench'],
} as const;

const table = new Map<string, Map<string, number[]>>();

const record = (figure: string, column: string, value: number): void => {
  const row = table.get(figure) ?? new Map<string, number[]>();
  table.set(figure, row.set(column, [...(row.get(column) ?? []), value]));
};

const lead = { name: 'Lena Fischer', source: 'Webinar', note: 'Call back after 17:00' };
// With fewer, most of what is measured is how long V8 takes to optimise.
const [connections, requests] = [24, 8000];

const measure = async (column: keyof typeof columns): Promise<void> => {
  const [args, key] = columns[column];
  const begin = performance.now();
  const server = await startServer(args);
  const pool = new Pool(server.url, { connections });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  /** @throws Error for a status that is not 200 */
  const send = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<string> => {
    const sent = body === undefined ? null : JSON.stringify(body);
    const reply = await pool.request({ method, path: `/api/v1/${path}`, headers, body: sent });
    const text = await reply.body.text();
    if (reply.statusCode !== 200) throw new Error(`${method} ${path} answered ${reply.statusCode}: ${text}`);
    return text;
  };
  await send('GET', 'email/templates');
  record('start to the first response, ms', column, performance.now() - begin);
  record('start to the first response, CPU ms', column, await server.readCpu());
  const { lead_id: id } = JSON.parse(await send('POST', 'leads', lead)).data;
  const shots = {
    'POST /leads': () => send('POST', 'leads', lead),
    'GET /email/templates': () => send('GET', 'email/templates'),
    'PUT /leads/{id}': () => send('PUT', `leads/${id}`, { note: 'Called', source: 'Phone' }),
  };
  const repeat = async (shoot: () => Promise<string>): Promise<void> => {
    let left: number = requests;
    const run = async (): Promise<void> => {
      for (; left > 0; left -= 1) await shoot();
    };
    await Promise.all(Array.from({ length: connections }, run));
  };
  // To warm up.
  for (const shoot of Object.values(shots)) await repeat(shoot);
  for (const [name, shoot] of Object.entries(shots)) {
    const before = await server.readCpu();
    await repeat(shoot);
    record(`${name}, CPU µs`, column, (1000 * ((await server.readCpu()) - before)) / requests);
  }
  await pool.close();
  await server.stop();
};

const rounds = 3;
// Every round has new processes, which differ in how V8 optimises them.
for (let round = 0; round < rounds; round += 1) {
  // The mock behind the proxy holds the leads of one round only.
  await fetch(`${upstream.url}/__admin/reset?key=test_bench`, { method: 'POST' });
  for (const column of Object.keys(columns) as (keyof typeof columns)[]) await measure(column);
  const begin = performance.now();
  execFileSync(process.execPath, [bin, 'contract'], { env, stdio: 'ignore' });
  record('the suite on a mock of its own, ms', 'mock', performance.now() - begin);
}
await upstream.stop();

const median = (values: readonly number[] = []): number =>
  Number((values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0).toPrecision(3));

console.log(`Node ${process.version}, medians of ${rounds} rounds`);
const mediansOf = (row: ReadonlyMap<string, readonly number[]>) =>
  Object.fromEntries([...row].map(([column, values]) => [column, median(values)]));
console.table(Object.fromEntries([...table].map(([figure, row]) => [figure, mediansOf(row)])));
