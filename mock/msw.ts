// `email-leads/msw`: the mock as handlers of MSW 2, in Node.js and in a page with a service worker.
import { type HttpHandler, HttpResponse, http } from 'msw';
import type { Mock as MockInProcess } from './sdk/mock.ts';
import { checkArgument, fieldsSchema } from './validation/schema-errors.ts';

export { type CreateMockOptions, createMock } from './create-mock.ts';
export type { MockInProcess };

export type HandlerOptions = {
  /** The base URL of the service in the app, e.g. `https://mail.example.com`. By default any, for the paths of the service only. */
  readonly baseUrl?: string;
};

/** Handlers for `setupServer` or `setupWorker` that answer like the mock, with its state, faults, clock and outbox. */
export const createHandlers = (
  { fetch }: Pick<MockInProcess, 'fetch'>,
  options: HandlerOptions = {},
): HttpHandler[] => {
  checkArgument('the options of createHandlers', options, fieldsSchema({ baseUrl }));
  const respond = async ({ request }: { readonly request: Request }): Promise<Response> => {
    try {
      return await fetch(withoutPrefix(request));
    } catch (error) {
      // A connection fault, or a request that was aborted and needs no response.
      if (error instanceof TypeError || request.signal.aborted) return HttpResponse.error();
      throw error;
    }
  };
  return [http.all(pathsBelow(options.baseUrl), respond)];
};

const baseUrl = {
  type: 'string',
  pattern: '^(?!.*/api/v1\\b)(/|[Hh][Tt][Tt][Pp][Ss]?://[^/])',
  'x-form': 'a URL like https://mail.example.com or a path, without /api/v1',
};

// Another service of the app may be under /api/v1 too.
const ownPaths = '/api/v1/(?:email|leads)(?:/.*)?$';

/** A regular expression without groups: MSW decodes groups, and would not handle a request whose path cannot be decoded. */
const pathsBelow = (baseUrl: string | undefined): RegExp => {
  const base = baseUrl?.replace(/\/+$/, '').replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const host = base?.startsWith('/') ? '^[a-z]+://[^/]+' : '^';
  return new RegExp(base === undefined ? `^[^?]*${ownPaths}` : `${host}${base}/api/v1(?:/.*)?$`);
};

/** Removes the path of the base URL from a request. */
const withoutPrefix = (request: Request): Request => {
  const { origin, pathname, search } = new URL(request.url);
  const start = pathname.indexOf('/api/v1');
  return start > 0 ? new Request(origin + pathname.slice(start) + search, request) : request;
};
