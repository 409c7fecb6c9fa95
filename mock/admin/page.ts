import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { AdminError, type AdminReply, type AdminRoute } from './route.ts';

// Where the built page is, from a bundled chunk, from the bundle's entry, and from this source.
const places = ['../page/', './page/', '../../dist/page/'];

// Scripts and styles from here only, and none in the file itself; frames for mails, which bring a policy of their own.
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types inert',
].join('; ');

const standing = {
  'content-security-policy': pagePolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

type File = { readonly body: string; readonly headers: Readonly<Record<string, string>> };

/** The outbox page for people. Read on the first visit, kept in memory, found by name in a map: no path leads elsewhere. */
export const pageRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/ui',
    run: () => ({ status: 302, headers: { location: 'ui/' }, body: '' }),
  },
  { method: 'GET', path: '/ui/', run: ({ headers }) => serve('index.html', headers['if-none-match']) },
  {
    method: 'GET',
    path: '/ui/:file',
    run: ({ params, headers }) => serve(params.file ?? '', headers['if-none-match']),
  },
];

/** Somebody opens the page, by whatever link: the file holds nothing of anybody, and may not be framed. */
export const isVisit = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): boolean =>
  method === 'GET' &&
  /^\/__admin\/ui\/?$/.test(path) &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document';

let files: ReadonlyMap<string, File> | undefined;

const serve = (name: string, known: string | undefined): AdminReply => {
  files ??= load();
  const file = files.get(name);
  if (!file) throw new AdminError(404, 'the page has no such file', 'It begins at /__admin/ui/.');
  if (known?.split(/\s*,\s*/).includes(file.headers.etag ?? ''))
    return { status: 304, headers: file.headers, body: '' };
  return file;
};

const load = (): ReadonlyMap<string, File> => {
  const folder = places
    .map((place) => new URL(place, import.meta.url))
    .find((url) => existsSync(new URL('index.html', url)) && !existsSync(new URL('main.tsx', url)));
  if (!folder) throw new AdminError(503, 'the page is not built', 'Run npm run build.');
  const names = readdirSync(folder);
  const version = names.find((name) => name.endsWith('.js')) ?? '';
  return new Map(
    names.map((name) => {
      const type = types[extname(name)] ?? 'application/octet-stream';
      // The names of the others change with what is in them.
      const kept = name === 'index.html' ? 'no-cache' : 'private, max-age=31536000, immutable';
      const headers = { ...standing, 'content-type': type, etag: `"${version}"`, 'cache-control': kept };
      return [name, { body: readFileSync(new URL(name, folder), 'utf8'), headers }];
    }),
  );
};
