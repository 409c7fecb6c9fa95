import { afterEach, describe, expect, test } from 'vitest';
import { checks } from '../checks/index.ts';
import { defaultMaxSends } from '../cli/target-options.ts';
import { conforming } from '../proof/conforming/index.ts';
import { createService } from '../proof/server/server.ts';
import { runContract } from '../runner/run.ts';
import { mailNotice, plannedMails, selectChecks } from '../runner/selection.ts';
import { emptyList, jsonReply, type RawRequest, type RawServer, startRaw } from '../testing/raw-server.ts';
import type { Call } from './exchange.ts';
import { everythingPermitted, forbids, type Permissions } from './permissions.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
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
    ['mail to nobody', call('sendTemplateEmail', 'POST', {}), mine, /--allow-unaddressed/],
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

/** Takes everything, with a template that has no variables, and writes down what it was asked. */
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

describe('a run', () => {
  test('only reads without a permission', async () => {
    const requests = await running(nothing, [...checks]);
    expect(requests.length).toBeGreaterThan(5);
    expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(requests.filter(({ body }) => body !== '')).toEqual([]);
  });

  test('sends no mail with the permission to write', async () => {
    const service = await createService({}).start();
    closers.push(service.close);
    const run = await runContract({ ...service, permissions: { ...nothing, writes: true }, checks });
    expect(run.exchanges.some(({ method }) => method === 'DELETE')).toBe(true);
    expect(run.exchanges.filter(isMail)).toEqual([]);
    expect(service.mails()).toEqual([]);
  });

  test('writes to the one address, and to it always', async () => {
    const mails = (await running({ ...nothing, sendTo: 'me@ours.test' })).filter(isMail);
    expect(mails.length).toBeGreaterThan(10);
    expect(new Set(mails.map(recipientOf))).toEqual(new Set(['me@ours.test']));
  });

  test('names nobody only with permission', async () => {
    const mails = (await running({ ...nothing, sendTo: 'me@ours.test', unaddressed: true })).filter(isMail);
    // A number is nobody's address.
    expect(new Set(mails.map(recipientOf))).toEqual(new Set(['me@ours.test', undefined, 7]));
  });

  test('stops at --max-sends', async () => {
    const mails = (await running({ ...nothing, sendTo: 'me@ours.test', maxSends: 7 })).filter(isMail);
    expect(mails).toHaveLength(7);
  });
});

describe('the number of mails', () => {
  const permissions = { ...everythingPermitted, sendTo: 'me@ours.test', maxSends: 500 };

  test.each([
    ['all of it', ['email', 'templates', 'replies', 'failures']],
    ['one area', ['email.send']],
    ['one check', ['email.template.auth.missing-key']],
    ['every reply', ['replies']],
  ] as const)(
    'said beforehand is never exceeded by a server that takes everything: %s',
    async (_name, only) => {
      const selected = selectChecks(checks, only, []);
      const server = await taking();
      const run = await runContract({ url: server.url, key, permissions, checks: selected });
      expect(run.mailsRequested).toBe(server.requests.filter(isMail).length);
      expect(run.mailsRequested).toBeLessThanOrEqual(plannedMails(selected));
      expect(run.mailsRequested).toBeGreaterThan(0);
    },
  );

  test.each(
    conforming.filter(({ id }) =>
      ['plain', 'another-service', 'paths-as-in-examples', 'lower-case-bearer'].includes(id),
    ),
  )('is an upper bound for $id', async (deployment) => {
    const service = await deployment.start();
    closers.push(service.close);
    const run = await runContract({ ...service, permissions, checks: mailing });
    expect(service.mails().length).toBeLessThanOrEqual(plannedMails(mailing));
    expect(run.mailsRequested).toBeLessThanOrEqual(plannedMails(mailing));
  });

  test('is an upper bound where nobody has to be named and keys are not looked at', async () => {
    const service = await createService({}, { admit: () => true }).start();
    closers.push(service.close);
    await runContract({ ...service, permissions, checks: mailing });
    expect(service.mails().length).toBeLessThanOrEqual(plannedMails(mailing));
  });

  test('is within the default cap', () => {
    expect(plannedMails(checks)).toBeLessThan(defaultMaxSends);
  });

  test('is said with the cap that holds whatever happens', () => {
    const selected = selectChecks(checks, ['email.send'], []);
    const planned = plannedMails(selected);
    expect(mailNotice(planned, { ...permissions, maxSends: 90 })).toBe(
      `This run requests at most ${planned} mails to me@ours.test, some of them without a recipient (--allow-unaddressed), or at most 90 if it repeats refused mails (--max-sends).`,
    );
    expect(mailNotice(planned, { ...permissions, unaddressed: false, maxSends: 3 })).toBe(
      `This run requests 3 mails at most (--max-sends) of the ${planned} that it needs, to me@ours.test.`,
    );
    expect(plannedMails(selectChecks(checks, ['leads'], []))).toBe(0);
  });
});
