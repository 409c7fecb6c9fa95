// What the page of the proxy reads: verdicts, claims and both sides, without keys, on this machine only.
import { describe, expect, test } from 'vitest';
import { checks } from '../../checks/index.ts';
import { key } from '../../testing/command.ts';
import { json, observe } from '../../testing/observed.ts';
import { exchangeBytes, nobodyListens, startProxyInTest } from '../../testing/proxy.ts';
import type { ObservedExchange } from '../../traffic/exchanges/observed.ts';
import { createLive } from '../../traffic/live.ts';
import { createTrafficSession } from '../../traffic/session.ts';
import { createProxyJournal, type ExchangePage, type ProxyJournal } from '../journal.ts';
import type { ExchangeEntry } from '../journal-entry.ts';

const start = async (journal: ProxyJournal): Promise<string> => {
  const proxy = await startProxyInTest(nobodyListens, {
    allowedHosts: ['app.example.com'],
    liveView: { journal, pageFile: () => undefined },
  });
  return proxy.url;
};

/** A session that keeps what it judges for people. */
const createSession = () => {
  const session = createTrafficSession({ checks });
  const journal = createProxyJournal(session.redact);
  const live = createLive(session);
  const pass = (changes: Partial<ObservedExchange> = {}): void => {
    const observed = { ...listing, ...changes };
    journal.add(observed, live(observed).judgement, false);
  };
  return { journal, pass, judgement: live(listing).judgement };
};

const listing = observe(
  'GET',
  'email/templates',
  undefined,
  { data: [] },
  {
    requestHeaders: { authorization: `Bearer ${key}`, cookie: 'session=1' },
  },
);

const broken: Partial<ObservedExchange> = {
  status: 201,
  responseBody: json({ success: true, error: '', data: [], message: `key ${key}` }),
};

const get = async <Body>(url: string): Promise<Body> => (await (await fetch(url)).json()) as Body;

describe('the journal of the proxy', () => {
  test('has the newest first, each with its verdict, its claims and their sections', async () => {
    const { journal, pass } = createSession();
    pass();
    pass(broken);
    pass({ method: 'POST', target: '/api/v1/contacts', status: 404 });
    const url = await start(journal);
    const { requests, total } = await get<ExchangePage>(`${url}/__proxy/requests`);
    expect(total).toBe(3);
    expect(requests.map(({ verdict }) => verdict)).toEqual(['skipped', 'fail', 'pass']);
    expect(requests[1]).toMatchObject({
      operation: 'listTemplates',
      path: '/api/v1/email/templates',
      status: 201,
      duration_ms: 12,
      findings: [{ check: 'templates.list.success', section: '4.2', level: 'documented' }],
    });
    expect(requests[0]?.request_findings).toMatchObject([{ kind: 'unknown route', section: '4' }]);
  });

  test('has both sides of one, and no key in it', async () => {
    const { journal, pass } = createSession();
    pass(broken);
    const url = await start(journal);
    const { requests } = await get<ExchangePage>(`${url}/__proxy/requests`);
    const entry = await get<ExchangeEntry>(`${url}/__proxy/requests/${requests[0]?.id}`);
    expect(entry.request.headers).toEqual({ authorization: 'Bearer REDACTED', cookie: 'REDACTED' });
    expect(entry.response.body).toContain('key $EMAIL_LEADS_API_KEY');
    expect(JSON.stringify(entry)).not.toContain(key);
  });

  test('shows no key of a request that is not judged', async () => {
    const { journal, pass } = createSession();
    pass({ target: `/api/v1/contacts?key=${key}`, status: 404, responseBody: json({ sent: key }) });
    pass({ responseBody: { missing: 'larger than 1048576 bytes' } });
    const url = await start(journal);
    const { requests } = await get<ExchangePage>(`${url}/__proxy/requests`);
    const entries = await Promise.all(
      requests.map(({ id }) => get<ExchangeEntry>(`${url}/__proxy/requests/${id}`)),
    );
    expect(JSON.stringify(entries)).not.toContain(key);
    expect(entries[0]?.response).toMatchObject({ body: null, body_missing: 'larger than 1048576 bytes' });
  });

  test('selects', async () => {
    const { journal, pass } = createSession();
    pass();
    pass(broken);
    pass({ target: '/api/v1/contacts', status: 404 });
    const url = await start(journal);
    for (const [query, count] of [
      ['verdict=fail', 1],
      ['operation=listTemplates', 2],
      ['status=2xx', 2],
      ['status=404', 1],
      ['q=contacts', 1],
      ['q=-contacts', 2],
      ['q=templates.list.success', 1],
      ['limit=1&start=2', 1],
    ] as const) {
      const { requests } = await get<ExchangePage>(`${url}/__proxy/requests?${query}`);
      expect(requests.length, query).toBe(count);
    }
  });

  test('keeps a thousand, and 16 MiB of bodies', () => {
    const { journal, judgement } = createSession();
    const add = (observed: ObservedExchange): void => journal.add(observed, judgement, false);
    for (let count = 0; count < 1005; count += 1) add(listing);
    expect(journal.page({}, 0, 1)).toMatchObject({ total: 1000, dropped: 5, dropped_by: 'count' });
    const large = { ...listing, responseBody: { bytes: Buffer.alloc(2 ** 20 - 1, ' ') } };
    for (let count = 0; count < 18; count += 1) add(large);
    const { total, dropped_by: limit } = journal.page({}, 0, 0);
    expect([total <= 16, limit]).toEqual([true, 'bytes']);
  });

  test('is cleared only where all of it is meant', async () => {
    const { journal, pass } = createSession();
    pass();
    const url = await start(journal);
    const remove = (body: string, type = 'application/json') =>
      fetch(`${url}/__proxy/requests`, { method: 'DELETE', body, headers: { 'content-type': type } });
    expect((await remove('{}')).status).toBe(400);
    expect((await remove('{"all":true}', 'text/plain')).status).toBe(400);
    expect(await (await remove('{"all":true}')).json()).toEqual({ deleted: 1 });
    expect(journal.page({}, 0, 1).total).toBe(0);
  });

  test('says at once that it has changed', async () => {
    const { journal, pass } = createSession();
    const url = await start(journal);
    const response = await fetch(`${url}/__proxy/events`);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toContain('retry');
    pass();
    expect((await reader?.read())?.value).toBe('event: requests\ndata: {}\n\n');
    await reader?.cancel();
  });
});

describe('the live view', () => {
  /** The status that a request with these headers gets. */
  const statusFor = async (headers: Readonly<Record<string, string>>, path = '/__proxy/requests') => {
    const { journal } = createSession();
    const url = await start(journal);
    const fields = Object.entries({ Host: new URL(url).host, ...headers, Connection: 'close' });
    const lines = [`GET ${path} HTTP/1.1`, ...fields.map((field) => field.join(': ')), '', ''];
    return Number((await exchangeBytes(url, lines.join('\r\n'))).slice(9, 12));
  };

  test.each([
    ['this machine', {}, 200],
    ['a page of its own', { 'Sec-Fetch-Site': 'same-origin' }, 200],
    ['a page of another site', { Origin: 'https://evil.example.com' }, 403],
    ['an image on a page of another site', { 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['a tunnel, though its host is allowed', { Host: 'app.example.com' }, 403],
    ['a name that was bound to this address', { Host: 'evil.example.com' }, 421],
  ])('answers %s', async (_who, headers, status) => {
    expect(await statusFor(headers)).toBe(status);
  });

  test('may be opened by a link on any page', async () => {
    const link = {
      'Sec-Fetch-Site': 'cross-site',
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Dest': 'document',
    };
    expect(await statusFor(link, '/__proxy')).toBe(302);
    expect(await statusFor(link)).toBe(403);
  });

  test.each([
    ['/__proxy/nothing', 404],
    ['/__proxy/requests/none', 404],
    ['/__proxy/ui/..%2fpackage.json', 404],
  ])('%s is answered with %i', async (path, status) => {
    expect(await statusFor({}, path)).toBe(status);
  });
});
