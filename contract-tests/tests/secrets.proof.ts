// A server that gives the key back in every way it can think of: nothing that is printed or written may hold it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createRedactor, placeholder } from '../../mock/contract/redaction.ts';
import { usualChecks } from '../checks/index.ts';
import { runContractCommand } from '../cli/contract.ts';
import { openLedgerFile } from '../client/ledger-file.ts';
import { everythingPermitted } from '../client/permissions.ts';
import { runContract } from '../proof/run-contract.ts';
import { type BehaviourOverrides, createService } from '../proof/server/server.ts';
import type { Mutation } from '../proof/server/types.ts';
import { summarise } from '../runner/summary.ts';
import { runInProcess, serve, temporaryDirectory } from '../testing/command.ts';

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

describe('no artefact of a run holds the key', () => {
  let directory: string;
  beforeEach(() => {
    directory = temporaryDirectory();
  });

  /** Reports, and the scripts in a directory of their own. */
  const written = (): string[] =>
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));

  /** In place of every reply. */
  const always = (reply: { status?: number; headers?: Record<string, string>; text: string }): Mutation => ({
    rewrite: ({ status, headers }) => ({
      status: reply.status ?? status,
      headers: { ...headers, ...reply.headers },
      payload: Buffer.from(reply.text),
    }),
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

  const inRefusals = (change: (sentence: string) => object): BehaviourOverrides => ({
    failure: (sentence) => change(sentence) as never,
  });
  const cutAt = [50, 100, 150, 190, 240, 290];
  const inTexts = (change: (text: string) => string): Mutation =>
    rewriting((json) => everyString(json, change));

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
    'in every text': (key) => [{}, inTexts((text) => `${text} ${key}`)],
    'in place of every text': (key) => [{}, inTexts(() => key)],
    'as the name of a field': (key) => [{ extras: { [key]: 1 }, dataExtras: { [key]: key } }],
    'as a field with a wrong type': (key) => [
      {},
      rewriting((json) => ({ ...(json as object), message: { [key]: [key] }, error: [key] })),
    ],
    'in ids': (key) => [{ newId: (n) => `${key}-${n}` }],
    'in refusals': (key) => [
      inRefusals((sentence) => ({ success: false, error: `${key}: ${sentence}`, message: key })),
    ],
    'where texts are cut': (key) => [
      inRefusals(() => ({
        success: false,
        error: cutAt.map((pad) => `${'x'.repeat(pad % 50)}${key}`.padStart(50, 'y')).join(''),
      })),
      inTexts((text) => (text.length > 9 ? `${'z'.repeat(170)}${key}${'z'.repeat(150)}${key}` : text)),
    ],
    'in templates': (key) => [
      {
        templates: [
          { id: key, name: key, body: `{{${key}}} {{b}}`, variables: [key], created_at: key },
        ] as never,
      },
    ],
    'in halves, one chunk each': (key) => [{ delivery: 'dribbled', ...inRefusals(() => ({ error: key })) }],
    'in what is not JSON': (key) => [{}, always({ text: `{"success": true, "message": "${key}` })],
    'in a page': (key) => [{}, always({ status: 500, text: `<h1>${spellings['HTML names']?.(key)}</h1>` })],
    'in a redirect': (key) => [
      {},
      always({ status: 302, headers: { location: `/login?next=${encodeURIComponent(key)}` }, text: '' }),
    ],
    'in a refused key': (key) => [
      {},
      always({ status: 401, text: JSON.stringify({ error: `unknown key ${key}` }) }),
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
    'in a gateway page': (key) => [{}, always({ status: 502, text: key })],
    'in every spelling': (key) => {
      const message = Object.values(spellings).map((spell) => spell(key));
      return [{}, rewriting((json) => ({ ...(json as object), message, error: message.join(' ') }))];
    },
  };

  test.each(Object.keys(echoes))('%s', async (name) => {
    const key = Object.keys(echoes).indexOf(name) % 2 === 0 ? oddKey : plainKey;
    const [choices, fault] = echoes[name]?.(key) ?? [{}];
    const { url } = await serve(fault, { ...choices, key });
    const permissions = ['--allow-writes', '--send-to', 'me@ours.test', '--allow-unaddressed'];
    const reports = ['--report', 'console,json,junit,html,markdown,github', '--report-dir', directory];
    const flags = ['--url', url, ...permissions, ...reports];
    const { code, text } = await runInProcess(runContractCommand, flags, { EMAIL_LEADS_API_KEY: key });
    expect([0, 1, 3]).toContain(code);
    expect(text).not.toContain('the suite itself failed');
    for (const artefact of [text, ...written()]) expect(leaks(artefact, key)).toEqual([]);
  });

  test('nor what a killed run leaves', () => {
    const redact = createRedactor([oddKey]);
    const ledger = openLedgerFile({ directory, url: 'https://api.test', runId: 'r', redact });
    for (const spell of Object.values(spellings)) ledger.note(spell(oddKey));
    for (const artefact of written()) expect(leaks(artefact, oddKey)).toEqual([]);
  });
});

test.each(['Contract', 'success', 'name', 'lead_', 'a', '"'])(
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
