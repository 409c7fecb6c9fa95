// For tests of commands: a deployment, and a session of the proxy in front of it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startInProcess } from '../../mock/testing/in-process.ts';
import { exchange } from '../../mock/testing/mock-server.ts';
import { runProxyCommand } from '../cli/proxy.ts';
import { type BehaviourOverrides, createService } from '../proof/server/server.ts';
import type { Mutation } from '../proof/server/types.ts';

/** The key of every service here. */
export const key = 'sk_live_4f9c1e7ab2d8463095be';
export const withKey = { EMAIL_LEADS_API_KEY: key };

/** A service that runs until the test ends. */
export const serve = async (mutation: Mutation = {}, behaviour: BehaviourOverrides = {}) => {
  const service = await createService({ key, ...behaviour }, mutation).start();
  onTestFinished(service.close);
  return service;
};

/** The files below a directory. */
export const filesIn = (directory: string): (readonly [name: string, text: string])[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => [name, readFileSync(join(parentPath, name), 'utf8')]);

/** `proxy` on a free port in front of a deployment, ready for requests. */
export const startProxySession = async (upstream: string, flags: string[] = [], environment = {}) => {
  const args = ['--upstream', upstream, '--port', '0', ...flags];
  const running = startInProcess(runProxyCommand, args, environment);
  const url = await running.printed(/(http:\/\/127\.0\.0\.1:\d+) forwards to/);
  /** Ends the session as a client does; resolves with its report. */
  const end = async (): Promise<unknown> => {
    const report = await (await fetch(`${url}/__admin/report`, { method: 'POST' })).json();
    await running.ended;
    return report;
  };
  return { ...running, url, end };
};

/** An app that calls a deployment with the key; resolves with the parsed response. */
export const call = async (url: string, method: string, path: string, body?: object, apiKey = key) => {
  const response = await exchange(`${url}/api/v1${path}`, method, { key: apiKey, ...(body && { body }) });
  return response.body as { readonly data: { readonly lead_id: string } };
};
