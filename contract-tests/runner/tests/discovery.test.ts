import { expect, test } from 'vitest';
import { changeBody, fieldsOf, layers, refuse, refuseWhere, rewrite } from '../../proof/server/mutation.ts';
import type { BehaviourOverrides } from '../../proof/server/server.ts';
import { manyTemplates } from '../../proof/server/store.ts';
import type { Fields, Mutation } from '../../proof/server/types.ts';
import { observeOn, runOn } from '../../testing/run-on.ts';
import { summarise } from '../summary.ts';

const invalid = refuse(400, 'invalid');
const refuseMails = (status: number, error: string, isRefused = (_: Fields): boolean => true): Mutation =>
  refuseWhere(['sendEmail', 'sendTemplateEmail'], refuse(status, error), (call) => isRefused(fieldsOf(call)));

const unnamed = refuseWhere('addLead', invalid, (call) => /\d/.test(String(fieldsOf(call).name)));
const unsourced = refuseWhere('addLead', invalid, (call) => fieldsOf(call).source !== 'website');
const toItself = refuseMails(400, 'same address', ({ from, to }) => from !== undefined && from === to);

test.concurrent.each<[BehaviourOverrides, Mutation | undefined, string?]>([
  [{}, undefined],
  [{ leadRequires: ['name', 'email'] }, undefined, 'every new lead has the field email,'],
  [{ updateRequires: ['name', 'source'] }, undefined, 'every update has name and source'],
  [{ templateMailRequires: ['template_id', 'variables', 'to'] }, undefined, 'mail has the field to,'],
  [{}, unnamed, 'every name consists of letters'],
  [{}, toItself, '+contract-suite@'],
  [{ newLeadHiddenMs: 1500 }, undefined, 'requests wait until a change is visible'],
  [{}, unsourced, 'every new lead has the source "website", because other sources are refused'],
])('a run says what its requests have beyond the document: %j, %j, %s', async (behaviour, mutation, said) => {
  const ids = ['leads.update.note', 'leads.add.note', 'email.*.success'];
  const { adaptations } = await runOn(ids, { behaviour, mutation: mutation ?? {} });
  expect(adaptations).toEqual(said === undefined ? [] : [expect.stringContaining(said)]);
});

test.concurrent('where mails are refused, the flags that may help are named', async () => {
  const ids = ['email.send.success', 'email.template.success'];
  const { verdicts } = await runOn(ids, { mutation: refuseMails(400, 'bad request') });
  const flags = verdicts.map(({ reason = '' }) => reason.match(/--[a-z-]+/g)?.join());
  expect(flags).toEqual(['--from,--send-to', '--send-to']);
});

const unlessNumber = layers(
  refuseWhere('sendTemplateEmail', invalid, (call) => typeof fieldsOf(call).template_id !== 'number'),
  changeBody('sendTemplateEmail', ({ template_id: id, ...mail }) => ({ ...mail, template_id: `${id}` })),
);

test.concurrent.each<[string, Mutation, RegExp]>([
  ['for its form', refuseMails(415, 'unsupported media type'), /refused every time: 415 unsupported/],
  ['unless its id is a number', unlessNumber, /refused without template_id as a number/],
])('a template mail that is always refused %s is a finding', async (_, mutation, reason) => {
  const behaviour = { templates: manyTemplates(3) };
  const { verdicts } = await runOn(['email.template.success'], { behaviour, mutation });
  expect(verdicts).toMatchObject([{ status: 'fail', reason: expect.stringMatching(reason) }]);
});

const verdictsOn = async (mutation: Mutation, ids: string[]) => (await runOn(ids, { mutation })).verdicts;

test.concurrent('a server error among many successes makes the operation unstable', async () => {
  const mutation = refuseWhere('listTemplates', refuse(500, 'please try again'), ({ nth }) => nth === 3);
  const run = await runOn(['templates.list.success', 'templates.list.agrees'], { mutation });
  const { status, reason } = run.verdicts.find(({ check }) => check.id === 'templates.list.success') ?? {};
  expect([status, reason]).toEqual(['unstable', expect.stringMatching(/^seen once.*status 500$/)]);
  expect(summarise(run, true).headline).toBe('conforms, with 1 check unstable (passed only after a retry)');
});

test.concurrent('a check says which texts it could not test, because the deployment refuses them', async () => {
  const refusingText = (field: string, text: string): Mutation =>
    refuseWhere('addLead', invalid, (call) => String(fieldsOf(call)[field]).includes(text));
  const ids = ['leads.add.keeps-texts', 'leads.add.keeps-words-as-text'];
  const [others, texts] = await verdictsOn(refusingText('name', "'"), ids);
  const untested = (reason: RegExp) => ({ status: 'pass', reason: expect.stringMatching(reason) });
  expect(texts).toMatchObject(untested(/^not tested for name: .*400/));
  expect(others).toEqual({ check: others?.check, status: 'pass' });
  const refusingWords = refuseWhere('addLead', invalid, (call) =>
    /^[\w{}-]+$/.test(String(fieldsOf(call).source)),
  );
  const [words] = await verdictsOn(refusingWords, ids);
  const shown =
    /^not tested for source: "007", "\d{20}", "2026-03-02" and \d more, refused with 400 invalid$/;
  expect(words).toMatchObject(untested(shown));
  const [long] = await verdictsOn(refusingText('note', 'and so on'), ['leads.add.keeps-long-texts']);
  expect(long).toMatchObject(untested(/^not tested for note: /));
});

test.concurrent('a body that is cut is named, and so is a Date that is missing', async () => {
  const mutation = rewrite(
    ({ operation }) => operation === 'deleteLead',
    ({ payload }) => ({ payload: payload.subarray(0, -5) }),
  );
  const behaviour = { date: 'absent' } as const;
  const { verdicts } = await runOn(['leads.add.utc-now', 'leads.delete.success'], { behaviour, mutation });
  expect(verdicts.map(({ status, reason = '' }) => `${status}: ${reason}`)).toEqual([
    expect.stringMatching(/^skipped: .*\bDate\b/),
    expect.stringMatching(/^fail: .* 200 with a body that cannot be read: it ends in the middle/),
  ]);
});

test.concurrent('the checks of scenarios that were left out say which operation they need', async () => {
  const absent = refuseWhere('deleteLead', refuse(405, 'method not allowed', 'lead'), () => true);
  const { verdicts } = await runOn(['leads.update.lasts'], { mutation: absent });
  const reason = expect.stringContaining('it needs deleteLead: ');
  expect(verdicts[0]).toMatchObject({ status: 'skipped', reason });
});

// What a gateway or a firewall answers in place of the service decides nothing, and is named.

const blocks = (text: string): boolean => text.includes('<') || text.includes('ref=7');
const page = Buffer.from('<html><head><title>Request blocked</title></head><body>Sorry.</body></html>');

/** A page in place of the response to certain requests; the service itself may name its server too. */
const firewall = (isBlocked: (text: string) => boolean, ofService?: object): Mutation => {
  const headers = { 'content-type': 'text/html', server: 'example-waf' };
  return {
    rewrite: (raw, { text }) =>
      isBlocked(text)
        ? { status: 403, headers, payload: page }
        : { ...raw, headers: { ...raw.headers, ...ofService } },
  };
};

test.concurrent.each([
  ['of a service that names no server', firewall(blocks)],
  ['of a service with another server', firewall(blocks, { server: 'gunicorn' })],
])('a page of a firewall in front %s is not judged', async (_, mutation) => {
  const ids = ['failures.error', 'leads.add.free-source', 'leads.add.keeps-texts'];
  const run = await runOn(ids, { mutation });
  const said = run.verdicts.map(({ check, status, reason }) => [check.id, `${status}: ${reason}`]);
  const verdicts: Record<string, string> = Object.fromEntries(said);
  const answered = 'example-waf responded instead of the service: 403 a page: Request blocked, to POST ';
  const refused = /^inconclusive: .*(example-waf refused it|something in front of the service)/;
  expect(verdicts).toMatchObject({
    'failures.error': expect.stringContaining(`inconclusive: ${answered}`),
    'leads.add.free-source': expect.stringMatching(refused),
    'leads.add.keeps-texts': expect.stringMatching(/^pass: not tested for .*<b>.* 403 a page: Request/),
  });
  expect(verdicts['failures.error']).toContain('; configure it to let the texts');
});

test.concurrent('a page of the service itself is judged', async () => {
  const mutation = firewall(blocks, { server: 'example-waf' });
  const { verdicts } = await runOn(['failures.error', 'leads.add.free-source'], { mutation });
  expect(verdicts.map(({ status }) => status)).toEqual(['fail', 'fail']);
});

test.concurrent('observe says what to do where a firewall answers', async () => {
  const mutation = firewall((text) => text.includes('\u0301'));
  const { results, troubles } = await observeOn(['lead.unicode-form'], { mutation });
  expect(troubles.join()).toMatch(
    /something in front .*403 a page: Request blocked; configure it to let the texts of the run pass/,
  );
  expect(results.find(({ question }) => question.id === 'lead.unicode-form')?.status).toBe('inconclusive');
});

test.concurrent('a list that fails alone stops no other operation, and is named', async () => {
  // Those without the key too.
  const handle: Mutation['handle'] = (call, next) =>
    call.operation === 'listTemplates' && call.nth > 4 ? refuse(403, 'a limit of lists') : next(call);
  const ids = ['templates.list.agrees', 'templates.list.auth.missing-key', 'leads.add', 'leads.update.auth'];
  const { verdicts, troubles, leftoverLeads } = await runOn(ids, { mutation: { handle } });
  const undecided = verdicts.filter(({ status }) => status !== 'pass').map(({ reason }) => reason);
  for (const reason of undecided) expect(reason).toMatch(/listTemplates .*: 403 a limit of lists/);
  expect(verdicts.length).toBeGreaterThan(3 * undecided.length);
  expect(troubles).toHaveLength(1);
  expect(troubles[0]).toMatch(/^since request \d+ no listTemplates succeeded: 403 a limit of lists; /);
  expect(leftoverLeads).toEqual([]);
});
