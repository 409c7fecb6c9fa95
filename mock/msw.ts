// `email-leads/msw`: the mock as handlers of MSW 2, in Node.js and in a page with a service worker.
import { type HttpHandler, HttpResponse, http } from 'msw';
import type { Mock as MockInProcess } from './sdk/mock.ts';

export { type CreateMockOptions, createMock } from './create-mock.ts';
export type { MockInProcess };

export type HandlerOptions = {
  /** The base URL of the service that the app uses, e.g. `https://mail.example.com`; any by default. */
  readonly baseUrl?: string;
};

/**
 * Handlers for `setupServer` or `setupWorker`, which answer as the mock does. Its state, faults, clock and outbox are those of
 * the mock.
 */
export const createHandlers = (
  { fetch }: Pick<MockInProcess, 'fetch'>,
  { baseUrl }: HandlerOptions = {},
): HttpHandler[] => {
  const respond = async ({ request }: { readonly request: Request }): Promise<Response> => {
    try {
      return await fetch(withoutPrefix(request));
    } catch (error) {
      // A broken connection; an aborted request is nobody's any more.
      if (error instanceof TypeError || request.signal.aborted) return HttpResponse.error();
      throw error;
    }
  };
  return [http.all(pathsBelow(baseUrl), respond)];
};

/** A regular expression without groups: MSW decodes what they match, and lets a request pass whose path cannot be decoded. */
const pathsBelow = (baseUrl: string | undefined): RegExp => {
  const base = baseUrl?.replace(/\/+$/, '').replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const host = base?.startsWith('/') ? '^[a-z]+://[^/]+' : '^';
  return new RegExp(`${host}${base ?? '.*'}/api/v1(?:/.*)?$`);
};

/** The service may be under a path of its host. */
const withoutPrefix = (request: Request): Request => {
  const { origin, pathname, search } = new URL(request.url);
  const start = pathname.indexOf('/api/v1');
  return start > 0 ? new Request(origin + pathname.slice(start) + search, request) : request;
};
