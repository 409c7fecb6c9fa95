import { expect, test } from 'vitest';
import { checks } from '../../checks/index.ts';
import { everythingPermitted } from '../../client/permissions.ts';
import { runContract } from '../../proof/run-contract.ts';
import { fieldsOf, isKeyRefused, refuse } from '../../proof/server/mutation.ts';
import { type BehaviourOverrides, createService } from '../../proof/server/server.ts';
import type { Fields, Mutation, Reply } from '../../proof/server/types.ts';
import { selectChecks } from '../selection.ts';

/** A run of some checks with every permission. */
const runOf = async (ids: readonly string[], behaviour: BehaviourOverrides = {}, mutation: Mutation = {}) => {
  const { url, key, close } = await createService(behaviour, mutation).start();
  const selected = selectChecks(checks, ids, []);
  return await runContract({ url, key, permissions: everythingPermitted, checks: selected }).finally(close);
};

const adaptationsFor = async (
  behaviour: BehaviourOverrides,
  mutation: Mutation = {},
): Promise<readonly string[]> =>
  (await runOf(['leads.update.note', 'leads.add.note', 'email.*.success'], behaviour, mutation)).adaptations;

/** Refuses requests of an operation for which a condition holds, as far as their key is valid. */
const refusing = (
  operation: RegExp,
  refuses: (body: Fields, nth: number) => boolean = () => true,
  reply: Reply = refuse(400, 'invalid'),
): Mutation => ({
  handle: (call, next) =>
    operation.test(String(call.operation)) && refuses(fieldsOf(call), call.nth) && !isKeyRefused(call, next)
      ? reply
      : next(call),
});
const refuseMails = (status: number, error: string, refuses?: (body: Fields) => boolean): Mutation =>
  refusing(/^send/, refuses, refuse(status, error));

test.concurrent.each<[string, Parameters<typeof adaptationsFor>, readonly string[]]>([
  ['nothing', [{}], []],
  ['email', [{ leadRequires: ['name', 'email'] }], ['every new lead has the field email,']],
  ['a full update', [{ updateRequires: ['name', 'source'] }], ['every update has name and source']],
  [
    'a recipient',
    [{ templateMailRequires: ['template_id', 'variables', 'to'] }],
    ['every template mail has the field to,'],
  ],
  [
    'a name of letters',
    [{}, refusing(/addLead/, ({ name }) => /\d/.test(String(name)))],
    ['every name consists of letters'],
  ],
  [
    'a known source',
    [{}, refusing(/addLead/, ({ source }) => source !== 'website')],
    ['every new lead has the source "website", because other sources are refused'],
  ],
])('a run says what its requests carry beyond the documented ones: %s', async (_, service, lines) => {
  expect(await adaptationsFor(...service)).toEqual(lines.map((line) => expect.stringContaining(line)));
});

test.concurrent('a run says that it names another sender where none may write to themselves', async () => {
  const refuseOwnSender = refuseMails(
    400,
    'same address',
    ({ from, to }) => from !== undefined && from === to,
  );
  expect(await adaptationsFor({}, refuseOwnSender)).toEqual([
    expect.stringMatching(/^every mail is from [^ ]+\+contract-suite@/),
  ]);
});

test.concurrent.each([
  [402, 'the plan is used up', ['', '']],
  [400, 'html is too short', ['', '']],
  [403, 'The domain is not verified', ['--from', '']],
  [403, 'this recipient is not permitted', ['--send-to', '--send-to']],
  [400, 'bad request', ['--from', '--send-to']],
])('a flag is named where a mail is refused with %i %s only if it may help', async (status, error, flags) => {
  const ids = ['email.send.success', 'email.template.success'];
  const { verdicts } = await runOf(ids, {}, refuseMails(status, error));
  const reasons = verdicts.map(({ reason = '' }) => reason);
  expect(reasons.map((reason) => /--[a-z-]+/.exec(reason)?.[0] ?? '')).toEqual(flags);
});

test.concurrent('a run says that new leads are not known at once', async () => {
  expect(await adaptationsFor({ newLeadHiddenMs: 1500 })).toEqual([
    expect.stringContaining('requests wait until a change is visible'),
  ]);
});

test.concurrent('a list of leads is not judged as the list of templates, where that is refused', async () => {
  const { verdicts } = await runOf(
    ['templates.list', 'leads.add.stores-note'],
    {},
    {
      ...refusing(/listTemplates/, undefined, refuse(403, 'forbidden')),
      rewrite: (raw, { method, path }) =>
        method === 'GET' && path === '/api/v1/leads'
          ? {
              status: 200,
              headers: { 'content-type': 'application/json' },
              payload: Buffer.from('{"success":true,"error":"","data":[{"lead_id":"1"}]}'),
            }
          : raw,
    },
  );
  const failed = verdicts.filter(({ status }) => status === 'fail' || status === 'warn');
  expect(failed.map(({ check, failure }) => [check.id, failure?.actual])).toEqual([]);
});

test.concurrent('responses may have long headers', async () => {
  const { verdicts } = await runOf(
    ['templates.list.success'],
    {},
    { rewrite: (raw) => ({ ...raw, headers: { ...raw.headers, 'x-policy': 'x'.repeat(20_000) } }) },
  );
  expect(verdicts.map(({ status }) => status)).toEqual(['pass']);
});

/** As a service does that has lost its database for a moment. */
const failingAt = (operation: RegExp, isDue: (nth: number) => boolean): Mutation =>
  refusing(operation, (_, nth) => isDue(nth), refuse(500, 'please try again'));

const verdictsOn = async (mutation: Mutation, ids: readonly string[]) =>
  (await runOf(ids, {}, mutation)).verdicts;

test.concurrent('a server error among many successes makes the operation unstable', async () => {
  const mutation = failingAt(/listTemplates/, (nth) => nth === 3);
  const verdicts = await verdictsOn(mutation, ['templates.list.success', 'templates.list.agrees']);
  const { status, reason } = verdicts.find(({ check }) => check.id === 'templates.list.success') ?? {};
  expect([status, reason]).toEqual(['unstable', expect.stringMatching(/^seen once.*status 500$/)]);
});

test.concurrent('server errors now and then are not taken for leads that show late', async () => {
  const mutation = failingAt(/updateLead/, (nth) => nth % 5 === 0);
  const ids = ['leads.update.success', 'leads.update.note', 'leads.update.every-time'];
  const verdicts = await verdictsOn(mutation, ids);
  expect(verdicts.find(({ check }) => check.id === 'leads.update.success')).toMatchObject({ status: 'fail' });
  expect(verdicts.filter(({ reason = '' }) => reason.includes('was known only'))).toEqual([]);
});

test.concurrent('a check says which texts it could not test, because the deployment refuses them', async () => {
  const refusingText = (field: string, text: string): Mutation =>
    refusing(/addLead/, (body) => String(body[field]).includes(text));
  const ids = ['leads.add.keeps-texts', 'leads.add.keeps-words-as-text'];
  const [others, texts] = await verdictsOn(refusingText('note', "'"), ids);
  expect(texts).toMatchObject({
    status: 'pass',
    reason: expect.stringMatching(/^not tested for note: .*400/),
  });
  expect(others).toEqual({ check: others?.check, status: 'pass' });
  const [words] = await verdictsOn(refusingText('source', 'None'), ids);
  expect(words).toMatchObject({ status: 'pass', reason: expect.stringContaining('"None"') });
  const [long] = await verdictsOn(refusingText('note', 'and so on'), ['leads.add.keeps-long-texts']);
  expect(long).toMatchObject({ status: 'pass', reason: expect.stringMatching(/^not tested for note: /) });
});

test.concurrent('a body that is cut is named, and so is a Date that is missing', async () => {
  const { verdicts } = await runOf(
    ['leads.add.utc-now', 'leads.delete.success'],
    { date: 'absent' },
    {
      rewrite: (raw, { operation }) =>
        operation === 'deleteLead' ? { ...raw, payload: raw.payload.subarray(0, -5) } : raw,
    },
  );
  expect(verdicts.map(({ status, reason = '' }) => `${status}: ${reason}`)).toEqual([
    expect.stringMatching(/^skipped: .*\bDate\b/),
    expect.stringMatching(
      /^fail: .* 200 with a body that cannot be read: it ends in the middle of its JSON$/,
    ),
  ]);
});

test.concurrent.each([404, 500])(
  'a first deletion that gets %i keeps no check from being decided',
  async (status) => {
    const first = refusing(/deleteLead/, (_, nth) => nth === 1, refuse(status, 'not now', 'lead'));
    const { verdicts } = await runOf(['leads.update.lasts', 'leads.delete.removes'], {}, first);
    expect(verdicts.map((verdict) => verdict.status)).toEqual(['pass', 'pass']);
  },
);

test.concurrent('the checks of scenarios that were left out are undecided where the operation works again', async () => {
  const early = refusing(/deleteLead/, (_, nth) => nth < 4, refuse(404, 'not found', 'lead'));
  const { verdicts } = await runOf(['leads.update.lasts', 'leads.add.stores-note'], {}, early);
  for (const { status, reason } of verdicts) {
    expect(status).toBe('inconclusive');
    expect(reason).toContain('deleteLead failed at the start of the run');
  }
});

test.concurrent('the checks of scenarios that were left out say which operation they need', async () => {
  const absent = refusing(/deleteLead/, undefined, refuse(405, 'method not allowed', 'lead'));
  const { verdicts } = await runOf(['leads.update.lasts'], {}, absent);
  expect(verdicts[0]).toMatchObject({
    status: 'skipped',
    reason: expect.stringContaining('it needs deleteLead: '),
  });
});
