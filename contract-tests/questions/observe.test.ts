import { describe, expect, test } from 'vitest';
import { everythingPermitted, type Permissions } from '../client/permissions.ts';
import type { BehaviourOverrides } from '../proof/server/server.ts';
import { createService } from '../proof/server/server.ts';
import { ordinaryTemplates } from '../proof/server/templates.ts';
import type { Mutation } from '../proof/server/types.ts';
import type { RunningDeployment } from '../proof/servers.ts';
import { inRun, type RunFacts, type TargetOptions } from '../runner/run.ts';
import { mailsOf, type ObserveResult, observe, type QuestionResult } from './observe.ts';
import { probes, probesFor } from './probes/index.ts';

type Options = Partial<TargetOptions> & { readonly only?: Parameters<typeof probesFor>[0] };

type Observed = ObserveResult & RunFacts & { readonly service: RunningDeployment };

/** Observes a server that is not the mock, and closes it. */
const observed = async (
  choices: BehaviourOverrides,
  fault: Mutation = {},
  { only, ...options }: Options = {},
): Promise<Observed> => {
  const service = await createService(choices, fault).start();
  const { url, key } = service;
  const result = await inRun(
    { url, key, permissions: everythingPermitted, ...options },
    'observe',
    (shared) => observe(shared, only ? probesFor(only) : probes),
  ).finally(service.close);
  return { ...result, service };
};

const of = ({ results: found }: ObserveResult, id: string): QuestionResult => {
  const one = found.find(({ question }) => question.id === id);
  if (!one) throw new Error(`${id} was not asked`);
  return one;
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
    expect(result.service.leads()).toBe(0);
    expect(result.service.mails()).toEqual([]);
  });

  test('mail goes to the one address, and to a recipient of the deployment only where that is permitted', async () => {
    const permissions = { ...readOnly, writes: true, sendTo: me };
    const result = await observed({}, {}, { permissions });
    expect(new Set(result.service.mails())).toEqual(new Set([me]));
    const skipped = result.results.flatMap((one) => (one.status === 'skipped' ? [one] : []));
    expect(skipped.map(({ question }) => question.id)).toEqual(
      probes.filter(({ needs }) => needs === 'unaddressed').map(({ question }) => question),
    );
    for (const { reason } of skipped) expect(reason).toMatch(/--allow-unaddressed$/);
  });
});

test.concurrent('no more mails are asked for than was said, also where every mail fails', async () => {
  const refusing: Mutation = {
    handle: (call, next) =>
      call.operation === 'sendEmail' || call.operation === 'sendTemplateEmail'
        ? { status: 500, body: { success: false, error: 'internal error' } }
        : next(call),
  };
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
  expect(evidence).toContain('<host>');
  expect(evidence).toContain('<address>');
  expect(evidence).toContain('1048576 bytes');
  for (const secret of [runId, service.key, '127.0.0.1', me, '5d0b1c52', 'lead_0063in', '884422'])
    expect(evidence).not.toContain(secret);
});

describe.concurrent('what cannot be observed is no answer', () => {
  const everySecond: Mutation = {
    handle: (call, next) => {
      const reply = next(call);
      return call.operation === undefined && call.nth % 2 === 0 ? { ...reply, status: 410 } : reply;
    },
  };

  test('an answer that differs between two askings is unstable', async () => {
    const result = await observed({}, everySecond, { only: ['failure.unknown-route-status'] });
    expect(of(result, 'failure.unknown-route-status')).toMatchObject({
      status: 'unstable',
      reason: expect.stringMatching(/first 4\d\d, then 4\d\d/),
    });
  });

  test('blanks that one field keeps and another loses', async () => {
    const trimmed = (field: string): Mutation => ({
      handle: (call, next) => {
        const body = { ...(call.body as Record<string, unknown>) };
        if (call.operation === 'addLead' && typeof body[field] === 'string') body[field] = body[field].trim();
        return next(call.operation === 'addLead' ? { ...call, body } : call);
      },
    });
    const refused: Mutation = {
      handle: (call, next) =>
        call.operation === 'addLead' && /^\s/.test(String((call.body as { name?: unknown }).name))
          ? { status: 400, body: { success: false, error: 'name', message: '' }, refused: 'fields' }
          : next(call),
    };
    const only = ['lead.outer-blanks'] as const;
    for (const [mutation, expected] of [
      [trimmed('name'), { reason: 'the fields differ: the note was kept, the name trimmed' }],
      [trimmed('note'), { reason: 'the fields differ: the note was trimmed, the name kept' }],
      [refused, { answer: 'kept' }],
      [{}, { answer: 'kept' }],
    ] as const) {
      const result = await observed({}, mutation, { only });
      expect(of(result, 'lead.outer-blanks')).toMatchObject(expected);
      expect(result.service.leads()).toBe(0);
    }
    const all = await observed({ sanitises: { blanks: true } }, {}, { only });
    expect(of(all, 'lead.outer-blanks')).toMatchObject({ answer: 'trimmed' });
  });

  test('a redirect and a page are neither success nor an error response', async () => {
    for (const [elsewhere, reason] of [
      ['redirect', 'it redirects (302)'],
      ['home-page', 'neither success nor an error response'],
    ] as const) {
      const result = await observed(
        { outsideService: elsewhere },
        {},
        { only: ['failure.unknown-route-status'] },
      );
      expect(of(result, 'failure.unknown-route-status')).toMatchObject({
        status: 'inconclusive',
        reason: expect.stringContaining(reason),
      });
    }
  });

  test('a limit outside the space, and a body that is too large whatever it holds', async () => {
    const result = await observed(
      { limits: { name: 61 }, bodyLimit: 9000 },
      {},
      {
        only: ['lead.name-limit', 'lead.note-limit', 'limits.body-size'],
      },
    );
    const reasons = result.results.map((one) => ('reason' in one ? one.reason : 'answered'));
    expect(reasons).toEqual([
      expect.stringContaining('a body of 10500 bytes is also refused'),
      expect.stringContaining('refused with any content'),
      expect.stringContaining('refused with any content'),
    ]);
  });

  test('a server that closes the connection on a large body has its limit observed', async () => {
    const fault: Mutation = {
      rewrite: (raw, { text }) => {
        if (text.length > 102_400) throw new Error('the connection is closed');
        return raw;
      },
    };
    const result = await observed({}, fault, { only: ['limits.body-size'] });
    expect(of(result, 'limits.body-size')).toMatchObject({ answer: '100KiB' });
  });

  test.each(['no such lead', 'not found'])('a new lead that a GET shows late is shown: %s', async (error) => {
    const gets = new Map<string, number>();
    const fault: Mutation = {
      handle: (call, next) => {
        const isReading = call.method === 'GET' && /\/leads\/./.test(call.path);
        const count = (gets.get(call.path) ?? 0) + 1;
        gets.set(call.path, count);
        return isReading && count < 3 ? { status: 404, body: { error }, refused: 'lead' } : next(call);
      },
    };
    const choices = { leadReading: 'present', failure: (text: string) => ({ error: text }) } as const;
    const result = await observed(choices, fault, { only: ['lead.retrieve'] });
    expect(of(result, 'lead.retrieve')).toMatchObject({ answer: 'present' });
  });

  test('a question is asked again where the connection broke', async () => {
    let additions = 0;
    const fault: Mutation = {
      rewrite: (raw, { operation }) => {
        if (operation === 'addLead') additions += 1;
        if (additions === 2 && operation === 'addLead') throw new Error('the connection is closed');
        return raw;
      },
    };
    const result = await observed({}, fault, { only: ['lead.id-format'] });
    expect(of(result, 'lead.id-format')).toMatchObject({ status: 'answered' });
  });

  test('a success that any path gets is no path form', async () => {
    const fault: Mutation = {
      handle: (call, next) =>
        call.operation === undefined ? { status: 200, body: { success: true, message: 'ok' } } : next(call),
    };
    const result = await observed({ listPaths: 'singular', sendPaths: 'send-template' }, fault, {
      only: ['templates.list-path', 'templates.send-path', 'lead.list', 'lead.retrieve'],
    });
    const answers = result.results.map((one) => (one.status === 'answered' ? one.answer : one.reason));
    expect(answers).toEqual(['singular', 'absent', 'absent', 'optional', 'send-template']);
  });
});

describe.concurrent('a failing deployment gets the answers that could be observed', () => {
  test('an operation that is absent', async () => {
    const fault: Mutation = {
      handle: (call, next) =>
        call.operation === 'updateLead'
          ? { status: 404, body: { error: 'nothing here' }, refused: 'route' }
          : next(call),
    };
    const result = await observed({}, fault);
    const untold = result.results.filter(({ status }) => status !== 'answered');
    expect(untold.map(({ question }) => question.id)).toEqual([
      'lead.update-name',
      'lead.update-source',
      'lead.update-empty',
      'failure.unknown-lead-status',
      'limits.body-size',
    ]);
    for (const one of untold) expect('reason' in one && one.reason).toContain('updateLead could not be used');
  });

  test('a deployment that keeps every lead is given no more of them', async () => {
    const fault: Mutation = {
      handle: (call, next) =>
        call.operation === 'deleteLead' ? { status: 500, body: { error: 'crash' } } : next(call),
    };
    const only = [
      'lead.name',
      'failure.validation-status',
      'failure.delete-again-status',
      'auth.missing-status',
    ] as const;
    const result = await observed({}, fault, { only });
    expect(of(result, 'auth.missing-status')).toMatchObject({ answer: 401 });
    for (const one of result.results.slice(1)) expect(one.status).toMatch(/skipped|inconclusive/);
    expect(result.service.leads()).toBeLessThan(4);
    expect(result.leftoverLeads).toHaveLength(result.service.leads());
  });

  test('a rate limit that never ends says nothing', async () => {
    const fault: Mutation = {
      rewrite: (letter, call) =>
        call.operation === 'addLead'
          ? { ...letter, status: 429, headers: { ...letter.headers, 'retry-after': '3600' } }
          : letter,
    };
    const result = await observed({}, fault, { only: ['lead.name', 'templates.list-path'] });
    expect(of(result, 'templates.list-path')).toMatchObject({ answer: 'both' });
    expect(of(result, 'lead.name')).toMatchObject({
      status: 'inconclusive',
      reason: expect.stringContaining('429'),
    });
  });

  test('an answer that never comes', async () => {
    const fault: Mutation = {
      handle: async (call, next, { sleep }) => {
        if (call.operation === undefined) await sleep(5000);
        return next(call);
      },
    };
    const result = await observed({}, fault, {
      timeout: 1000,
      only: ['failure.unknown-route-status', 'auth.missing-status'],
    });
    expect(of(result, 'failure.unknown-route-status').status).toBe('inconclusive');
    expect(of(result, 'auth.missing-status')).toMatchObject({ answer: 401 });
  });

  test('an interruption cleans up, and what was found stays', async () => {
    const controller = new AbortController();
    const { url, key, leads, close } = await createService().start();
    const options = { url, key, permissions: everythingPermitted, signal: controller.signal };
    const result = await inRun(options, 'observe', (shared) =>
      observe(shared, probes, {
        onResult: ({ question }) => {
          if (question.id === 'lead.note') controller.abort();
        },
      }),
    ).finally(close);
    expect(result.interrupted).toBe(true);
    expect(result.results.at(-1)?.question.id).toBe('lead.note');
    expect(leads()).toBe(0);
  });
});
