// Pages in place of JSON: of the service itself, or of what stands in front of it.
import { expect, test } from 'vitest';
import { checks } from '../../checks/index.ts';
import { listing } from '../../testing/observed.ts';
import { readObserved } from '../exchanges/observed.ts';
import { createTrafficSession } from '../session.ts';

const headers = { 'content-type': 'application/json', server: 'restify' };
const page = readObserved(Buffer.from('<html><title>Bad Request</title></html>'));

test.each([
  ['at once where JSON names the same server', 'restify', ['failures.error']],
  ['never where another server wrote it', 'gateway', []],
])('an HTML page in place of an error response is a finding %s', (_when, server, expected) => {
  const session = createTrafficSession({ checks });
  session.observe({ ...listing, responseHeaders: headers });
  const responseHeaders = { 'content-type': 'text/html', server };
  const { findings } = session.observe({ ...listing, status: 400, responseHeaders, responseBody: page });
  expect(findings.map(({ check }) => check.id)).toEqual(expected);
});
