import { Buffer } from 'node:buffer';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch, type Response } from 'undici';
import { expect } from 'vitest';
import type { Requirements } from './conforming/variant.ts';
import type { RunningDeployment } from './server/types.ts';

export type WalkResponse = {
  readonly status: number;
  readonly bytes: Buffer;
  readonly json: Record<string, unknown>;
};
type RequestOptions = {
  readonly authorization?: string | undefined;
  readonly raw?: string;
};

/** The usual limit of 16 KiB is less than some deployments send. */
const dispatcher = new Agent({ maxHeaderSize: 256 * 1024 });

const parse = (bytes: Buffer) => {
  try {
    return JSON.parse(bytes.toString()) ?? {};
  } catch {
    return {};
  }
};

/** Sends requests, and waits after 429 and 503. */
export const createWalker = ({ url, key }: Pick<RunningDeployment, 'url' | 'key'>) => {
  const request = async (
    method: string,
    path: string,
    body: unknown,
    options: RequestOptions,
  ): Promise<Response> => {
    const authorization = 'authorization' in options ? options.authorization : `Bearer ${key}`;
    const text = options.raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const send = (): Promise<Response> =>
      fetch(`${url}/api/v1${path}`, {
        method,
        redirect: 'manual',
        dispatcher,
        headers: {
          ...(authorization === undefined ? {} : { authorization }),
          ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(text === undefined ? {} : { body: text }),
      });
    // A server may close a connection while a request is on its way: after an idle time, or instead of reading a body.
    const response = await send().catch(send);
    if (response.status !== 429 && response.status !== 503) return response;
    await response.arrayBuffer();
    await sleep(1000);
    return request(method, path, body, options);
  };

  return {
    ask: async (
      method: string,
      path: string,
      body?: unknown,
      requestOptions: RequestOptions = {},
    ): Promise<WalkResponse> => {
      const response = await request(method, path, body, requestOptions);
      const bytes = Buffer.from(await response.arrayBuffer());
      return { status: response.status, bytes, json: parse(bytes) };
    },
  };
};

/** What a request of each kind holds: the documented fields, and what else the deployment requires. */
export const createBodies = (requirements: Requirements, run: string) => ({
  mail: (fields: object = {}) => ({
    subject: `Subject ${run}`,
    from: 'ada@academy.example',
    html: '<p>Hi</p>',
    to: 'grace@academy.example',
    ...requirements.mail,
    ...fields,
  }),
  templateMail: (template: { id?: unknown; variables?: unknown } | undefined, fields: object = {}) => ({
    template_id: template?.id,
    variables: Object.fromEntries(
      (Array.isArray(template?.variables) ? template.variables : []).map((name) => [name, 'x']),
    ),
    ...requirements.templateMail,
    ...fields,
  }),
  lead: (name: string, fields: object = {}) => ({
    name,
    source: `web ${run}`,
    note: `Note on ${name} ${run}`,
    ...requirements.lead,
    ...fields,
  }),
  update: (fields: object) => ({ ...requirements.update, ...fields }),
});

export const leadPath = (answer: WalkResponse): string => {
  const data = answer.json.data as { lead_id?: unknown } | undefined;
  return `/leads/${encodeURIComponent(String(data?.lead_id))}`;
};

type Template = { readonly id: string; readonly variables: readonly string[] };

const expectSuccess = ({ status, json }: WalkResponse, error?: '') => {
  expect({ status, ...json }).toMatchObject({ status: 200, success: true, message: expect.any(String) });
  if (error !== undefined) expect(json.error).toBe(error);
};

const expectRefusal = ({ status, json }: WalkResponse) => {
  expect(json.error).toEqual(expect.any(String));
  expect(status !== 200 || json.success === false || json.error !== '').toBe(true);
};

const utc = expect.stringMatching(
  /^\d{4}-?(\d\d-?\d\d|W\d\d-\d|\d{3})T\d\d:?\d\d(:?\d\d(\.\d+)?)?(Z|\+00:00)$/,
);

/** The first of several path forms (§4.4) that succeeds; one must. */
const firstSuccess = async (requests: readonly (() => Promise<WalkResponse>)[]) => {
  const answers: WalkResponse[] = [];
  for (const ask of requests) answers.push(await ask());
  const success = answers.find(({ status, json }) => status === 200 && json.success === true);
  if (!success) throw new Error(`no path form succeeds: ${answers.map(({ bytes }) => bytes.toString())}`);
  return success;
};

/** Asks each operation once as §4 shows it, and expects what §4 promises. */
export const shortWalk = async (deployment: RunningDeployment, requirements: Requirements): Promise<void> => {
  const { ask } = createWalker(deployment);
  const { mail, templateMail, lead, update } = createBodies(requirements, 'short walk');
  const settle = () => sleep(requirements.settleMs ?? 0);

  expectSuccess(await ask('POST', '/email/send', mail()));
  const list = await firstSuccess(
    ['/email/templates', '/email/template'].map((path) => () => ask('GET', path)),
  );
  expectSuccess(list, '');
  const templates = list.json.data as readonly Template[];
  // The last one too, as the first may be deleted meanwhile.
  const tried = [...templates.slice(0, 1), ...templates.slice(1).slice(-1)];
  for (const template of tried)
    expect(template).toMatchObject({ id: expect.any(String), body: expect.any(String), created_at: utc });
  const asks = tried.flatMap((template) =>
    ['/email/template', '/email/send-template'].map(
      (path) => () => ask('POST', path, templateMail(template)),
    ),
  );
  if (asks.length > 0) expectSuccess(await firstSuccess(asks));

  const sent = { name: 'Grace Hopper', source: 'web', note: 'Met at the fair: "yes"' };
  const added = await ask('POST', '/leads', lead(sent.name, sent));
  expectSuccess(added);
  expect(added.json.data).toMatchObject({ ...sent, lead_id: expect.stringMatching(/./), created_at: utc });
  await settle();
  const updated = await ask('PUT', leadPath(added), update({ note: 'Called back' }));
  expectSuccess(updated, '');
  const { lead_id } = added.json.data as { lead_id: string };
  expect(updated.json.data).toMatchObject({ ...sent, lead_id, note: 'Called back', updated_at: utc });

  expectRefusal(await ask('PUT', leadPath(added), update({ note: 'x' }), { authorization: undefined }));
  expectRefusal(await ask('DELETE', leadPath(added), undefined, { authorization: 'Bearer not-a-key' }));
  expect(deployment.leads()).toBe(1);
  expectSuccess(await ask('DELETE', leadPath(added)), '');
  expect(deployment.leads()).toBe(0);
  await settle();
  expectRefusal(await ask('PUT', leadPath(added), update({ note: 'too late' })));
};
