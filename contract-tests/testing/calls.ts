import { createClient } from '../client/client.ts';
import { createLedger } from '../client/ledger.ts';
import { everythingPermitted } from '../client/permissions.ts';
import type { Call } from '../exchange/exchange.ts';

/** The simplest request: it has no body and changes nothing. */
export const listTemplates: Call = {
  operation: 'listTemplates',
  method: 'GET',
  path: '/api/v1/email/templates',
  credentials: 'key',
  intent: 'complete',
  check: 'templates.list.success',
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
