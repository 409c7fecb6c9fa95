// For tests: exchanges as a proxy or a recording has them.
import { noBody, type ObservedExchange, readObserved } from '../traffic/exchanges/observed.ts';
import { key } from './command.ts';

export const json = (value: unknown) => readObserved(Buffer.from(JSON.stringify(value)));

const startedAt = Date.parse('2026-03-02T10:15:30Z');

/** A success with these bodies. */
export const observe = (
  method: string,
  path: string,
  sent: unknown,
  received: object,
  changes: Partial<ObservedExchange> = {},
): ObservedExchange => ({
  method,
  target: `/api/v1/${path}`,
  requestHeaders: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  requestBody: sent === undefined ? noBody : json(sent),
  status: 200,
  responseHeaders: { 'content-type': 'application/json' },
  responseBody: json({ success: true, error: '', message: 'ok', ...received }),
  startedAt,
  endedAt: startedAt + 12,
  overlaps: false,
  ...changes,
});

export const listing = observe('GET', 'email/templates', undefined, { data: [] });
