import { execFile } from 'node:child_process';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { serve } from '../../../mock/testing/serve.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { addLead, exchangeOf } from '../../testing/calls.ts';
import { replayScript } from '../replay/script.ts';

const key = `it's a "key" of $staging`.replaceAll(' ', '_');

const reply = '{"success":true,"data":{"lead_id":"a b/1"}}';

type Received = { method: string; url: string; authorization: string | undefined; body: string };
const received: Received[] = [];
const base = await serve((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method = '', url = '', headers } = request;
    const { authorization } = headers;
    received.push({ method, url, authorization, body: Buffer.concat(chunks).toString('utf8') });
    if (url.startsWith('/?large')) Readable.from(large()).pipe(response);
    else response.end(url.startsWith('/?nothing') ? '{}' : reply);
  });
});
/** Number of chunks that the server has sent of a response without a length, at most 200. */
let chunks = 0;
function* large() {
  for (chunks = 0; chunks < 200; chunks += 1) yield Buffer.alloc(2 ** 20, 'x');
}

let at = 0;
const exchange = (call: Partial<Exchange>): Exchange => {
  at += 2;
  return exchangeOf(200, reply, {
    ...{ ...addLead, body: undefined, check: 'leads.add.name' },
    ...{ headers: {}, json: {}, outcome: 'success', sentAt: at, receivedAt: at + 1 },
    ...(call.text === undefined ? {} : { rawText: call.text }),
    ...call,
  });
};

const update = (call: Partial<Exchange>): Exchange =>
  exchange({ operation: 'updateLead', method: 'PUT', path: '/api/v1/leads/1', body: '{}', ...call });
const remove = (path: string, times = {}): Exchange =>
  exchange({ operation: 'deleteLead', method: 'DELETE', path, ...times });
/** Of the lead that other steps name. */
const addition = (): Exchange =>
  exchange({ json: { data: { lead_id: 'lead_1' } }, rawText: '{"lead_id":"lead_1"}' });

const hostile = '\n$(touch owned)\r`date` \u202e';

const scriptOf = (...exchanges: Exchange[]): string => {
  const claim = { id: 'leads.add.name', title: 'a title', section: '4.5' };
  const finding = { expected: hostile, actual: hostile };
  return replayScript({ url: base }, claim, finding, { exchanges, sporadic: false }) ?? '';
};

type Ended = { readonly code: number; readonly output: string; readonly error: string };

const run = (script: string): Promise<Ended> =>
  new Promise((resolve) => {
    received.length = 0;
    const env = { PATH: process.env.PATH, EMAIL_LEADS_API_KEY: key };
    const child = execFile('sh', { env }, (failed, output, error) =>
      resolve({ code: Number(failed?.code ?? 0), output, error }),
    );
    child.stdin?.end(script);
  });

test('bodies arrive as they were sent', async () => {
  const notes = [
    `it's "quoted" $HOME \`date\` $(date) \\ \\\\ ! %s %% é 漢字 👩‍🎨`,
    `a\nb\r\n\tc no\u200bspace \u202e \u0001 \u2028 ${'long '.repeat(500)}& / \\ end`,
  ];
  const bodies = [...notes.map((note) => JSON.stringify({ note })), '{"name":"it\'s'];
  await run(scriptOf(...bodies.map((body) => update({ body }))));
  expect(received.map(({ body }) => (body.endsWith('}') ? JSON.parse(body) : body))).toEqual([
    ...notes.map((note) => ({ note })),
    bodies.at(-1),
  ]);
});

test('an id is the one that this run of the script got, and what was added is deleted', async () => {
  const { output } = await run(scriptOf(addition(), update({ path: '/api/v1/leads/lead_1' })));
  const [, put, ...deletions] = received.map(({ method, url }) => `${method} ${url}`);
  expect(put).toBe('PUT /api/v1/leads/%61%20%62%2f%31');
  expect(new Set(deletions)).toEqual(new Set(['DELETE /api/v1/leads/%61%20%62%2f%31']));
  expect(output).toMatch(/== 2: PUT \/api\/v1\/leads\/%61%20%62%2f%31 {2}<- the response to compare\nHTTP/);
});

test.each([
  ['without its last character', 'added-before-1', 'added-before-', '"${lead1%?}"'],
  ['with a wildcard for its last character', 'added-before-1', 'added-before-_', `"\${lead1%?}"'_'`],
  ['followed by more', 'added-before-1', 'added-before-1-contract-test-x', `"$lead1"'-contract-test-x'`],
  ['that is only like it', 'added-before-1', 'added-before-2', "'/api/v1/leads/added-before-2'"],
])('an id %s is made from the one that this run of the script got, or as it was', (_, id, asked, word) => {
  const added = exchange({ json: { data: { lead_id: id } } });
  const script = scriptOf(added, remove(`/api/v1/leads/${asked}`));
  expect(/^ask 2 DELETE (\S+)/m.exec(script)?.[1]?.endsWith(word), script).toBe(true);
});

test('what was under way at once is sent at once, but for what needs the id of an addition', async () => {
  const added = addition();
  const times = { sentAt: added.sentAt + 0.5, receivedAt: added.sentAt + 2 };
  const path = '/api/v1/leads/lead_1';
  const script = scriptOf(added, update({ path, ...times }), remove(path, times));
  expect(script.split('\n').filter((line) => /^ask \d|^wait$/.test(line))).toEqual([
    expect.stringMatching(/^ask 1 POST .*[^&]$/),
    expect.stringMatching(/^ask 2 PUT '\/api\/v1\/leads\/'"\$lead1" .* &$/),
    expect.stringMatching(/^ask 3 DELETE '\/api\/v1\/leads\/'"\$lead1" .* &$/),
    'wait',
  ]);
  await run(script);
  expect(received.slice(1, 3).map(({ url }) => url)).toEqual(Array(2).fill('/api/v1/leads/%61%20%62%2f%31'));
});

test('it sends the kinds of keys that were sent, made from the key of whoever runs it', async () => {
  const sent = [
    ['key', `Bearer ${key}`],
    ['none', undefined],
    ['key with ~ appended', `Bearer ${key}~`],
    ['key after ~', `Bearer ~${key}`],
    ['key without its last character', `Bearer ${key.slice(0, -1)}`],
    ['key in other case', `Bearer ${`IT'S_A_"KEY"_OF_$STAGING`}`],
    ['key with - and _ exchanged', `Bearer ${key.replaceAll('_', '-')}`],
    ['Basic', 'Basic eDp5'],
  ] as const;
  const ofSameShape = ['random key', 'end of the key', 'key with another last character'] as const;
  const kinds = [...sent.map(([kind]) => kind), ...ofSameShape];
  const script = scriptOf(...kinds.map((credentials) => update({ credentials })));
  expect(script).not.toContain(key);
  await run(script);
  const fields = received.map(({ authorization }) => authorization);
  expect(fields.slice(0, sent.length)).toEqual(sent.map(([, field]) => field));
  const others = fields.slice(sent.length).map((field = '') => field.split(' ')[1] ?? '');
  expect(others).toHaveLength(ofSameShape.length);
  for (const other of others) {
    expect(other).not.toBe(key);
    expect(other).toHaveLength(key.length);
  }
});

test('what a deployment said is a comment, and without the key nothing is sent', async () => {
  const script = scriptOf(exchange({}));
  const comments = script.split('\n').slice(0, 4);
  expect(comments.filter((line) => !line.startsWith('#'))).toEqual([]);
  expect(comments.join('')).toContain('\\u202e');
  expect(await run(`unset EMAIL_LEADS_API_KEY\n${script}`)).toMatchObject({
    error: expect.stringContaining('set it to the key of the deployment'),
  });
  expect(received).toEqual([]);
});

test('it shows the response, and what was expected and found', async () => {
  const { code, output } = await run(scriptOf(update({})));
  expect(code).toBe(0);
  expect(output).toContain(reply);
  expect(output).toContain('expected: $(touch owned) `date` \\u202e\nactual, in the run: $(touch owned)');
});

test('it stops where nothing answers, and where no lead is added that a later step needs', async () => {
  const script = scriptOf(addition(), update({ path: '/api/v1/leads/lead_1' }));
  const on = (url: string): Promise<Ended> => run(script.replace(/^base=.*$/m, `base='${url}'`));
  const down = { code: 2, output: expect.stringContaining('step 1 failed') };
  expect(await on('http://127.0.0.1:1')).toMatchObject(down);
  const without = { code: 2, output: expect.stringContaining('no lead was added') };
  expect(await on(`${base}?nothing=`)).toMatchObject(without);
  expect(received.map(({ method }) => method)).toEqual(['POST']);
});

test('it reads some megabytes of a response, and shows the beginning', async () => {
  const script = scriptOf(update({})).replace(/^base=.*$/m, `base='${base}?large='`);
  const { output } = await run(script);
  expect(chunks).toBeLessThan(100);
  expect(output.length).toBeLessThan(200_000);
});
