// A server that gives the key back in every way it can think of: nothing that is printed or written may hold it.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRedactor, placeholder } from '../../mock/contract/redaction.ts';
import { usualChecks } from '../checks/index.ts';
import { runContractCommand } from '../cli/contract.ts';
import { openLedgerFile } from '../client/ledger-file.ts';
import { everythingPermitted } from '../client/permissions.ts';
import { type BehaviourOverrides, createService } from '../proof/server/server.ts';
import type { Mutation } from '../proof/server/types.ts';
import { runContract } from '../runner/run.ts';
import { summarise } from '../runner/summary.ts';

const plainKey = 'sk_live_4f9c1e7ab2d8463095be';
const oddKey = 'k9.*Zq"7T\\n{x}$&w3/R+(pL=[%41<y>';

const hex = (letter: string): string => letter.charCodeAt(0).toString(16).padStart(4, '0');

/** The key as a server might write it. */
const spellings: Readonly<Record<string, (key: string) => string>> = {
  plain: (key) => key,
  'capital letters': (key) => key.toUpperCase(),
  'percent-encoded': encodeURIComponent,
  'percent-encoded twice': (key) => encodeURIComponent(encodeURIComponent(key)),
  'percent-encoded throughout': (key) => Array.from(key, (letter) => `%${hex(letter).slice(2)}`).join(''),
  'JSON text': (key) => JSON.stringify(key),
  'JSON in JSON': (key) => JSON.stringify(JSON.stringify(key)),
  'JSON escapes': (key) => Array.from(key, (letter) => `\\u${hex(letter)}`).join(''),
  HTML: (key) => key.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`),
  'HTML names': (key) =>
    key.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  base64: (key) => Buffer.from(key).toString('base64'),
  'base64 of a header': (key) => Buffer.from(`Bearer ${key}`).toString('base64'),
  'base64 for URLs': (key) => Buffer.from(`x${key}`).toString('base64url'),
};

const windows = (text: string, size: number): string[] =>
  Array.from({ length: text.length - size + 1 }, (_, index) => text.slice(index, index + size));

/** A text with every escape undone, as somebody who looks for the key would do. */
const undone = (text: string): string => {
  let plain = text.toLowerCase();
  for (let round = 0; round < 3; round += 1) {
    plain = plain
      .replace(/%([0-9a-f]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
      .replace(/\\u([0-9a-f]{4})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
      .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
      .replace(/&#x([0-9a-f]+);/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
      .replace(/\\(["\\/])/g, '$1');
  }
  return plain;
};

/** The longest pieces of the key a text gives away. */
const leaks = (text: string, key: string): string[] => {
  const plain = undone(text.replaceAll(placeholder, ''));
  const raw = text.toLowerCase();
  const base64 = windows(Buffer.from(key).toString('base64').toLowerCase(), 12).filter((part) =>
    raw.includes(part),
  );
  return [...windows(key.toLowerCase(), 6).filter((part) => plain.includes(part)), ...base64];
};

/** Reports, and the scripts in a directory of their own. */
const filesBelow = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe('redaction', () => {
  const cases = [plainKey, oddKey].flatMap((key) =>
    Object.entries(spellings).map(([name, spell]) => [name, key, spell] as const),
  );

  test.each(cases)('takes out %s of %s', (_name, key, spell) => {
    const text = createRedactor([key])(`before ${spell(key)} after`);
    expect(leaks(text, key)).toEqual([]);
    expect(text).toMatch(/^before .*\$EMAIL_LEADS_API_KEY.* after$/);
  });

  test.each(cases)('takes out %s of %s, cut short', (_name, key, spell) => {
    if (_name.startsWith('base64')) return;
    const redact = createRedactor([key]);
    const text = spell(key);
    for (let end = 1; end < text.length; end += 1)
      expect(leaks(redact(`before ${text.slice(0, end)}…`), key), text.slice(0, end)).toEqual([]);
  });

  test('comes to an end on a hostile text', () => {
    for (const text of ['\\'.repeat(2e5), 'sk_liv'.repeat(4e4), '%25'.repeat(1e5)])
      createRedactor([plainKey])(text);
  });
});

describe('no artefact of a run holds the key', () => {
  let directory: string;
  let printed: string[];
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'secrets-'));
    printed = [];
    for (const name of Object.keys(process.env))
      if (/^(EMAIL_LEADS_|GITHUB_|https?_proxy)/i.test(name)) vi.stubEnv(name, undefined);
    const note = (text: unknown): boolean => printed.push(String(text)) > 0;
    vi.spyOn(console, 'log').mockImplementation(note);
    vi.spyOn(console, 'error').mockImplementation(note);
    vi.spyOn(process.stdout, 'write').mockImplementation(note);
    vi.spyOn(process.stderr, 'write').mockImplementation(note);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    rmSync(directory, { recursive: true, force: true });
  });

  const artefacts = (): string[] => [
    printed.join('\n'),
    ...filesBelow(directory).map((file) => readFileSync(file, 'utf8')),
  ];

  const running = async (key: string, choices: BehaviourOverrides, fault: Mutation = {}): Promise<number> => {
    const service = await createService({ ...choices, key }, fault).start();
    vi.stubEnv('EMAIL_LEADS_API_KEY', key);
    try {
      return await runContractCommand([
        ...['--url', service.url, '--report', 'console,json,junit,html,markdown,github'],
        ...['--report-dir', directory, '--allow-writes', '--send-to', 'me@ours.test', '--allow-unaddressed'],
      ]);
    } finally {
      await service.close();
    }
  };

  const always =
    (around: (key: string) => { status?: number; headers?: Record<string, string>; text: string }) =>
    (key: string): Mutation => ({
      rewrite: (letter) => {
        const { status = letter.status, headers, text } = around(key);
        return { status, headers: { ...letter.headers, ...headers }, payload: Buffer.from(text) };
      },
    });

  const everyString = (node: unknown, change: (text: string) => string): unknown => {
    if (typeof node === 'string') return change(node);
    if (Array.isArray(node)) return node.map((item) => everyString(item, change));
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(
      Object.entries(node).map(([name, value]) => [name, everyString(value, change)]),
    );
  };

  /** Changes the JSON of a reply. */
  const rewriting = (change: (json: unknown) => unknown): Mutation => ({
    rewrite: (letter) => ({
      ...letter,
      payload: Buffer.from(JSON.stringify(change(JSON.parse(letter.payload.toString())))),
    }),
  });

  const echoes: Readonly<Record<string, (key: string) => readonly [BehaviourOverrides, Mutation?]>> = {
    'in every header': (key) => [
      {
        headers: { 'x-key': key, server: key, 'retry-after': key, location: `/${key}` },
        contentType: `application/json; key=${key}`,
      },
      {
        rewrite: (letter) => ({
          ...letter,
          headers: { ...letter.headers, 'content-type': `text/x; key=${key}` },
        }),
      },
    ],
    'in every text': (key) => [{}, rewriting((json) => everyString(json, (text) => `${text} ${key}`))],
    'in place of every text': (key) => [{}, rewriting((json) => everyString(json, () => key))],
    'as the name of a field': (key) => [{ extras: { [key]: 1 }, dataExtras: { [key]: key } }],
    'as a field with a wrong type': (key) => [
      {},
      rewriting((json) => ({ ...(json as object), message: { [key]: [key] }, error: [key] })),
    ],
    'in ids': (key) => [{ newId: (n) => `${key}-${n}` }],
    'in refusals': (key) => [
      { failure: (sentence) => ({ success: false, error: `${key}: ${sentence}`, message: key }) },
    ],
    'where texts are cut': (key) => [
      {
        failure: () => ({
          success: false,
          error: [50, 100, 150, 190, 240, 290]
            .map((pad) => `${'x'.repeat(pad % 50)}${key}`.padStart(50, 'y'))
            .join(''),
        }),
      },
      rewriting((json) =>
        everyString(json, (text) =>
          text.length > 9 ? `${'z'.repeat(170)}${key}${'z'.repeat(150)}${key}` : text,
        ),
      ),
    ],
    'in templates': (key) => [
      {
        templates: [
          { id: key, name: key, body: `{{${key}}} {{b}}`, variables: [key], created_at: key },
        ] as never,
      },
    ],
    'in halves, one chunk each': (key) => [{ delivery: 'dribbled', failure: () => ({ error: key }) }],
    'in what is not JSON': (key) => [
      {},
      always(() => ({ text: `{"success": true, "message": "${key}` }))(key),
    ],
    'in a page': (key) => [
      {},
      always(() => ({ status: 500, text: `<h1>${spellings['HTML names']?.(key)}</h1>` }))(key),
    ],
    'in a redirect': (key) => [
      {},
      always(() => ({
        status: 302,
        headers: { location: `/login?next=${encodeURIComponent(key)}` },
        text: '',
      }))(key),
    ],
    'in a refused key': (key) => [
      {},
      always(() => ({ status: 401, text: JSON.stringify({ error: `unknown key ${key}` }) }))(key),
    ],
    'as it was sent': () => [
      {},
      {
        handle: (call, next) => {
          const reply = next(call);
          const error = `unknown: ${call.headers.authorization} ${encodeURIComponent(call.headers.authorization ?? '')}`;
          return { ...reply, body: { ...reply.body, error, message: error } };
        },
      },
    ],
    'in a gateway page': (key) => [{}, always(() => ({ status: 502, text: key }))(key)],
    'in every spelling': (key) => [
      {},
      rewriting((json) => ({
        ...(json as object),
        message: Object.values(spellings).map((spell) => spell(key)),
        error: Object.values(spellings)
          .map((spell) => spell(key))
          .join(' '),
      })),
    ],
  };

  test.each(Object.keys(echoes))('%s', async (name) => {
    const key = Object.keys(echoes).indexOf(name) % 2 === 0 ? oddKey : plainKey;
    const [choices, fault] = echoes[name]?.(key) ?? [{}];
    // A header carries no such letter, and a server that tried would fail in Node.
    const code = await running(key, choices, fault);
    expect([0, 1, 3]).toContain(code);
    expect(printed.join('\n')).not.toContain('the suite itself failed');
    for (const artefact of artefacts()) expect(leaks(artefact, key)).toEqual([]);
  });

  test('nor what a killed run leaves', () => {
    const ledger = openLedgerFile({
      directory,
      url: 'https://api.test',
      runId: 'r',
      redact: createRedactor([oddKey]),
    });
    for (const spell of Object.values(spellings)) ledger.note(spell(oddKey));
    for (const artefact of artefacts()) expect(leaks(artefact, oddKey)).toEqual([]);
  });
});

test.each(['test', 'Contract', 'success', 'error', 'name', 'lead_', 'a', 'pass', '"'])(
  'a key that is part of other texts changes no verdict: %s',
  async (key) => {
    const service = await createService({ key }).start();
    const some = usualChecks.filter(
      ({ id }) =>
        !/near-miss|other-case|shortened|other-last|other-first|dash-underscore|keeps-|survives|lasts|removes/.test(
          id,
        ),
    );
    const run = await runContract({ ...service, permissions: everythingPermitted, checks: some });
    await service.close();
    expect(
      run.verdicts.filter(({ status }) => status !== 'pass').map(({ check, reason }) => [check.id, reason]),
    ).toEqual([]);
    expect(summarise(run, true).exitCode).toBe(0);
  },
);
