import { ApiError, quoted } from './errors.ts';
import { nearest } from './questions.ts';
import type { View } from './view.ts';

/** A path without its query, and without the host of an absolute request target. */
export const pathOf = (url: string): string =>
  (url.split('?', 1)[0] ?? url).replace(/^https?:\/\/[^/]*/i, '');

/** 405 where the path exists with other methods, else 404 naming the nearest operation. */
export const unrouted = (
  { method, url }: { readonly method: string; readonly url: string },
  view: View,
): ApiError => {
  const path = pathOf(url);
  const methods = view.methodsAt(path);
  if (methods.length === 0) {
    return new ApiError(
      'route_not_found',
      `there is no path ${quoted(path)}`,
      `Did you mean ${nearestOperation(method, path, view)}? All are listed at /docs.`,
    );
  }
  const allow = allowed(methods);
  return new ApiError('method_not_allowed', `${quoted(path)} has no ${method}`, `It has ${allow}.`, {
    headers: { allow },
  });
};

/** 404 outside the service, with the addresses there are. */
export const elsewhere = (method: string, url: string, admin: boolean, view: View): ApiError => {
  const meant = underThePrefix(pathOf(url), view);
  return new ApiError(
    'route_not_found',
    `there is no ${method} ${quoted(pathOf(url))}`,
    `${meant === undefined ? '' : `Did you mean ${meant}? `}The service is under /api/v1, its reference at /docs${admin ? ', the outbox at /__admin/outbox' : ''}.`,
    { status: 404 },
  );
};

// What a wrong base URL makes of a path: a slash too many, a part of the prefix missing.
const underThePrefix = (path: string, { methodsAt }: View): string | undefined => {
  const segments = path.slice(0, longestCompared).split('/').filter(Boolean);
  return segments
    .map((_, from) => ['/api/v1', ...segments.slice(from)].join('/'))
    .find((candidate) => methodsAt(candidate).length > 0);
};

/** The value of an `Allow` header: HEAD comes with GET, and OPTIONS is answered everywhere. */
export const allowed = (methods: readonly string[]): string =>
  [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].join(', ');

const longestCompared = 200;

const nearestOperation = (method: string, path: string, view: View): string => {
  // Without the names of path parameters, so that `/api/v1/leads/` is nearest to `/api/v1/leads/{id}`.
  const known = new Map(
    view.operations.map((operation) => {
      const name = `${operation.method.toUpperCase()} ${operation.path}`;
      return [name.replaceAll(/\{[^}]+\}/g, ''), name];
    }),
  );
  const found = nearest(`${method} ${path}`.slice(0, longestCompared), [...known.keys()]);
  return known.get(found) ?? found;
};
