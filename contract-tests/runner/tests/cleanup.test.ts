// How a run ends: what is left of it, and what an interrupted one has found.
import { expect, test } from 'vitest';
import type { Client } from '../../client/client.ts';
import { RequestFailed } from '../../client/errors.ts';
import { createLedger } from '../../client/ledger.ts';
import { everythingPermitted } from '../../client/permissions.ts';
import { skippingClock } from '../../client/throttle.ts';
import type { Call, Exchange } from '../../exchange/exchange.ts';
import { createHistory } from '../../judge/history.ts';
import { refuse, refuseWhere } from '../../proof/server/mutation.ts';
import type { Mutation } from '../../proof/server/types.ts';
import { createHealth } from '../../session/health.ts';
import { sessionFor } from '../../session/session.ts';
import { createShared } from '../../session/shared.ts';
import { exchangeOf } from '../../testing/exchanges.ts';
import { runOn } from '../../testing/run-on.ts';
import { deleteCreated } from '../cleanup.ts';
import { exitCodes, summarise } from '../summary.ts';
import { notReached } from '../verdict.ts';

const unknownLead = { success: false, error: 'no such lead' };

/** What is left of a run that has added one lead: its list of templates came before, then all is answered so. */
const leftOf = async (deletions: readonly Exchange[], list: Exchange, deletion: Exchange | Error) => {
  const exchanges = [...deletions];
  let isBefore = true;
  const send = async ({ operation, ...call }: Call): Promise<Exchange> => {
    const known = isBefore ? stillListed : list;
    const answer = operation === 'listTemplates' ? known : deletion;
    if (answer instanceof Error) throw answer;
    exchanges.push({ ...answer, ...call, operation });
    return { ...answer, ...call, operation };
  };
  const clock = skippingClock(() => undefined);
  const client = { idle: async () => undefined, clock, exchanges, send } as unknown as Client;
  const ledger = createLedger();
  ledger.note('7');
  const run = { history: createHistory(), permissions: everythingPermitted, runId: '1', sender: '' };
  const shared = createShared({ client, ledger, ...run });
  await sessionFor(shared, 'discovery').send('listTemplates');
  isBefore = false;
  await deleteCreated(shared);
  return ledger.open();
};

const stillListed = exchangeOf(200, { success: true, data: [] }, { operation: 'listTemplates' });
const page = exchangeOf(404, '<h1>404 Not Found</h1>', { operation: 'deleteLead' });
const refused = exchangeOf(200, unknownLead, { operation: 'deleteLead' });
const unknown = exchangeOf(404, unknownLead, { operation: 'deleteLead' });

test.concurrent.each<[string, readonly Exchange[], Exchange, Exchange | Error, string[]]>([
  ['unknown in the terms of the service', [], stillListed, unknown, []],
  ['unknown, and the list does not come any more', [], page, unknown, ['7']],
  ['a page, as the router of the service has it', [], stillListed, page, []],
  ['a page where the service refuses in JSON', [refused], stillListed, page, ['7']],
  ['refused with another status', [], stillListed, refused, ['7']],
  ['not at all', [], stillListed, new RequestFailed('timeout', 'no answer'), ['7']],
])('a lead whose deletion is answered so is left or not: %s', async (_, before, list, deletion, left) => {
  expect(await leftOf(before, list, deletion)).toEqual(left);
  await expect(leftOf(before, list, new TypeError('a defect of the suite'))).rejects.toThrow('a defect');
});

test.concurrent('few leads are added where deletions begin to fail', async () => {
  const mutation = refuseWhere('deleteLead', refuse(409, 'not now'), ({ nth }) => nth >= 12);
  const { service, leftoverLeads } = await runOn(['leads.update'], { mutation });
  expect(leftoverLeads).toHaveLength(service.leads());
  expect(service.leads()).toBeGreaterThan(0);
  expect(service.leads()).toBeLessThan(30);
});

test('a run that is interrupted keeps its findings, and the checks that were decided', async () => {
  const controller = new AbortController();
  const mutation: Mutation = {
    handle: async (call, next) => {
      if (call.operation === 'sendEmail' && call.nth === 3) controller.abort();
      const reply = await next(call);
      return call.operation === 'addLead' && !reply.refused ? { ...reply, status: 201 } : reply;
    },
  };
  const ids = ['leads.*.success', 'leads.update.refuses-unknown', 'leads.add.auth', 'email'];
  const run = await runOn(ids, { mutation, signal: controller.signal });
  const statusOf = (id: string) => run.verdicts.find(({ check }) => check.id === id)?.status;
  expect(statusOf('leads.add.success')).toBe('fail');
  expect(statusOf('leads.update.refuses-unknown')).toBe('pass');
  expect(statusOf('leads.add.auth.missing-key')).toBe('skipped');
  const left = run.verdicts.filter(({ reason }) => reason === notReached).length;
  const { exitCode, headline } = summarise(run, false);
  expect(exitCode).toBe(exitCodes.interrupted);
  expect(headline).toBe(`interrupted: ${left} of ${run.verdicts.length} checks not reached`);
});

// Why a run stops, in one line.
const success = exchangeOf(200, { success: true });

const wrongKeys = (count: number): readonly Exchange[] =>
  Array.from({ length: count }, () => exchangeOf(401, {}, { credentials: 'random key' }));

const lockedOut = [...wrongKeys(20), exchangeOf(403, 'too many')];
const expired = [...wrongKeys(2), exchangeOf(401, 'expired')];
const afterProbe = [exchangeOf(404, 'no', { intent: 'probe' })];

test.each([
  ['a lock-out', lockedOut, /^after 20 wrong keys .*\(403 too many\): it/],
  ['a key that expired', expired, /^since request 4 .*: 401 expired; check that the key/],
  ['a server that is gone', [], /^since request 2 no request succeeded: GET \/: connect ECONNREFUSED; run/],
  ['one that is gone after a probe was refused', afterProbe, /^since request 3 .*ECONNREFUSED/],
])('%s', (_, exchanges, expected) => {
  const health = createHealth({ exchanges: [success, ...exchanges] });
  health.stop('GET /: connect ECONNREFUSED');
  expect(health.troubles()).toEqual([expect.stringMatching(expected)]);
});

test('the end of a run is the only trouble, also of an operation that ended before', () => {
  const health = createHealth({ exchanges: [] });
  health.close('addLead', '500 starting');
  expect(health.endOf('addLead')).toMatch(/no addLead succeeded/);
  health.stop('closed');
  expect(health.troubles()).toEqual([expect.stringMatching(/no request succeeded/)]);
});
