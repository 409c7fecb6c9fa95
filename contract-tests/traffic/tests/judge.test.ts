// Pages in place of JSON: of the service itself, or of what stands in front of it.
import { describe, expect, test } from 'vitest';
import { checks } from '../../checks/index.ts';
import type { ObservedExchange } from '../exchanges/observed.ts';
import { createTrafficSession } from '../session.ts';

const listing: ObservedExchange = {
  method: 'GET',
  target: '/api/v1/email/templates',
  requestHeaders: { authorization: 'Bearer sk_live_4f9c1e7ab2d8' },
  requestBody: { bytes: Buffer.alloc(0) },
  status: 200,
  responseHeaders: { 'content-type': 'application/json', server: 'restify' },
  responseBody: { bytes: Buffer.from('{"success":true,"error":"","data":[],"message":"ok"}') },
  startedAt: 1,
  endedAt: 2,
  overlaps: false,
};

const page = (server: string): ObservedExchange => ({
  ...listing,
  status: 400,
  responseHeaders: { 'content-type': 'text/html', server },
  responseBody: { bytes: Buffer.from('<html><title>Bad Request</title></html>') },
});

describe('an HTML page in place of an error response', () => {
  test('is a finding at once where JSON names the same server', () => {
    const session = createTrafficSession({ checks });
    session.observe(listing);
    const { findings } = session.observe(page('restify'));
    expect(findings.map(({ check }) => check.id)).toEqual(['failures.error']);
  });

  test('is none where another server wrote it', () => {
    const session = createTrafficSession({ checks });
    session.observe(listing);
    expect(session.observe(page('gateway')).findings).toEqual([]);
  });
});

test('one server error among successes makes the operation unstable', () => {
  const session = createTrafficSession({ checks });
  const error = Buffer.from('{"success":false,"error":"please try again","message":""}');
  session.observe(listing);
  session.observe({ ...listing, status: 500, responseBody: { bytes: error } });
  session.observe(listing);
  const { verdicts } = session.run();
  expect(verdicts.find(({ check }) => check.id === 'templates.list.success')).toMatchObject({
    status: 'unstable',
    failure: { actual: expect.stringContaining('500') },
  });
});
