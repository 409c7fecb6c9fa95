import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';

// The folder of the built page, relative to a bundled chunk, the bundle's entry, a CommonJS chunk, and this source file.
const candidateFolders = ['../page/', './page/', '../../page/', '../../dist/page/'];

// Scripts and styles from this server only, none inline; frames for mails, which have a policy of their own.
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
  "trusted-types 'none'",
].join('; ');

const commonHeaders = {
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

type PageFile = { readonly body: string; readonly headers: Readonly<Record<string, string>> };

/** The files of the page by name. Read once into a map, so that no path can lead to other files. */
export type PageFiles = ReadonlyMap<string, PageFile>;

/**
 * Reads the files of the page, with the kind of server in its first tag, so that the page needs no request to find out.
 * @returns `undefined` if the page is not built
 */
export const readPageFiles = (server: 'mock' | 'proxy'): PageFiles | undefined => {
  const folder = candidateFolders
    .map((candidate) => new URL(candidate, import.meta.url))
    .find((url) => existsSync(new URL('index.html', url)) && !existsSync(new URL('main.tsx', url)));
  if (!folder) return undefined;
  return new Map(
    readdirSync(folder).map((name) => {
      const text = readFileSync(new URL(name, folder), 'utf8');
      const headers = {
        ...commonHeaders,
        'content-type': types[extname(name)] ?? 'application/octet-stream',
      };
      return [name, { body: text.replace('<html ', `<html data-server="${server}" `), headers }];
    }),
  );
};
