import { expect, test } from 'vitest';
import type { QuestionId } from '../../mock/contract/questions.ts';
import { createLedger } from '../client/ledger.ts';
import { everythingPermitted, type Permissions } from '../client/permissions.ts';
import { refuse, refuseWhere } from '../proof/server/mutation.ts';
import type { BehaviourOverrides } from '../proof/server/server.ts';
import { ordinaryTemplates } from '../proof/server/store.ts';
import type { Call, Mutation, Reply } from '../proof/server/types.ts';
import { observeOn } from '../testing/run-on.ts';
import { mailsOf } from './observe.ts';
import { probes, probesFor } from './probes/index.ts';

// On a server that is not the mock.

const readOnly: Permissions = { writes: false, sendTo: undefined, unaddressed: false, maxSends: 60 };
const me = 'me@example.com';

test.concurrent.each([undefined, me])('what is not permitted names its flag: mail to %s', async (sendTo) => {
  const { results, exchanges, service } = await observeOn([], { permissions: { ...readOnly, sendTo } });
  expect(new Set(service.mails())).toEqual(new Set(sendTo ? [sendTo] : []));
  for (const { operation, method } of exchanges)
    expect(`${method} ${operation}`).toMatch(sendTo ? /^GET |^POST sendEmail$/ : /^GET /);
  const said = {
    read: /answered/,
    writes: /^answered$|-writes$/,
    mail: sendTo ? /answered/ : /--send-to/,
    unaddressed: sendTo ? /-unaddressed$/ : /--send-to/,
  };
  for (const [at, { needs }] of probes.entries()) {
    const one = results[at];
    expect(one?.status === 'skipped' ? one.reason : one?.status).toMatch(said[needs]);
  }
});

/** Answers the requests that are due so. */
const where = (reply: Reply, isDue: (call: Call) => boolean): Mutation => ({
  handle: (call, next) => (isDue(call) ? reply : next(call)),
});

test.concurrent('no more mails are asked for than was said, also where every mail fails', async () => {
  const mutation = refuseWhere(['sendEmail', 'sendTemplateEmail'], refuse(500, 'internal error'), () => true);
  const templates = ordinaryTemplates.map((template, index) => ({ ...template, id: String(index + 1) }));
  const only = ['template-send.to'] as const;
  const { mailsRequested } = await observeOn(only, { behaviour: { templates }, mutation });
  expect(mailsRequested).toBe(8);
  expect(mailsRequested).toBeLessThanOrEqual(mailsOf(probesFor(only), everythingPermitted));
  expect(mailsOf(probesFor(only), { ...everythingPermitted, sendTo: undefined })).toBe(0);
});

test.concurrent('evidence holds no key, no id, no address and no host, and nothing is left behind', async () => {
  const ids = 'lead_0063in, 5d0b1c52-3f0e-4a6b-8c1d-9e2f7a604b13, 884422';
  const mutation: Mutation = {
    handle: (call, next) => {
      const reply = next(call);
      const { host, authorization } = call.headers;
      const [sent = ''] = /Contract test [^"]*/.exec(call.text) ?? [];
      const error = `${sent}| ${reply.body.error}, 1048576 bytes ${me} ${host} ${authorization} ${ids}`;
      return reply.refused ? { ...reply, body: { ...reply.body, error } } : reply;
    },
  };
  const behaviour = { duplicate: 'merged', wrongType: 'as-text', emptyName: 'accepted' } as const;
  const { results, runId, service, leftoverLeads } = await observeOn([], { behaviour, mutation });
  expect([leftoverLeads, service.leads()]).toEqual([[], 0]);
  const evidence = results.flatMap((one) => (one.status === 'answered' ? one.evidence : [])).join('\n');
  expect(evidence).not.toMatch(/<text> \w+\|/);
  for (const shown of ['<text>|', '<host>', '<address>', '1048576 bytes']) expect(evidence).toContain(shown);
  for (const secret of [runId, service.key, '127.0.0.1', me, '5d0b1c52', 'lead_0063in', '884422'])
    expect(evidence).not.toContain(secret);
});

/** The connection is closed without a response to long requests. */
const closing: Mutation = {
  rewrite: (raw, { text }) => {
    if (text.length > 102_400) throw new Error('the connection is closed');
    return raw;
  },
};
const everySecond = where(refuse(410, 'gone', 'route'), ({ operation, nth }) => !operation && nth % 2 === 0);
const shownLate: Case = {
  behaviour: { leadReading: 'present' },
  mutation: where(
    refuse(404, 'not found', 'lead'),
    ({ operation, nth }) => operation === 'readLead' && nth < 3,
  ),
};
const noUpdates = refuseWhere('updateLead', refuse(404, 'nothing', 'route'), () => true);
const unknownPath = 'failure.unknown-route-status';
const [tooLarge, unusable] = [/refused with any content/, /updateLead could not be used/];
const belowSpace = /the limit is below 65536 bytes .*: 413/;

type Case = { readonly behaviour?: BehaviourOverrides; readonly mutation?: Mutation };
type Found = Partial<Record<QuestionId, string | RegExp | number>>;

test.concurrent.each<[string, Case, Found]>([
  ['answers that differ', { mutation: everySecond }, { [unknownPath]: /^unstable: .*first 4\d\d, then 4/ }],
  ['a redirect', { behaviour: { outsideService: 'redirect' } }, { [unknownPath]: /^inconclusive.*\(302\)/ }],
  ['a page', { behaviour: { outsideService: 'home-page' } }, { [unknownPath]: /neither success/ }],
  [
    'a limit outside the space, and a body that is too large whatever it holds',
    { behaviour: { limits: { name: 61 }, bodyLimit: 9000 } },
    { 'limits.body-size': belowSpace, 'lead.name-limit': tooLarge, 'lead.note-limit': tooLarge },
  ],
  ['a body size that closes the connection', { mutation: closing }, { 'limits.body-size': '100KiB' }],
  ['a new lead that a GET shows late', shownLate, { 'lead.retrieve': 'present' }],
  [
    'an operation that is absent',
    { mutation: noUpdates },
    { 'lead.name': 'required', 'lead.update-empty': unusable, 'failure.unknown-lead-status': unusable },
  ],
])('observed is what could be: %s', async (_, { behaviour, mutation }, found) => {
  const only = Object.keys(found) as QuestionId[];
  const ledger = createLedger();
  const { results, service } = await observeOn(only, { behaviour, mutation, ledger });
  for (const id of only) {
    const one = results.find(({ question }) => question.id === id);
    const said = one?.status === 'answered' ? one.answer : `${one?.status}: ${one?.reason}`;
    if (found[id] instanceof RegExp) expect(said).toMatch(found[id]);
    else expect(said).toBe(found[id]);
  }
  expect(service.leads()).toBe(ledger.lost());
});
