import type { Choices } from './choices.ts';
import type { Letter } from './exchange.ts';

/** What lies outside §4 belongs to whatever stands in front of the service; the document promises nothing there. */
const page = (status: number, text: string): Letter => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  payload: Buffer.from(`<!doctype html><title>${text}</title><h1>${text}</h1><hr><center>nginx</center>\n`),
});

export const elsewhere = (choices: Choices): Letter | undefined => {
  if (choices.elsewhere === 'html') return page(404, '404 Not Found');
  if (choices.elsewhere === 'home-page') return page(200, 'Welcome to the academy');
  if (choices.elsewhere === 'redirect')
    return { status: 302, headers: { location: '/login' }, payload: Buffer.alloc(0) };
  return undefined;
};

/** A browser asks first; the service may or may not answer. */
export const preflight: Letter = {
  status: 204,
  headers: {
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'authorization, content-type',
    'access-control-allow-methods': 'GET, POST, PUT, DELETE',
  },
  payload: Buffer.alloc(0),
};

/** Refuses what comes too fast, as a gateway does: before any key is looked at (§8). */
export const createGate = ({ rate }: Choices): (() => Letter | undefined) => {
  let second = 0;
  let taken = 0;
  return () => {
    const now = Math.floor(Date.now() / 1000);
    if (now !== second) [second, taken] = [now, 0];
    taken += 1;
    if (!rate || taken <= rate.perSecond) return undefined;
    return {
      status: rate.status,
      headers: {
        'content-type': 'application/json',
        ...(rate.retryAfter ? { 'retry-after': rate.retryAfter() } : {}),
      },
      payload: Buffer.from(JSON.stringify({ success: false, error: 'slow down' })),
    };
  };
};
