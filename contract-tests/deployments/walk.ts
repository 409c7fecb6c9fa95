import { Buffer } from 'node:buffer';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Demands } from './conforming/variant.ts';
import type { RunningDeployment } from './deployment.ts';

type Answer = { readonly status: number; readonly bytes: Buffer; readonly json: Record<string, unknown> };
type Asked = { readonly authorization?: string | undefined; readonly raw?: string; readonly type?: string };

const stamp = /"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|\+00:00)"/g;

/** Keeps the form of a recent timestamp and drops its digits; one that is hours away stays as it is. */
const blurTimes = (text: string) =>
  text.replaceAll(stamp, (time) =>
    Math.abs(Date.parse(JSON.parse(time)) - Date.now()) < 300_000 ? time.replaceAll(/\d/g, '0') : time,
  );

const parse = (bytes: Buffer) => {
  try {
    return JSON.parse(bytes.toString()) ?? {};
  } catch {
    return {};
  }
};

/** Asks, waits where told to wait, and writes down what came back; ids and times are blurred, so two runs compare. */
export const createWalker = ({ url, key }: RunningDeployment) => {
  const transcript: string[] = [];
  const ids: string[] = [];
  const blur = (text: string) =>
    ids.reduce((blurred, id) => blurred.replaceAll(`"${id}"`, '"LEAD"'), blurTimes(text));

  const request = async (method: string, path: string, body: unknown, asked: Asked): Promise<Response> => {
    const authorization = 'authorization' in asked ? asked.authorization : `Bearer ${key}`;
    const text = asked.raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(authorization === undefined ? {} : { authorization }),
        ...(text === undefined ? {} : { 'content-type': asked.type ?? 'application/json' }),
      },
      ...(text === undefined ? {} : { body: text }),
    });
    if (response.status !== 429 && response.status !== 503) return response;
    await response.arrayBuffer();
    await sleep(1000);
    return request(method, path, body, asked);
  };

  return {
    transcript,
    ask: async (method: string, path: string, body?: unknown, asked: Asked = {}): Promise<Answer> => {
      const response = await request(method, path, body, asked);
      const bytes = Buffer.from(await response.arrayBuffer());
      const json = parse(bytes);
      const id = method === 'POST' && path === '/leads' ? json.data?.lead_id : undefined;
      if (typeof id === 'string' && id !== '' && !ids.includes(id)) ids.push(id);
      const type = response.headers.get('content-type');
      transcript.push(
        blur(
          `${method} ${path.replace(/^\/leads\/.*/, '/leads/…')} → ${response.status} ${type} ${bytes.toString('latin1')}`,
        ),
      );
      return { status: response.status, bytes, json };
    },
    /** For answers to requests sent together, whose order is not told. */
    sortLast: (count: number) => transcript.push(...transcript.splice(-count).sort()),
  };
};

export type Walker = ReturnType<typeof createWalker>;

/** What a request of each kind holds: the documented fields, and what the deployment demands besides. */
export const createBodies = (demands: Demands, run: string) => ({
  mail: (fields: object = {}) => ({
    subject: `Subject ${run}`,
    from: 'ada@academy.example',
    html: '<p>Hi</p>',
    to: 'grace@academy.example',
    ...demands.mail,
    ...fields,
  }),
  templateMail: (template: { id?: unknown; variables?: unknown } | undefined, fields: object = {}) => ({
    template_id: template?.id,
    variables: Object.fromEntries(
      (Array.isArray(template?.variables) ? template.variables : []).map((name) => [name, 'x']),
    ),
    ...demands.templateMail,
    ...fields,
  }),
  lead: (name: string, fields: object = {}) => ({
    name,
    source: `web ${run}`,
    note: `Note on ${name} ${run}`,
    ...demands.lead,
    ...fields,
  }),
  update: (fields: object) => ({ ...demands.update, ...fields }),
});

export const leadPath = (answer: Answer): string => {
  const data = answer.json.data as { lead_id?: unknown } | undefined;
  return `/leads/${encodeURIComponent(String(data?.lead_id))}`;
};
