import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { isWhole } from '../../../mock/testing/scale.ts';
import { serve, temporaryDirectory } from '../../../mock/testing/temporary.ts';
import { createLedger, leftoverLines } from '../../client/ledger.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { addLead, exchangeOf } from '../../testing/exchanges.ts';
import type { Finding } from '../replay/script.ts';
import { replayScript } from '../replay/script.ts';

const key = `it's a "key" of $staging`.replaceAll(' ', '_');

const usualReply = '{"success":true,"data":{"lead_id":"a b/1"}}';
let reply = usualReply;

type Received = { method: string; url: string; authorization: string | undefined; body: string };
const received: Received[] = [];
const base = await serve(async (request, response) => {
  const { method = '', url = '', headers } = request;
  const { authorization } = headers;
  const body = await textOf(request);
  if (reply.includes('PWNED')) response.setHeader('content-type', `application/json; x="$(touch PWNED)'\``);
  received.push({ method, url, authorization, body });
  if (url.startsWith('/?large')) Readable.from(large()).pipe(response);
  else response.end(url.startsWith('/?nothing') ? '{}' : reply);
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
    ...{ ...addLead, body: undefined, scenario: 'leads.add.name' },
    ...{ headers: {}, json: {}, outcome: 'success', sentAt: at, receivedAt: at + 1 },
    ...(call.text === undefined ? {} : { rawText: call.text }),
    ...call,
  });
};

const update = (call: Partial<Exchange>): Exchange =>
  exchange({ operation: 'updateLead', method: 'PUT', path: '/api/v1/leads/1', body: '{}', ...call });
const remove = (path: string, times = {}): Exchange =>
  exchange({ operation: 'deleteLead', method: 'DELETE', path, ...times });
const listed = (call: Partial<Exchange>) => exchange({ operation: 'listTemplates', method: 'GET', ...call });
/** Of the lead that other steps name. */
const addition = () => exchange({ json: { data: { lead_id: 'lead_1' } }, rawText: '{"lead_id":"lead_1"}' });

const hostile = '\n$(touch owned)\r`date` \u202e';

const scriptFor = (finding: Finding, exchanges: readonly Exchange[]): string => {
  const claim = { id: 'leads.add.name', title: 'a title', section: '4.5' };
  const isOwn = exchanges[0]?.operation !== 'listTemplates';
  return replayScript({ url: base }, claim, finding, { exchanges, sporadic: false }, isOwn) ?? '';
};
const scriptOf = (...exchanges: Exchange[]) => scriptFor({ expected: hostile, actual: hostile }, exchanges);

type Ended = { readonly code: number; readonly output: string; readonly error: string };

// A curl that takes down its arguments, as a list of processes shows them, and a directory in which no script leaves a file.
const [tools, work] = [temporaryDirectory(), temporaryDirectory()];
const argumentsFile = join(tools, 'arguments');
const curl = execFileSync('sh', ['-c', 'command -v curl'], { encoding: 'utf8' }).trim();
const noting = `#!/bin/sh\nprintf '%s\\0' "$*" >> '${argumentsFile}'\nexec '${curl}' "$@"\n`;
writeFileSync(join(tools, 'curl'), noting, { mode: 0o755 });

const run = (script: string, shell = 'sh'): Promise<Ended> =>
  new Promise((resolve) => {
    received.length = 0;
    const env = { PATH: `${tools}:${process.env.PATH}`, TMPDIR: work, HOME: work, EMAIL_LEADS_API_KEY: key };
    const child = execFile(shell, ['-s'], { env, cwd: work }, (failed, output, error) =>
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

test('ids of added leads in a body are those that this run of the script got', async () => {
  const body = '{"note":"lead_1","lead_id":"lead_1","id":"lead_1","template_id":"lead_1"}';
  await run(scriptOf(addition(), update({ body })));
  const id = '%61%20%62%2f%31';
  expect(received[1]?.body).toBe(`{"note":"lead_1","lead_id":"${id}","id":"${id}","template_id":"lead_1"}`);
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
  const error = expect.stringContaining('set it to the key of the deployment');
  expect(await run(`unset EMAIL_LEADS_API_KEY\n${script}`)).toMatchObject({ error });
  expect(received).toEqual([]);
});

test.each([
  ['the wrong response came again', { credentials: 'none' }, 0, /occurred again/],
  ['another status came', { status: 500 }, 1, /the response differs/],
  ['another type came', { credentials: 'none', headers: { 'content-type': 'text/html' } }, 1, /differs/],
  ['a response that holds the key cannot be compared', { status: 500, rawText: key }, 3, /cannot compare/],
  ['what is neither a field nor the status cannot be compared', {}, 3, /cannot compare/],
] as const)('the exit code says that %s', async (_, call, code, said) => {
  const ended = await run(scriptOf(update({ json: JSON.parse(reply), ...call })));
  expect(ended).toMatchObject({ code, output: expect.stringMatching(said) });
  expect(ended.output).toContain('expected: $(touch owned) `date` \\u202e');
});

/** The exit code of the script of a finding, where the server sends this body. */
const answering = async (body: string, finding: Finding, last: Exchange): Promise<number> => {
  reply = body;
  const { code } = await run(scriptFor(finding, [last]));
  reply = usualReply;
  return code;
};

const text = '{"success":true,"data":{"note":"a \\"b\\" c","name":"x"},"message":"7 left"}';
const bare = '{"success":true}';
const withId = '{"success":true,"data":{"lead_id":"b"}}';

test.each([
  ['the same value beside other ones', text, text.replace('7 left', 'done').replace('"x"', '"y"'), 0],
  ['the same value in other white space', text, text.replaceAll(/([:,{])/g, '$1\n '), 0],
  ['another value', text, text.replace(' c', ' d'), 1],
  ['a beginning of the value', text, text.replace(' c', ''), 1],
  ['no such field', text, '{"success":true,"data":{"name":"x"}}', 1],
  ['that it is missing', bare, bare, 0, '/message'],
  ['that it is not missing now', bare, '{"success":true,"message":"x"}', 1, '/message'],
  ['but no id, of which another one is as good', withId, withId, 3, '/data/lead_id'],
])('a script compares the field of its finding: %s', async (_, found, body, code, pointer = '/data/note') => {
  const finding = { expected: 'as sent', actual: 'a', pointer };
  expect(await answering(body, finding, update({ text: found, json: JSON.parse(found) }))).toBe(code);
});

test('a script compares the type of a field of a template, whose values it does not hold', async () => {
  const list = (variables: unknown): string => JSON.stringify({ data: [{ name: 'private', variables }] });
  const last = listed({ text: list(null), json: JSON.parse(list(null)) });
  const finding = { expected: 'an array', actual: 'null', pointer: '/data/0/variables' };
  expect(scriptFor(finding, [last])).not.toContain('private');
  expect(await answering(list(null), finding, last)).toBe(0);
  expect(await answering(list(['a']), finding, last)).toBe(1);
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

const hostileIds = [
  ...['lead_0001-$(touch PWNED)', "lead_0002'; touch PWNED; '", 'lead_0003"; touch PWNED; "`touch PWNED`'],
  ...['***', '[1-400]7', '{a,b}', '-o PWNED', '@/etc/passwd', '../email/send', '..', 'a/b\\c\\/d\\&e'],
  ...['s/x/y/e;w PWNED\n$IFS%s%n&|><', 'Zoë 漢 \ud800 \u0000'],
  '\u001b]0;PWNED\u0007\u001b[31m\u009b31m\u202e\r\u0008',
];
const shells = hostileIds.map((id, at) => [at % 2 === 0 ? 'dash' : 'bash', id] as const);
const inTest = shells.filter((_, at) => isWhole || at % 3 === 0);

test.each(inTest)('%s, curl, sed and a terminal obey no part of the id %j', async (shell, id) => {
  reply = JSON.stringify({ success: true, data: { lead_id: id, name: id }, [id]: id });
  rmSync(argumentsFile, { force: true });
  const next = update({ path: '/api/v1/leads/lead_1', text: reply, json: JSON.parse(reply) });
  const { output, error } = await run(scriptOf(addition(), next), shell);
  reply = usualReply;
  expect(output).toContain('== Result: ');
  expect(output + error).not.toMatch(/[^\P{Cc}\n\t]/u);
  // As JSON or sed show it.
  const names = [Buffer.from(id).toString('latin1'), JSON.stringify(id).slice(1)];
  const intended = ['/api/v1/leads', '/api/v1/leads/lead_1'];
  for (const { url } of received.filter((sent) => !intended.includes(sent.url))) {
    const shown = unescape(url.replace('/api/v1/leads/', '')).slice(0, 4);
    expect(
      names.some((name) => shown !== '' && name.startsWith(shown)),
      url,
    ).toBe(true);
  }
  const programs = readFileSync(argumentsFile, 'utf8').split('\0').slice(0, -1);
  for (const program of programs) expect(program).toMatch(/ --max-time \d+ /);
  expect(programs.join()).not.toContain(key);
  expect(readdirSync(work)).toEqual([]);
});

test('the commands that delete what is left name these leads too, and not the key', async () => {
  const ledger = createLedger();
  for (const id of hostileIds) ledger.note(id);
  const [, ...deletions] = leftoverLines({ target: { url: base }, runId: '1', ledger, redact: String });
  rmSync(argumentsFile, { force: true });
  await run(deletions.join('\n'));
  expect(received.filter(({ method }) => method === 'DELETE')).toHaveLength(hostileIds.length);
  expect(readFileSync(argumentsFile, 'utf8')).not.toContain(key);
  expect(readdirSync(work)).toEqual([]);
});
