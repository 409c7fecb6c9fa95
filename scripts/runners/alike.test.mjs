// MSW answers as the mock does over HTTP; `npm run runners` puts the requests beside this file.
import { readFileSync } from 'node:fs';
import { startMock } from 'email-leads';
import { createHandlers, createMock } from 'email-leads/msw';
import { setupServer } from 'msw/node';
import { expect, test } from 'vitest';

const requests = JSON.parse(readFileSync(new URL('requests.json', import.meta.url), 'utf8'));

const ownHeaders = ['date', 'connection', 'keep-alive', 'transfer-encoding'];

const send = async (requests, baseUrl) => {
  const responses = [];
  for (const [method, path, { key = 'test_key', headers = {}, body }] of requests) {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: typeof body === 'object' ? JSON.stringify(body) : body,
    });
    const text = await response.text();
    const common = [...response.headers].filter(([name]) => !ownHeaders.includes(name)).sort();
    responses.push({ method, path, status: response.status, headers: common, text });
  }
  return responses;
};

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
