import { describe, expect, test } from 'vitest';
import type { QuestionId } from '../../mock/contract/questions.ts';
import { createLedger } from '../client/ledger.ts';
import { everythingPermitted, type Permissions } from '../client/permissions.ts';
import { refuse } from '../proof/server/mutation.ts';
import { type BehaviourOverrides, createService } from '../proof/server/server.ts';
import { ordinaryTemplates } from '../proof/server/store.ts';
import type { Call, Mutation, Reply } from '../proof/server/types.ts';
import { targetOf } from '../proof/suite-result.ts';
import { inRun, type TargetOptions } from '../runner/run.ts';
import { mailsOf, observe } from './observe.ts';
import { probes, probesFor } from './probes/index.ts';

type Options = Partial<TargetOptions> & { readonly only?: readonly QuestionId[] };

/** Observes a server that is not the mock, and closes it. */
const observed = async (
  behaviour: BehaviourOverrides,
  fault: Mutation = {},
  { only, ...options }: Options = {},
) => {
  const service = await createService(behaviour, fault).start();
  const result = await inRun(
    { ...targetOf(service), permissions: everythingPermitted, ...options },
    'observe',
    (shared) => observe(shared, only ? probesFor(only) : probes),
  ).finally(service.close);
  return { ...result, service };
};

const readOnly: Permissions = { writes: false, sendTo: undefined, unaddressed: false, maxSends: 60 };
const me = 'me@example.com';

describe.concurrent('what is not permitted', () => {
  test('is skipped with the flag that permits it, and nothing is written or sent', async () => {
    const result = await observed({}, {}, { permissions: readOnly });
    const skipped = result.results.filter(({ status }) => status === 'skipped');
    expect(result.results.filter(({ status }) => status === 'answered')).toHaveLength(10);
    expect(skipped).toHaveLength(41);
    for (const one of skipped) expect('reason' in one && one.reason).toMatch(/--allow-writes|--send-to/);
    expect(new Set(result.exchanges.map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  test('mail goes to the one address, and to a recipient of the deployment only where that is permitted', async () => {
    const result = await observed({}, {}, { permissions: { ...readOnly, sendTo: me } });
    expect(new Set(result.service.mails())).toEqual(new Set([me]));
    const reasons = result.results.map((one) => (one.status === 'skipped' ? one.reason : one.status));
    const flags = {
      read: /answered/,
      writes: /^answered$|--allow-writes$/,
      send: /answered/,
      unaddressed: /-unaddressed$/,
    };
    for (const { operation, method } of result.exchanges)
      expect(`${method} ${operation}`).toMatch(/^GET |^POST sendEmail$/);
    for (const [at, { needs }] of probes.entries()) expect(reasons[at]).toMatch(flags[needs]);
  });
});

/** Answers the requests that are due so. */
const where = (isDue: (call: Call) => boolean, reply: (call: Call) => Reply): Mutation => ({
  handle: (call, next) => (isDue(call) ? reply(call) : next(call)),
});
const is =
  (...operations: readonly Call['operation'][]) =>
  ({ operation }: Call): boolean =>
    operations.includes(operation);

test.concurrent('no more mails are asked for than was said, also where every mail fails', async () => {
  const refusing = where(is('sendEmail', 'sendTemplateEmail'), () => refuse(500, 'internal error'));
  const numbered = ordinaryTemplates.map((template, index) => ({ ...template, id: String(index + 1) }));
  const only = ['template-send.to'] as const;
  const { mailsRequested } = await observed({ templates: numbered }, refusing, { only });
  expect(mailsRequested).toBe(8);
  expect(mailsRequested).toBeLessThanOrEqual(mailsOf(probesFor(only), everythingPermitted));
});

test.concurrent('evidence holds no key, no id, no address and no host, and nothing is left behind', async () => {
  const fault: Mutation = {
    handle: (call, next) => {
      const reply = next(call);
      const texts = `1048576 bytes ${me} ${call.headers.host} ${call.headers.authorization} lead_0063in, 5d0b1c52-3f0e-4a6b-8c1d-9e2f7a604b13, 884422`;
      return reply.refused
        ? { ...reply, body: { ...reply.body, error: `${reply.body.error}, ${texts}` } }
        : reply;
    },
  };
  const choices = { duplicate: 'merged', wrongType: 'as-text', emptyName: 'accepted' } as const;
  const { results: found, runId, service, leftoverLeads } = await observed(choices, fault);
  expect([leftoverLeads, service.leads()]).toEqual([[], 0]);
  const evidence = found.flatMap((one) => (one.status === 'answered' ? one.evidence : [])).join('\n');
  for (const shown of ['<host>', '<address>', '1048576 bytes']) expect(evidence).toContain(shown);
  for (const secret of [runId, service.key, '127.0.0.1', me, '5d0b1c52', 'lead_0063in', '884422'])
    expect(evidence).not.toContain(secret);
});

/** The connection is closed without a response to the requests that are due. */
const closing = (
  isDue: (call: { readonly operation?: unknown; readonly text: string }) => boolean,
): Mutation => ({
  rewrite: (raw, call) => {
    if (isDue(call)) throw new Error('the connection is closed');
    return raw;
  },
});
const everySecond: Mutation = {
  handle: (call, next) => ({
    ...next(call),
    ...(call.operation === undefined && call.nth % 2 === 0 ? { status: 410 } : {}),
  }),
};
const shownLate = (): Mutation => {
  const gets = new Map<string, number>();
  const isEarly = ({ method, path }: Call): boolean => {
    gets.set(path, (gets.get(path) ?? 0) + 1);
    return method === 'GET' && /\/leads\/./.test(path) && (gets.get(path) ?? 0) < 3;
  };
  return where(isEarly, () => refuse(404, 'not found', 'lead'));
};
const rateLimit: Mutation = {
  rewrite: (raw, { operation }) =>
    operation === 'addLead'
      ? { ...raw, status: 429, headers: { ...raw.headers, 'retry-after': '3600' } }
      : raw,
};
const neverAnswered: Mutation = {
  handle: async (call, next, { sleep }) => {
    if (call.operation === undefined) await sleep(5000);
    return next(call);
  },
};
const noUpdates = where(is('updateLead'), () => refuse(404, 'nothing here', 'route'));
const unknownPath = 'failure.unknown-route-status';

test.concurrent.each<
  [string, BehaviourOverrides, Mutation, Partial<Record<QuestionId, string | RegExp | number>>]
>([
  ['an answer that differs', {}, everySecond, { [unknownPath]: /^unstable: .*first 4\d\d, then 4\d\d/ }],
  [
    'a redirect',
    { outsideService: 'redirect' },
    {},
    { [unknownPath]: /^inconclusive: .*it redirects \(302\)/ },
  ],
  ['a page', { outsideService: 'home-page' }, {}, { [unknownPath]: /neither success nor an error response/ }],
  [
    'a limit outside the space, and a body that is too large whatever it holds',
    { limits: { name: 61 }, bodyLimit: 9000 },
    {},
    {
      'limits.body-size': /the limit is below 65536 bytes .*: 413/,
      'lead.name-limit': /refused with any content/,
      'lead.note-limit': /refused with any content/,
    },
  ],
  [
    'a body size at which the connection is closed',
    {},
    closing(({ text }) => text.length > 102_400),
    { 'limits.body-size': '100KiB' },
  ],
  [
    'a new lead that a GET shows late',
    { leadReading: 'present' },
    shownLate(),
    { 'lead.retrieve': 'present' },
  ],
  [
    'a rate limit that never ends',
    {},
    rateLimit,
    { 'templates.list-path': 'both', 'lead.name': /^inconclusive: .*429/ },
  ],
  [
    'a request that gets no response',
    {},
    neverAnswered,
    { [unknownPath]: /^inconclusive/, 'auth.missing-status': 401 },
  ],
  [
    'an operation that is absent',
    {},
    noUpdates,
    {
      'lead.name': 'required',
      'lead.update-empty': /updateLead could not be used/,
      'failure.unknown-lead-status': /updateLead could not be used/,
    },
  ],
])('observed is what could be: %s', async (_, behaviour, fault, expected) => {
  const only = Object.keys(expected) as QuestionId[];
  const ledger = createLedger();
  // A busy machine responds to other requests late.
  const timeout = fault === neverAnswered ? 1000 : 10_000;
  const { results, service } = await observed(behaviour, fault, { only, timeout, ledger });
  for (const id of only) {
    const found = results.find(({ question }) => question.id === id);
    const said = found?.status === 'answered' ? found.answer : `${found?.status}: ${found?.reason}`;
    if (expected[id] instanceof RegExp) expect(said).toMatch(expected[id]);
    else expect(said).toBe(expected[id]);
  }
  expect(service.leads()).toBe(ledger.lost());
});
