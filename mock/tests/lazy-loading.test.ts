import { expect, test } from 'vitest';
import { bin, runNode } from '../testing/cli-process.ts';
import { exchange } from '../testing/mock-server.ts';

// Names every module on stderr when it is loaded: ES modules by a loader hook, CommonJS by its own loader.
const hook = `
  export const load = (url, context, next) => { process._rawDebug('loaded ' + url); return next(url, context); };
`;
const preload = `
  import { Module, register } from 'node:module';
  register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hook)}`)});
  const { _load } = Module;
  Module._load = function (name, ...rest) { process._rawDebug('loaded ' + name); return _load.call(this, name, ...rest); };
`;
const args = ['--import', `data:text/javascript,${encodeURIComponent(preload)}`, bin, 'mock', '--port', '0'];

const heavy = { docs: /swagger-ui/, yaml: /\byaml\b/, ajv: /\bajv\/|@apidevtools/ };

test('what is heavy is loaded when it is asked for', async () => {
  const child = runNode(args);
  const url = await child.printed(/(http:\/\/127[\d.]+:\d+)/);
  const loaded = (): string[] =>
    Object.entries(heavy).flatMap(([name, pattern]) => (pattern.test(child.stderr()) ? [name] : []));
  const call = async (method: string, path: string, body?: object) =>
    expect((await exchange(url + path, method, body ? { body } : {})).status).toBe(200);
  await call('POST', '/api/v1/leads', { name: 'Lena' });
  await call('POST', '/api/v1/email/send', { subject: 'Hi', from: 'a@example.com', html: '' });
  await call('GET', '/__admin/outbox/latest');
  await call('GET', '/openapi.json');
  await exchange(`${url}/api/v1/leads`, 'POST', { body: {} });
  expect(child.stderr()).toContain('loaded ');
  expect(loaded()).toEqual([]);
  await call('GET', '/openapi.yaml');
  expect(loaded()).toEqual(['yaml']);
  await call('GET', '/docs');
  expect(loaded()).toEqual(['docs', 'yaml']);
  child.process.kill();
});
