import { afterAll, describe, expect, test } from 'vitest';
import { checks } from '../../checks/index.ts';
import { mailNotice, plannedMails } from '../../cost/cost.ts';
import type { Call } from '../../exchange/exchange.ts';
import { conforming } from '../../proof/conforming/index.ts';
import { createService } from '../../proof/server/server.ts';
import { runGate } from '../../questions/gate.ts';
import { runContract, type TargetOptions } from '../../runner/run.ts';
import { selectChecks } from '../../runner/selection.ts';
import { summarise } from '../../runner/summary.ts';
import { emptyList, jsonReply, type RawRequest, type RawServer, startRaw } from '../../testing/raw-server.ts';
import { defaultMaxSends, everythingPermitted, forbids, type Permissions } from '../permissions.ts';

// The runs of this file wait for most of their time, and run concurrently.
const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});

const nothing: Permissions = { writes: false, sendTo: undefined, unaddressed: false, maxSends: 60 };
const key = 'sk_live_4f9c1e7ab2d8';

const call = (operation: Call['operation'], method: Call['method'], body?: unknown): Call => ({
  operation,
  method,
  path: '/',
  credentials: 'key',
  intent: 'complete',
  check: 'x',
  body: typeof body === 'string' || body === undefined ? (body as string | undefined) : JSON.stringify(body),
});

describe('a request', () => {
  const mine = { ...nothing, sendTo: 'me@ours.test' };
  test.each<[string, Call, Permissions, RegExp | undefined]>([
    ['reading', call('listTemplates', 'GET'), nothing, undefined],
    ['reading under any name', call('sendEmail', 'GET'), nothing, undefined],
    ['writing under the name of a list', call('listTemplates', 'POST', {}), nothing, /--allow-writes/],
    ['adding', call('addLead', 'POST', {}), nothing, /--allow-writes/],
    ['changing', call('updateLead', 'PUT', {}), nothing, /--allow-writes/],
    ['deleting', call('deleteLead', 'DELETE'), nothing, /--allow-writes/],
    ['deleting, permitted', call('deleteLead', 'DELETE'), { ...nothing, writes: true }, undefined],
    ['mail', call('sendEmail', 'POST', { to: 'me@ours.test' }), nothing, /--send-to/],
    ['mail with writes only', call('sendEmail', 'POST', {}), { ...nothing, writes: true }, /--send-to/],
    ['mail to the address', call('sendEmail', 'POST', { to: 'me@ours.test' }), mine, undefined],
    ['mail to another', call('sendEmail', 'POST', { to: 'you@ours.test' }), mine, /you@ours\.test/],
    ['mail to nobody', call('sendEmail', 'POST', {}), mine, /--allow-unaddressed/],
    [
      'a template mail',
      call('sendTemplateEmail', 'POST', { to: 'me@ours.test' }),
      mine,
      /--allow-unaddressed$/,
    ],
    [
      'a template mail, permitted',
      call('sendTemplateEmail', 'POST', { to: 'me@ours.test' }),
      { ...mine, unaddressed: true },
      undefined,
    ],
    [
      'a template mail to another',
      call('sendTemplateEmail', 'POST', { to: 'you@ours.test' }),
      { ...mine, unaddressed: true },
      /you@ours\.test/,
    ],
    ['mail to other letter case', call('sendEmail', 'POST', { to: 'Me@ours.test' }), mine, /Me@ours\.test/],
    ['mail to a list', call('sendEmail', 'POST', { to: ['me@ours.test'] }), mine, /--allow-unaddressed/],
    [
      'mail with a copy',
      call('sendEmail', 'POST', { to: 'me@ours.test', cc: 'a@b.c' }),
      mine,
      /--allow-unaddressed/,
    ],
    ['mail that is no JSON', call('sendEmail', 'POST', '{"to":"me@ours.test"'), mine, /--allow-unaddressed/],
    ['mail to nobody, permitted', call('sendEmail', 'POST', {}), { ...mine, unaddressed: true }, undefined],
    [
      'mail beyond the cap',
      call('sendEmail', 'POST', { to: 'me@ours.test' }),
      { ...mine, maxSends: 0 },
      /--max-sends/,
    ],
  ])('%s', (_name, asked, permissions, reason) => {
    const said = forbids(asked, permissions, 0);
    if (reason) expect(said).toMatch(reason);
    else expect(said).toBeUndefined();
  });
});

/** Accepts every request, and lists a template without variables. */
const taking = async (): Promise<RawServer> => {
  const template = { id: 't', name: 'T', body: 'Hello', variables: [], created_at: '2026-01-01T00:00:00Z' };
  const server = await startRaw(({ method, path, nth }: RawRequest, socket) => {
    const data = path.includes('/leads') ? { lead_id: `L${nth}` } : [template];
    socket.write(
      method === 'GET' && path.includes('leads')
        ? emptyList
        : jsonReply({ success: true, error: '', message: '', data }),
    );
  });
  closers.push(server.close);
  return server;
};

const startService = async (...args: Parameters<typeof createService>) => {
  const service = await createService(...args).start();
  closers.push(service.close);
  return service;
};

const mailing = checks.filter(({ id }) => !id.startsWith('leads.'));

const running = async (permissions: Permissions, selected = mailing): Promise<readonly RawRequest[]> => {
  const server = await taking();
  await runContract({ url: server.url, key, permissions, checks: selected });
  return server.requests;
};

const recipientOf = ({ body }: RawRequest): unknown => {
  try {
    return (JSON.parse(body) as { to?: unknown }).to;
  } catch {
    return undefined;
  }
};
const isMail = ({ path, method }: Pick<RawRequest, 'path' | 'method'>): boolean =>
  method === 'POST' && path.includes('/email/');

describe.concurrent('a run', () => {
  test('only reads without a permission', async () => {
    const requests = await running(nothing, [...checks]);
    expect(requests.length).toBeGreaterThan(5);
    expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(requests.filter(({ body }) => body !== '')).toEqual([]);
  });

  test('sends no mail with the permission to write', async () => {
    const service = await startService();
    const run = await runContract({ ...service, permissions: { ...nothing, writes: true }, checks });
    expect(run.exchanges.some(({ method }) => method === 'DELETE')).toBe(true);
    expect(run.exchanges.filter(isMail)).toEqual([]);
    expect(service.mails()).toEqual([]);
  });

  /** A template mail goes to a list of this deployment, also if it names a recipient (§4.3 documents none). */
  const recipientAt = (request: RawRequest): unknown =>
    request.path === '/api/v1/email/send' ? recipientOf(request) : 'everyone@course.test';

  const permitted = { ...nothing, writes: true, sendTo: 'me@ours.test' };
  const templateAnswers = {
    'template-send.to': {
      answer: 'optional',
      state: 'pinned',
      observed_at: '',
      suite_version: '',
      evidence: '',
    },
    'send.to': { answer: 'optional', state: 'pinned', observed_at: '', suite_version: '', evidence: '' },
  } as const;

  test.each<[string, readonly string[], (target: TargetOptions) => Promise<unknown>]>([
    ['contract', ['me@ours.test'], (target) => runContract({ ...target, checks: mailing })],
    [
      'contract --only email.template',
      [],
      (target) => runContract({ ...target, checks: selectChecks(checks, ['email.template'], []) }),
    ],
    [
      'contract --profile',
      ['me@ours.test'],
      (target) => runGate(target, { deployment: '', questions_digest: '', answers: templateAnswers }),
    ],
  ])(
    'sends no mail but to the one address, whatever the deployment does with `to`: %s',
    async (_, allowed, start) => {
      const server = await taking();
      await start({ url: server.url, key, permissions: permitted });
      expect([...new Set(server.requests.filter(isMail).map(recipientAt))]).toEqual(allowed);
    },
  );

  test('skips the checks of template mails, names the flag, and conforms all the same', async () => {
    const service = await startService();
    const run = await runContract({ ...service, permissions: permitted, checks });
    const templateMails = run.verdicts.filter(({ check }) => check.id.startsWith('email.template.'));
    for (const { status, reason } of templateMails)
      expect([status, reason]).toEqual(['skipped', expect.stringMatching(/ --allow-unaddressed$/)]);
    expect(new Set(service.mails())).toEqual(new Set(['me@ours.test']));
    expect(summarise(run, true).exitCode).toBe(0);
  });

  test('stops at --max-sends', async () => {
    const mails = (
      await running({ ...nothing, sendTo: 'me@ours.test', unaddressed: true, maxSends: 7 })
    ).filter(isMail);
    expect(mails).toHaveLength(7);
  });

  test('leaves undecided what it may not send again', async () => {
    const service = await startService(undefined, {
      handle: (call, next) =>
        call.operation === 'sendEmail' && /[^\0-\x7f]/.test(call.text)
          ? { status: 422, body: { success: false, error: 'the mail is not acceptable' } }
          : next(call),
    });
    const letters = selectChecks(checks, ['email.send.success', 'email.send.letters'], []);
    const permissions = { ...everythingPermitted, maxSends: 2 };
    const run = await runContract({ ...service, permissions, checks: letters });
    const undecided = run.verdicts.filter(({ status }) => status === 'inconclusive');
    expect(undecided.map(({ reason }) => reason)).toContainEqual(expect.stringMatching(/raise --max-sends/));
    expect(summarise(run, false).exitCode).toBe(3);
  });
});

describe.concurrent('the number of mails', () => {
  const permissions = { ...everythingPermitted, sendTo: 'me@ours.test', maxSends: 500 };

  test.each([
    ['all of it', ['email'], ['me@ours.test', undefined, 7]],
    ['one check', ['email.template.auth.missing-key'], ['me@ours.test', undefined]],
  ] as const)('is counted at a server that takes everything: %s', async (_name, only, recipients) => {
    const selected = selectChecks(checks, only, []);
    const server = await taking();
    const options = { permissions: { ...permissions, maxSends: 90 }, checks: selected, thorough: true };
    const run = await runContract({ url: server.url, key, ...options });
    const mails = server.requests.filter(isMail);
    expect(run.mailsRequested).toBe(mails.length);
    // A number is nobody's address.
    expect(new Set(mails.map(recipientOf))).toEqual(new Set(recipients));
    // Each finding that it shows is confirmed: a scenario runs three times at most.
    expect(run.mailsRequested).toBeLessThanOrEqual(
      Math.min(90, 3 * plannedMails(selected, permissions, true)),
    );
    expect(run.mailsRequested).toBeGreaterThan(0);
  });

  test.each(conforming.filter(({ id }) => ['plain', 'another-service'].includes(id)))(
    'is an upper bound for $id',
    async (deployment) => {
      const service = await deployment.start();
      closers.push(service.close);
      const run = await runContract({ ...service, permissions, checks: mailing, thorough: true });
      expect(service.mails().length).toBeLessThanOrEqual(plannedMails(mailing, permissions, true));
      expect(run.mailsRequested).toBeLessThanOrEqual(plannedMails(mailing, permissions, true));
    },
  );

  test('of a thorough run is within its default cap', () => {
    expect(plannedMails(checks, permissions, true)).toBeLessThan(defaultMaxSends.thorough);
  });

  test('of a usual run on a plain service is within its default cap', async () => {
    const service = await startService();
    const usual = checks.filter(({ thorough }) => !thorough);
    const capped = { ...permissions, maxSends: defaultMaxSends.usual };
    const { verdicts, mailsRequested } = await runContract({
      ...service,
      permissions: capped,
      checks: usual,
    });
    expect(mailsRequested).toBeLessThanOrEqual(defaultMaxSends.usual);
    expect(verdicts.filter(({ reason }) => reason?.includes('--max-sends'))).toEqual([]);
  });

  test('is said with the cap that holds whatever happens', () => {
    const selected = selectChecks(checks, ['email.send'], []);
    const planned = plannedMails(selected, permissions);
    expect(mailNotice(planned, { ...permissions, maxSends: 90 })).toBe(
      `This run requests at most ${planned} mails to me@ours.test and to recipients that the deployment chooses (--allow-unaddressed), or at most 90 if it repeats some to confirm what it finds (--max-sends).`,
    );
    expect(mailNotice(planned, { ...permissions, unaddressed: false, maxSends: 3 })).toBe(
      `This run requests at most 3 mails to me@ours.test (--max-sends); where a deployment has unusual demands, up to ${planned} are needed.`,
    );
    expect(plannedMails(selectChecks(checks, ['leads'], []), permissions)).toBe(0);
  });
});
