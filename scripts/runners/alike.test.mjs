// MSW answers as the mock does over HTTP; `npm run runners` puts the requests beside this file.
import { readFileSync } from 'node:fs';
import { startMock } from 'email-leads';
import { createHandlers, createMock } from 'email-leads/msw';
import { setupServer } from 'msw/node';
import { expect, test } from 'vitest';
import { send } from './send.mjs';

const requests = JSON.parse(readFileSync(new URL('requests.json', import.meta.url), 'utf8'));

test('MSW and HTTP answer alike', async () => {
  const [overHttp, mock] = [await startMock({ admin: false }), createMock()];
  for (const { clock } of [overHttp, mock]) clock.freeze('2026-03-02T10:15:30Z');
  const server = setupServer(...createHandlers(mock, { baseUrl: 'https://mail.example.com' }));
  const expected = await send(requests, overHttp.url);
  server.listen({ onUnhandledRequest: 'bypass' });
  expect(await send(requests, 'https://mail.example.com')).toEqual(expected);
  server.close();
  await overHttp.close();
});
