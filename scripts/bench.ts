// `npm run bench`: measures the mock, a Fastify app as a developer would write it, and the proxy in front of a mock, in turns.
// Nothing is asserted here. CPU time is the most reliable figure: wall time varies on shared machines.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Dispatcher, Pool } from 'undici';
import { limits } from '../mock/store/store.ts';

type Server = {
  readonly url: string;
  /** Milliseconds of the processor that its process has taken so far, and the longest turn of its event loop since the last call. */
  readonly read: () => Promise<{ readonly cpu: number; readonly longestTurn: number }>;
  readonly stop: () => Promise<void>;
};

// Each server tells its own figures when it is asked, which works on every system.
const tellFigures = `
  import { monitorEventLoopDelay } from 'node:perf_hooks';
  const turns = monitorEventLoopDelay();
  turns.enable();
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send({ cpu: (user + system) / 1000, longestTurn: turns.max / 1e6 });
    turns.reset();
  });
  process.channel.unref();`;

// Without the variables that configure a mock.
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('EMAIL_LEADS_')),
);

/** Starts `node ARGUMENTS…` and waits until it prints its URL. */
const startServer = async (args: readonly string[]): Promise<Server> => {
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(tellFigures)}`, ...args],
    {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      env,
    },
  );
  let printed = '';
  for await (const part of child.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    printed += part;
    const [url] = /http:\/\/127\.0\.0\.1:\d+(?=\s)/.exec(printed) ?? [];
    if (url === undefined) continue;
    child.stdout?.resume();
    const read = async () => {
      child.send('read');
      const [figures] = await once(child, 'message');
      return figures;
    };
    const stop = async (): Promise<void> => {
      child.kill();
      await once(child, 'exit');
    };
    return { url, read, stop };
  }
  throw new Error(`node ${args.join(' ')} ended before it printed its URL: ${printed}`);
};

type Shot = Pick<Dispatcher.RequestOptions, 'method' | 'path' | 'body'>;

const shot = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Shot => ({
  method,
  path,
  body: body === undefined ? null : JSON.stringify(body),
});

const addLead = { name: 'Lena Fischer', source: 'Webinar', note: 'Call back after 17:00' };
const shots: Readonly<Record<string, Shot>> = {
  'POST /leads': shot('POST', '/api/v1/leads', addLead),
  'GET /email/templates': shot('GET', '/api/v1/email/templates'),
  // The lead that the first request to every server adds.
  'PUT /leads/{id}': shot('PUT', '/api/v1/leads/lead_000001', { note: 'Called', source: 'Phone' }),
};

const message = { operation: 'sendEmail', html: '<p>hi <b>you</b></p>'.repeat(750) };
const variables = Object.fromEntries(
  Array.from({ length: limits.requestValues - 20 }, (_, at) => [`v${at}`, '']),
);

/** What holds the event loop of the mock longest, of all that its limits allow: one after the other, in one workspace. */
const heavyShots: Readonly<Record<string, Shot>> = {
  'put a state of 180,000 variables': shot('PUT', '/__admin/state', {
    outbox: Array(9).fill({ operation: 'sendTemplateEmail', variables }),
  }),
  'put a full outbox': shot('PUT', '/__admin/state', { outbox: Array(999).fill(message) }),
  'list it': shot('GET', '/__admin/outbox?limit=1000'),
};

const headers = { authorization: 'Bearer test_bench', 'content-type': 'application/json' };
const connections = 24;

/** Sends a request many times over persistent connections. @throws Error for a status that is not 200 */
const send = async (pool: Pool, shot: Shot, count: number): Promise<void> => {
  let left = count;
  const run = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const { statusCode, body } = await pool.request({ ...shot, headers });
      await body.dump({ limit: Number.POSITIVE_INFINITY });
      if (statusCode !== 200) throw new Error(`${shot.method} ${shot.path} answered ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, run));
};

type Column = 'mock' | 'Fastify app' | 'proxy';

const table = new Map<string, Map<Column, number[]>>();

const record = (figure: string, column: Column, value: number): void => {
  const row = table.get(figure) ?? new Map<Column, number[]>();
  table.set(figure, row.set(column, [...(row.get(column) ?? []), value]));
};

const requests = 2000;

const measure = async (column: Column, args: readonly string[]): Promise<void> => {
  const begin = performance.now();
  const server = await startServer(args);
  const pool = new Pool(server.url, { connections });
  await send(pool, shot('GET', '/api/v1/email/templates'), 1);
  record('start to the first response, ms', column, performance.now() - begin);
  record('start to the first response, CPU ms', column, (await server.read()).cpu);
  for (const warmUp of Object.values(shots)) await send(pool, warmUp, requests);
  for (const [name, shot] of Object.entries(shots)) {
    const before = await server.read();
    await send(pool, shot, requests);
    const after = await server.read();
    record(`${name}, CPU µs`, column, (1000 * (after.cpu - before.cpu)) / requests);
  }
  if (column === 'mock')
    for (const [name, shot] of Object.entries(heavyShots)) {
      await send(pool, shot, 1);
      record(`${name}: longest turn, ms`, column, (await server.read()).longestTurn);
    }
  await pool.close();
  await server.stop();
};

const median = (values: readonly number[] = []): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;

const rounded = (value: number): number => Number(value.toPrecision(3));

const rounds = 3;
const bin = 'dist/email-leads.js';
const mock = [bin, 'mock', '--port', '0', '--log', 'silent'];
const upstream = await startServer(mock);
// Every round has new processes, which differ in how V8 optimises them.
for (let round = 0; round < rounds; round += 1) {
  await measure('mock', mock);
  await measure('Fastify app', ['scripts/bench/fastify.mjs']);
  await measure('proxy', [bin, 'proxy', '--upstream', upstream.url, '--port', '0']);
  const begin = performance.now();
  execFileSync(process.execPath, [bin, 'contract'], { env, stdio: 'ignore' });
  record('the suite on a mock of its own, ms', 'mock', performance.now() - begin);
}
await upstream.stop();

const rows = [...table].map(([figure, row]) => {
  const cells = Object.fromEntries([...row].map(([column, values]) => [column, rounded(median(values))]));
  const ratio = rounded(median(row.get('Fastify app')) / median(row.get('mock')));
  return [figure, row.has('Fastify app') ? { ...cells, 'Fastify app / mock': ratio } : cells] as const;
});
console.log(`Node ${process.version}, medians of ${rounds} rounds`);
console.table(Object.fromEntries(rows));
console.log(`The last column is the share of the capacity of the Fastify app that the mock has; the aims are 0.90 for POST and PUT,
1 for GET, and 1.4 for the start. No turn of the event loop should take more than 300 ms, and no request through the proxy more than 560 µs, of
which 160 µs are those of a proxy that only forwards.`);
