import { describe, expect, test } from 'vitest';
import { useMock } from '../../testing/mock-server.ts';

const mock = useMock();
const listed = useMock({ acceptKeys: ['secret-of-somebody', 'test_ours'] });
const bare = useMock({ admin: false });
const get = (path: string, headers: Record<string, string> = {}) =>
  mock.call('GET', path, { key: null, headers });

const fileNamed = async (kind: 'js' | 'css'): Promise<string> => {
  const { text } = await get('/__admin/ui/');
  return `/__admin/ui/${new RegExp(`page-[0-9a-f]+\\.${kind}`).exec(text)?.[0]}`;
};

describe('the way in', () => {
  test.each([
    ['/', '__admin/ui/'],
    ['/?key=test_a', '__admin/ui/?key=test_a'],
    ['/__admin/ui', 'ui/'],
  ])('%s leads to %s', async (path, location) => {
    expect(await get(path)).toMatchObject({ status: 302, headers: { location } });
  });

  test('without the admin API it leads to the reference', async () => {
    expect(await bare.call('GET', '/')).toMatchObject({ status: 302, headers: { location: 'docs' } });
    expect((await bare.call('GET', '/__admin/ui/')).status).toBe(404);
  });
});

describe('the files', () => {
  test('are typed, may run nothing but themselves, and are framed by nobody', async () => {
    const { status, headers } = await get('/__admin/ui/');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  test.each([
    ['js', 'text/javascript; charset=utf-8'],
    ['css', 'text/css; charset=utf-8'],
  ] as const)('the %s is kept for good, as its name changes with it', async (kind, type) => {
    const { status, headers } = await get(await fileNamed(kind));
    expect(status).toBe(200);
    expect(headers['content-type']).toBe(type);
    expect(headers['cache-control']).toContain('immutable');
  });

  test('the page is asked for again and not sent again', async () => {
    const { headers } = await get('/__admin/ui/');
    expect(headers['cache-control']).toBe('no-cache');
    const again = await get('/__admin/ui/', { 'if-none-match': String(headers.etag) });
    expect(again).toMatchObject({ status: 304, text: '' });
  });

  test('the script is small', async () => {
    const { gzipSync } = await import('node:zlib');
    const { text } = await get(await fileNamed('js'));
    expect(gzipSync(text).length).toBeLessThan(60_000);
  });

  test.each(['nothing', '..%2findex.js', '%2e%2e/index.js', 'index.html%00', '.built', '__proto__'])(
    '%s is none of them',
    async (name) => {
      expect((await get(`/__admin/ui/${name}`)).status).toBe(404);
    },
  );
});

describe('a link on another site', () => {
  const foreign = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };

  test.each([
    ['/__admin/ui/', 'document', 'localhost', 200],
    ['/__admin/ui/', 'iframe', 'localhost', 403],
    ['/__admin/outbox', 'document', 'localhost', 403],
    ['/__admin/ui/', 'document', 'evil.example', 403],
  ])('opens the page itself only: %s in a new %s, at %s: %d', async (path, dest, host, status) => {
    expect((await get(path, { ...foreign, 'sec-fetch-dest': dest, host })).status).toBe(status);
  });
});

describe('what is framed', () => {
  const policyOf = async (html: string, query = '') => {
    const key = mock.key();
    await mock.mail(key, { html });
    return mock.call('GET', `/__admin/outbox/msg_000001/preview${query}`, { key });
  };

  test('opens links in a new tab, behind the doctype it came with', async () => {
    expect((await policyOf('<p>Hi')).text).toBe('<base target="_blank"><p>Hi');
    const { text } = await policyOf(' <!DOCTYPE html><p>Hi');
    expect(text).toBe(' <!DOCTYPE html><base target="_blank"><p>Hi');
  });

  test('loads nothing, and images only when they are asked for', async () => {
    const images = async (query: string) =>
      /img-src [^;]*/.exec(String((await policyOf('', query)).headers['content-security-policy']))?.[0];
    expect(await images('')).toBe('img-src data:');
    expect(await images('?images=1')).toBe('img-src data: http: https:');
    expect(await images('?images=0')).toBe('img-src data:');
  });

  test('has the policy of a mail, and links that open without its sandbox', async () => {
    const policy = String((await policyOf('')).headers['content-security-policy']);
    const key = mock.key();
    await mock.mail(key, { html: '' });
    const html = await mock.call('GET', '/__admin/outbox/latest/html', { key });
    const raw = String(html.headers['content-security-policy']);
    expect(policy).toBe(raw.replace('allow-popups', 'allow-popups allow-popups-to-escape-sandbox'));
  });

  test('may be a template', async () => {
    const { status, text } = await mock.call('GET', '/__admin/templates/1/preview');
    expect(status).toBe(200);
    expect(text).toContain('{{first_name}}');
    expect((await mock.call('GET', '/__admin/templates/nothing/preview')).status).toBe(404);
  });
});

describe('the workspaces', () => {
  const names = async (of: typeof mock) => {
    const { body } = await of.call('GET', '/__admin/workspaces', { key: null });
    return body as { default: string | null; workspaces: { key: string }[]; total: number };
  };

  test('are listed with what is in them, the latest first; looking makes none', async () => {
    const key = mock.key();
    await mock.lead(key);
    await mock.call('GET', '/__admin/outbox', { key: mock.key() });
    const { workspaces, default: usual } = await names(mock);
    expect(usual).toBe('test_key');
    expect(workspaces[0]).toEqual({ key, messages: 0, leads: 1, requests: 1 });
  });

  test('a key that may be real is not shown', async () => {
    await listed.lead('secret-of-somebody');
    await listed.lead('test_ours');
    expect(await names(listed)).toEqual({
      default: 'test_ours',
      workspaces: [{ key: 'test_ours', messages: 0, leads: 1, requests: 1 }],
      total: 2,
    });
  });
});
