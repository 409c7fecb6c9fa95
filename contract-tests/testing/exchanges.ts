// For tests: calls and exchanges of a client, and exchanges as a proxy or a recording has them.
import { createClient } from '../client/client.ts';
import { RequestFailed } from '../client/errors.ts';
import { createLedger } from '../client/ledger.ts';
import { everythingPermitted } from '../client/permissions.ts';
import { type Call, type Exchange, outcomeOf } from '../exchange/exchange.ts';
import { noBody, type ObservedExchange, readObserved } from '../traffic/exchanges/observed.ts';
import { key } from './command.ts';
import { jsonReply } from './raw-server.ts';

/** The simplest request: it has no body and changes nothing. */
export const listTemplates: Call = {
  operation: 'listTemplates',
  method: 'GET',
  path: '/api/v1/email/templates',
  credentials: 'key',
  intent: 'complete',
  scenario: 'templates.list.success',
};

export const addLead: Call = {
  ...listTemplates,
  operation: 'addLead',
  method: 'POST',
  path: '/api/v1/leads',
  body: '{"name":"A"}',
  contentType: 'application/json',
};

/** A lead that was added, as bytes. */
export const created = jsonReply({ success: true, data: { lead_id: 'L1' }, message: '' });

/** An exchange with this response: an object is JSON, a text is none. */
export const exchangeOf = (status: number, body: unknown, call: Partial<Exchange> = {}): Exchange => {
  const json = typeof body === 'string' ? undefined : body;
  const rawText = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = { 'content-type': 'application/json' };
  return {
    ...listTemplates,
    status,
    json,
    headers,
    size: rawText.length,
    text: rawText,
    rawText,
    byteProblem: undefined,
    outcome: outcomeOf({ status, headers, json }),
    sentAt: 0,
    receivedAt: 1,
    ...call,
  } as Exchange;
};

/** How a request that got no response ended. */
export const endOf = async (sending: Promise<unknown>): Promise<string> => {
  const error = await sending.then(() => 'it was answered').catch((reason: unknown) => reason);
  return error instanceof RequestFailed ? error.kind : String(error);
};

/** A client with every permission, and its ledger. */
export const clientOf = (base: string, options: Partial<Parameters<typeof createClient>[0]> = {}) => {
  const ledger = createLedger();
  const client = createClient({
    base,
    key: 'sk_live_4f9c1e7ab2d8',
    permissions: everythingPermitted,
    ledger,
    timeout: 5000,
    userAgent: 'email-leads-contract/1.2.3 run/abcd1234',
    ...options,
  });
  return { ...client, ledger };
};

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
