import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createRedactor } from '../../../mock/contract/redaction.ts';
import { UsageError } from '../../../mock/contract/system-errors.ts';
import { temporaryFile, useDirectory } from '../../../mock/testing/temporary.ts';
import { scenarios } from '../../checks/scenarios.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Mutation } from '../../proof/server/types.ts';
import { exchangeOf } from '../../testing/exchanges.ts';
import { runOn } from '../../testing/run-on.ts';
import { createLedger, openLedgerFile, readLedgerFile } from '../ledger.ts';

const fileOf = useDirectory();
const key = 'sk_live_4f9c1e7ab2d8463095be';
const redact = createRedactor([key]);
const open = () =>
  openLedgerFile(fileOf('reports'), { url: `https://api.test/${key}`, runId: 'abcd1234' }, redact);

const page = '<h1>Gateway Timeout</h1>';
const maintenance = { status: 'maintenance', message: 'We will be back soon' };

const success = (data: unknown) => exchangeOf(200, { success: true, data });
const refusal = { success: false, error: 'no' };
test.each<[string, Exchange, string[], number]>([
  ['an id', success({ lead_id: 'a' }), ['a'], 0],
  ['a number', success({ lead_id: 7 }), ['7'], 0],
  ['an id of a refusal', exchangeOf(400, { ...refusal, data: { lead_id: 'a' } }), ['a'], 0],
  ['an id beside data', exchangeOf(200, { success: true, lead_id: 'a' }), ['a'], 0],
  ['ids in a list', success([{ lead_id: 'a' }, { lead_id: 'b' }]), ['a', 'b'], 0],
  ['an id in JSON that broke off', exchangeOf(200, '{"data":{"lead_id":"a\\u0062","na'), ['ab'], 0],
  ['no id of a success', success({}), [], 1],
  ['no id of a refusal', exchangeOf(400, refusal), [], 0],
  ['no id of a gateway', exchangeOf(504, page), [], 1],
  ['no id of a gateway to a wrong key', exchangeOf(504, page, { credentials: 'none' }), [], 0],
  ['no id of a server that is busy and refuses', exchangeOf(503, refusal), [], 0],
  ['no id of a limit of the rate', exchangeOf(429, page), [], 0],
  ['no id of maintenance', exchangeOf(200, maintenance), [], 1],
  ['no id of maintenance to a probe', exchangeOf(200, maintenance, { intent: 'probe' }), [], 0],
])('the ledger notes %s', (_name, exchange, ids, lost) => {
  const ledger = createLedger();
  ledger.noteReply(exchange);
  expect({ ids: ledger.open(), lost: ledger.lost() }).toEqual({ ids, lost });
});

test('the ledger is on file at once, and gone when nothing is left', () => {
  const ledger = open();
  const ofRun = { url: 'https://api.test/$EMAIL_LEADS_API_KEY', runId: 'abcd1234' };
  expect(readLedgerFile(ledger.path)).toEqual({ ...ofRun, open: [], unnamed: 0 });
  for (const id of ['a', 'b', 'a']) ledger.note(id);
  expect(readLedgerFile(ledger.path).open).toEqual(['a', 'b']);
  ledger.deleted('a');
  expect(readLedgerFile(ledger.path).open).toEqual(['b']);
  const settle = ledger.beginAdd();
  expect(readLedgerFile(ledger.path).unnamed).toBe(1);
  settle();
  expect({ file: readLedgerFile(ledger.path).unnamed, lost: ledger.lost() }).toEqual({ file: 0, lost: 0 });
  ledger.close();
  expect(existsSync(ledger.path)).toBe(true);
  ledger.deleted('b');
  ledger.close();
  expect(readdirSync(fileOf())).toEqual([]);
});

test('a ledger that cannot be written refuses the run', () => {
  writeFileSync(fileOf('reports'), '');
  expect(open).toThrow(UsageError);
});

const complete = { email_leads_ledger: 2, url: 'https://a.test', run_id: 'r', open: ['a'], unnamed: 0 };
test.each([
  '',
  JSON.stringify(complete).slice(0, -1),
  JSON.stringify({ ...complete, email_leads_ledger: 1 }),
  JSON.stringify({ ...complete, url: 'nowhere' }),
  JSON.stringify({ ...complete, open: [7] }),
])('the ledger is not read from %j', (text) => {
  expect(() => readLedgerFile(temporaryFile(text, 'bad.jsonl'))).toThrow('bad.jsonl is not a ledger');
  expect(() => readLedgerFile(fileOf('none.jsonl'))).toThrow('none.jsonl does not exist');
});

test('a run deletes everything when a scenario throws', async () => {
  const scenario = scenarios.find(({ id }) => id === 'leads.free-texts');
  if (!scenario) throw new Error('the scenario was renamed');
  const faulty = vi.spyOn(scenario, 'run').mockImplementation(async ({ add }) => {
    void add(); // on its way while the scenario ends
    await add();
    throw new TypeError('a defect of the suite');
  });
  const { service, ...run } = await runOn(['leads.add.free-note']);
  faulty.mockRestore();
  expect(run.verdicts.map(({ status }) => status)).toEqual(['error']);
  expect(service.leads()).toBe(0);
  expect(run.leftoverLeads).toEqual([]);
});

test('a run deletes everything when the ledger can no longer be written, and adds no more', async () => {
  const ledger = open();
  let added = 0;
  const handle: Mutation['handle'] = (call, next) => {
    if (call.operation === 'addLead') added += 1;
    if (call.operation === 'addLead' && call.nth === 5) rmSync(dirname(ledger.path), { recursive: true });
    return next(call);
  };
  const { service, ...run } = await runOn(['leads'], { mutation: { handle }, ledger });
  expect(service.leads()).toBe(0);
  expect(run.leftoverLeads).toEqual([]);
  expect(added).toBeLessThan(20);
  const reasons = run.verdicts.map(({ reason = '' }) => reason);
  expect(reasons).toContainEqual(expect.stringMatching(/^the ledger .* cannot be written: ENOENT/));
  expect(run.verdicts.filter(({ status }) => ['error', 'fail'].includes(status))).toEqual([]);
  ledger.close();
});
