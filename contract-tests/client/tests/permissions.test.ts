import { expect, test } from 'vitest';
import { checks } from '../../checks/index.ts';
import { mailNotice, plannedMails } from '../../cost/cost.ts';
import type { Call } from '../../exchange/exchange.ts';
import { refuse, refuseWhere } from '../../proof/server/mutation.ts';
import { selectChecks } from '../../runner/selection.ts';
import { summarise } from '../../runner/summary.ts';
import { listTemplates } from '../../testing/exchanges.ts';
import { runOn } from '../../testing/run-on.ts';
import { defaultMaxSends, everythingPermitted, forbids, type Permissions } from '../permissions.ts';

const nothing: Permissions = { writes: false, sendTo: undefined, unaddressed: false, maxSends: 60 };
const mine: Permissions = { ...nothing, sendTo: 'me@ours.test' };
const open: Permissions = { ...mine, unaddressed: true };

const call = (operation: Call['operation'], method: Call['method'], body?: unknown): Call => {
  const text = typeof body === 'object' ? JSON.stringify(body) : (body as string | undefined);
  return { ...listTemplates, operation, method, path: '/', body: text };
};
const mail = (body: unknown): Call => call('sendEmail', 'POST', body);
const template = (to: string): Call => call('sendTemplateEmail', 'POST', { to });

test.each<[string, Call, Permissions, RegExp | undefined]>([
  ['reading under any name', call('sendEmail', 'GET'), nothing, undefined],
  ['writing under the name of a list', call('listTemplates', 'POST', {}), nothing, /--allow-writes/],
  ['deleting', call('deleteLead', 'DELETE'), nothing, /--allow-writes/],
  ['deleting, permitted', call('deleteLead', 'DELETE'), { ...nothing, writes: true }, undefined],
  ['mail with writes only', mail({ to: 'me@ours.test' }), { ...nothing, writes: true }, /--send-to/],
  ['mail to the address', mail({ to: 'me@ours.test' }), mine, undefined],
  ['mail to another', mail({ to: 'you@ours.test' }), mine, /you@ours\.test/],
  ['mail to other letter case', mail({ to: 'Me@ours.test' }), mine, /Me@ours\.test/],
  ['mail to nobody', mail({}), mine, /--allow-unaddressed/],
  ['mail to a list', mail({ to: ['me@ours.test'] }), mine, /--allow-unaddressed/],
  ['mail with a copy', mail({ to: 'me@ours.test', cc: 'a@b.c' }), mine, /--allow-unaddressed/],
  ['mail that is no JSON', mail('{"to":"me@ours.test"'), mine, /--allow-unaddressed/],
  ['mail to nobody, permitted', mail({}), open, undefined],
  ['mail beyond the cap', mail({ to: 'me@ours.test' }), { ...mine, maxSends: 0 }, /--max-sends/],
  ['a template mail', template('me@ours.test'), mine, /--allow-unaddressed$/],
  ['a template mail to another', template('you@ours.test'), open, /you@ours\.test/],
])('%s', (_name, asked, permissions, reason) => {
  const said = forbids(asked, permissions, 0)?.message;
  if (reason) expect(said).toMatch(reason);
  else expect(said).toBeUndefined();
});

const only = (...ids: string[]) => selectChecks(checks, ids, []);

test.concurrent('a run only reads without a permission', async () => {
  const { exchanges, service } = await runOn([], { permissions: nothing });
  expect(exchanges.length).toBeGreaterThan(5);
  expect(exchanges.filter(({ method, body }) => method !== 'GET' || body !== undefined)).toEqual([]);
  expect([service.leads(), service.mails()]).toEqual([0, []]);
});

test.concurrent('a run skips the checks of template mails, names the flag, and conforms all the same', async () => {
  const { service, ...run } = await runOn(['email'], { permissions: mine });
  const templateMails = run.verdicts.filter(({ check }) => check.id.startsWith('email.template.'));
  for (const { status, reason } of templateMails)
    expect([status, reason]).toEqual(['skipped', expect.stringMatching(/ --allow-unaddressed$/)]);
  expect(new Set(service.mails())).toEqual(new Set(['me@ours.test']));
  expect(summarise(run, true).exitCode).toBe(0);
});

test.concurrent('a run leaves undecided what it may not send again', async () => {
  const mutation = refuseWhere('sendEmail', refuse(422, 'not acceptable'), ({ text }) =>
    /[^\0-\x7f]/.test(text),
  );
  const permissions = { ...everythingPermitted, maxSends: 3 };
  const run = await runOn(['email.send.success', 'email.send.letters'], { mutation, permissions });
  const undecided = run.verdicts.filter(({ status }) => status === 'inconclusive');
  expect(undecided.map(({ reason }) => reason)).toContainEqual(expect.stringMatching(/--max-sends 3/));
  expect(run.mailsRequested).toBe(3);
  expect(summarise(run, false).exitCode).toBe(3);
});

test('the notice says how many mails at most, and whom they reach', () => {
  const permissions = { ...open, maxSends: 90 };
  const planned = plannedMails(only('email.send'), permissions);
  const notices = [permissions, { ...permissions, unaddressed: false, maxSends: 3 }].map((given) =>
    mailNotice(planned, given).replaceAll(String(planned), 'N'),
  );
  expect(notices).toEqual([
    expect.stringMatching(/at most N mails to me@ours\.test and to .* or at most 90 if it repeats/),
    expect.stringMatching(/at most 3 mails to me@ours\.test \(--max-sends\).* up to N are needed/),
  ]);
  expect(plannedMails(only('leads'), permissions)).toBe(0);
  expect(plannedMails(checks, permissions, true)).toBeLessThan(defaultMaxSends.thorough);
});
