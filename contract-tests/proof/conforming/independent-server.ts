import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { RunningDeployment } from '../server/types.ts';

type Row = [id: string, name: string, source: string, note: string];
type Body = Record<string, unknown>;
class Refusal extends Error {}

const key = 'ak.live.Zm9vYmFyYmF6cXV4';
const moment = () => `${new Date().toISOString().slice(0, 19)}Z`;
const letters = [
  ['100', 'Invoice', 'Dear {{customer}}, you owe {{amount}}.', 'customer amount'],
  ['200', 'Thanks', 'Thank you, {{customer}}!', 'customer'],
] as const;

const requireFields = (body: Body, ...names: string[]) =>
  names.map((name) => {
    const value = body[name];
    if (typeof value !== 'string') throw new Refusal(`${name}: expected a string`);
    return value;
  });

/**
 * The document read a second time, by another hand: one table of patterns, rows as tuples, refusals thrown.
 * Shares nothing with `createService`, so that a habit of that service is not taken for the document.
 */
export const startIndependentServer = async (): Promise<RunningDeployment> => {
  let rows: Row[] = [];
  const mails: (string | null)[] = [];
  const row = (id: string) => {
    const match = rows.find(([rowId]) => rowId === id);
    if (!match) throw new Refusal('lead: not found');
    return match;
  };
  const shown = ([lead_id, name, source, note]: Row) => ({ lead_id, name, source, note });
  const post = (to: unknown) => mails.push(typeof to === 'string' ? to : null);

  const table: [pattern: RegExp, run: (body: Body, id: string) => object][] = [
    [
      /^POST \/api\/v1\/email\/send$/,
      (body) => {
        requireFields(body, 'html');
        post(body.to);
        return { message: 'queued' };
      },
    ],
    [
      /^GET \/api\/v1\/email\/templates$/,
      () => ({
        error: '',
        message: '',
        data: letters.map(([id, name, body, names]) => ({
          id,
          name,
          body,
          variables: names.split(' '),
          created_at: '2023-11-30T23:00:00Z',
        })),
      }),
    ],
    [
      /^POST \/api\/v1\/email\/(?:send-)?template$/,
      (body) => {
        const [id] = requireFields(body, 'template_id');
        if (!letters.some((letter) => letter[0] === id)) throw new Refusal('template_id: unknown');
        post(body.to);
        return { message: 'queued' };
      },
    ],
    [
      /^POST \/api\/v1\/leads$/,
      (body) => {
        const [name = '', source = '', note = ''] = requireFields(
          { source: '', note: '', ...body },
          'name',
          'source',
          'note',
        );
        const added: Row = [randomBytes(9).toString('base64url'), name, source, note];
        rows = [added, ...rows];
        return { message: 'added', data: { ...shown(added), created_at: moment() } };
      },
    ],
    [
      /^PUT \/api\/v1\/leads\/([\w-]+)$/,
      (body, id) => {
        const match = row(id);
        if ('note' in body) [match[3]] = requireFields(body, 'note') as [string];
        return { error: '', message: 'updated', data: { ...shown(match), updated_at: moment() } };
      },
    ],
    [
      /^DELETE \/api\/v1\/leads\/([\w-]+)$/,
      (_, id) => {
        const match = row(id);
        rows = rows.filter((candidate) => candidate !== match);
        return { error: '', message: 'deleted' };
      },
    ],
  ];

  const parsed = (source: string): Body => {
    const value: unknown = source ? JSON.parse(source) : {};
    if (Object.prototype.toString.call(value) !== '[object Object]')
      throw new Refusal('body: expected an object');
    return value as Body;
  };
  const reply = (response: ServerResponse, status: number, body: object) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));

  const server = createServer(async (request, response) => {
    const source = await text(request);
    if (request.headers.authorization !== `Bearer ${key}`)
      return reply(response, 403, { error: 'forbidden' });
    const line = `${request.method} ${request.url?.split('?')[0]}`;
    for (const [pattern, run] of table) {
      const [matched, id = ''] = pattern.exec(line) ?? [];
      if (matched === undefined) continue;
      try {
        return reply(response, 200, { ...run(parsed(source), id), success: true });
      } catch (problem) {
        const known = problem instanceof Refusal || problem instanceof SyntaxError;
        return reply(response, known ? 400 : 500, { success: false, error: (problem as Error).message });
      }
    }
    return reply(response, 404, { error: 'no such route' });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key,
    leads: () => rows.length,
    mails: () => mails,
    close: async () => {
      server.close().closeAllConnections();
      await once(server, 'close');
    },
  };
};
