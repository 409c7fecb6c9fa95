import type { Sent } from './mock-server.ts';

/** What each adapter has to do by itself: addresses, methods, headers and bodies. */
export const adapterRequests: readonly (readonly [method: string, path: string, sent: Sent])[] = [
  ['OPTIONS', '/api/v1/leads', { headers: { 'access-control-request-method': 'POST' } }],
  ['POST', '/api/v1/leads', { body: { name: 'Zoë 𝄞' }, headers: { prefer: 'delay=1', 'x-trace': '1' } }],
  ['PUT', '/api/v1/leads/%6cead_000001', { body: { note: 'x' } }],
  ['PUT', '/api/v1/leads/a%2Fb', { body: { note: 'x' } }],
  ['PUT', '/api/v1/leads/', { body: { note: 'x' } }],
  ['PUT', '/api/v1/leads/%zz', { body: { note: 'x' } }],
  ['PATCH', '/api/v1/leads', { body: { note: 'x' } }],
  ['GET', '/api/v1/email/templates?limit=1&limit=2', {}],
  ['HEAD', '/api/v1/email/templates', {}],
  ['GET', '/api/v1', {}],
  ['GET', '/nothing', {}],
  ['GET', '/api/v1/email/templates', { key: null }],
  ['GET', '/api/v1/email/templates', { headers: { prefer: 'code=503' } }],
  ['POST', '/api/v1/leads', {}],
  ['POST', '/api/v1/leads', { body: '' }],
  ['POST', '/api/v1/leads', { body: '\ufeff{}' }],
  ['POST', '/api/v1/leads', { body: '{"name":' }],
  ['POST', '/api/v1/leads', { body: `"${'x'.repeat(1024 * 1024)}"` }],
  ['POST', '/api/v1/leads', { body: '{}', headers: { 'content-type': 'text/plain' } }],
  ['POST', '/api/v1/leads', { body: '{}', headers: { 'content-encoding': 'gzip' } }],
  ['DELETE', '/api/v1/leads/lead_000001', { headers: { 'content-type': 'application/json' } }],
];
