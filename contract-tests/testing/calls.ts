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
