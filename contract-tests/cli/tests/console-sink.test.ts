import { stripVTControlCharacters } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Progress } from '../../runner/run.ts';
import { exchangeOf } from '../../testing/exchanges.ts';
import { type ConsoleFlags, createConsoleSink, exchangeLine } from '../console-sink.ts';

const watching = (flags: ConsoleFlags = {}, environment: Record<string, string> = {}, isTTY = true) => {
  const written: string[] = [];
  const spied: string[] = [];
  const stderr = { isTTY, write: (text: string) => written.push(text) > 0 };
  vi.spyOn(console, 'error').mockImplementation((line: string) => void spied.push(line));
  const sink = createConsoleSink(flags, environment, { stdout: stderr, stderr });
  onTestFinished(() => {
    sink.end();
    vi.restoreAllMocks();
  });
  return { written: () => written.join(''), said: () => spied.join('\n'), watch: sink.watch() };
};

const call = { method: 'PUT', path: '/api/v1/leads/L1', scenario: 'leads.update' } as const;

const usual = {
  requests: 12,
  mailsRequested: 1,
  waitedMs: 0,
  ms: 3000,
  judged: [],
  lagMs: 820,
  pending: undefined,
};
const progress = (changes: Partial<Progress> = {}): Progress => ({ ...usual, ...changes });

const succeeded = { outcome: 'success', size: 152, sentAt: 1500, receivedAt: 1504 } as const;
const exchange = (changes: object = {}) => exchangeOf(200, '', { ...call, ...succeeded, ...changes });

const [terminal, file] = [{ isTTY: true }, {}].map((kind) => ({ ...kind, write: () => true }));
test.each<[string, typeof terminal, Record<string, string>, boolean, boolean]>([
  ['a terminal has them', terminal, {}, true, true],
  ['NO_COLOR takes them away', terminal, { NO_COLOR: '1' }, true, false],
  ['FORCE_COLOR gives them to a file', file, { FORCE_COLOR: '1' }, true, true],
  ['NO_COLOR has priority over FORCE_COLOR', terminal, { FORCE_COLOR: '1', NO_COLOR: '1' }, true, false],
  ['FORCE_COLOR=0 takes them from a terminal', terminal, { FORCE_COLOR: '0' }, true, false],
  ['--no-color has priority over FORCE_COLOR', terminal, { FORCE_COLOR: '1' }, false, false],
  ['a dumb terminal has none', terminal, { TERM: 'dumb' }, true, false],
])('colours: %s', (_name, stdout, environment, color, expected) => {
  const sink = createConsoleSink({ color }, environment, { stdout, stderr: file } as never);
  expect(sink.isColoured).toBe(expected);
});

test('the line of a terminal is cut by the terminal, whatever a deployment says', () => {
  const { watch, written } = watching();
  const path = `\u001b[2J\n${'待'.repeat(100)}`;
  const at = performance.now() - 5000;
  watch.onProgress?.(progress({ pending: { call: { ...call, path } as never, at } }));
  const [noWrap, wrap] = ['\u001b[?7l', '\u001b[?7h'];
  expect(written().startsWith(`\r${noWrap}`) && written().endsWith(wrap)).toBe(true);
  expect(stripVTControlCharacters(written())).toMatch(/ \\u001b\[2J 待+ since/);
});

const running = 'still running: 12 requests · 1 mail · 3 s · changes show up to 0.8 s late';
const pause = 'waiting 2.0 s: a pause (3.0 s of at most 1 min 30 s in all)';

test.each<[string, ConsoleFlags, Record<string, string>, isTTY: boolean, isShown: boolean, string[]]>([
  ['a file gets lines instead', {}, {}, false, false, [running, pause]],
  ['CI gets lines instead', {}, { CI: 'true' }, true, false, [running, pause]],
  ['on a terminal, pauses are printed too', {}, {}, true, true, [pause]],
  ['--quiet prints nothing', { quiet: true }, {}, true, false, []],
])('the line of a terminal: %s', (_name, flags, environment, isTTY, isShown, lines) => {
  const { watch, written, said } = watching(flags, environment, isTTY);
  watch.onProgress?.(progress());
  // The second one directly after the first is not printed: many short ones would hide the rest.
  for (let count = 0; count < 2; count += 1)
    watch.onWait?.({ reason: 'a pause', ms: 2000, totalMs: 3000, maxMs: 90_000 });
  expect(said()).toBe(lines.join('\n'));
  expect([written() !== '', watch.progressMs !== undefined]).toEqual([isShown, isShown]);
});

test.each([
  [{}, '   1.500 leads.update: PUT /api/v1/leads/L1: 200 (4 ms, 152 bytes)'],
  [{ credentials: 'none' }, 'L1 without a key: 200 (4 ms'],
  [{ status: 0, outcome: 'gateway', size: 0 }, 'L1: no response (4 ms, 0 bytes)'],
  [{ status: 400, outcome: 'refusal', json: { error: 'no' } }, 'L1: 400 no (4 ms'],
  // It may be the record of somebody.
  [{ outcome: 'broken', text: '{"name":"Lena"}', json: { name: 'Lena' } }, 'L1: 200 (4 ms'],
])('an exchange in a line: %j', (changes, line) => {
  expect(exchangeLine(exchange(changes), 0)).toContain(line);
});
