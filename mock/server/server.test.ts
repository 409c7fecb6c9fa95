import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { startServer } from './server.ts';

const directory = temporaryDirectory();

test('speaks HTTPS with a certificate and its key', async () => {
  const [tlsCert, tlsKey] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-subj', '/CN=localhost', '-days', '1', '-keyout', tlsKey, '-out', tlsCert],
    ],
    { stdio: 'pipe' },
  );
  const server = await startServer({ tlsCert, tlsKey });
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const url = `${server.url}/api/v1/email/templates`;
  const headers = { authorization: 'Bearer test_key' };
  const templates = await request(url, { dispatcher, headers });
  expect(await templates.body.json()).toMatchObject({ success: true });
  const recording = await request(`${server.url}/__admin/requests.har`, { dispatcher });
  expect(await recording.body.json()).toMatchObject({ log: { entries: [{ request: { url } }] } });
  await dispatcher.close();
  await server.close();
  await expect(startServer({ tlsCert })).rejects.toThrow('--tls-key');
});
