import { createClient } from '../client/client.ts';
import { RequestFailed } from '../client/errors.ts';
import { createLedger } from '../client/ledger.ts';
import { everythingPermitted } from '../client/permissions.ts';
import { type Call, type Exchange, outcomeOf } from '../exchange/exchange.ts';
import { jsonReply } from './raw-server.ts';

/** The simplest request: it has no body and changes nothing. */
export const listTemplates: Call = {
  operation: 'listTemplates',
  method: 'GET',
  path: '/api/v1/email/templates',
  credentials: 'key',
  intent: 'complete',
  check: 'templates.list.success',
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
  return {
    ...listTemplates,
    status,
    json,
    headers: { 'content-type': 'application/json' },
    size: rawText.length,
    text: rawText,
    rawText,
    byteProblem: undefined,
    outcome: outcomeOf(status, json),
    sentAt: 0,
    receivedAt: 1,
    ...call,
  } as Exchange;
};

/** How a request that got no response ended. */
export const ending = async (sending: Promise<unknown>): Promise<string> => {
  const error = await sending.then(
    () => new Error('it was answered'),
    (reason: unknown) => reason,
  );
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
    environment: {},
    ...options,
  });
  return { ...client, ledger };
};
