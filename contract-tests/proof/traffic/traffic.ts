import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch } from 'undici';
import { checks } from '../../checks/index.ts';
import { readFaults } from '../../proxy/faults.ts';
import { createProxyJournal } from '../../proxy/journal.ts';
import { startProxy } from '../../proxy/server.ts';
import type { ObservedExchange } from '../../traffic/exchanges/observed.ts';
import { readRecordings } from '../../traffic/har.ts';
import { createRecorder } from '../../traffic/record.ts';
import { createTrafficSession } from '../../traffic/session.ts';
import type { Requirements } from '../conforming/variant.ts';
import type { Deployment, RunningDeployment } from '../server/types.ts';
import { outcomeOf, type SuiteResult } from '../suite-result.ts';

type AppResponse = { readonly status: number; readonly json: Record<string, unknown> };
type AskOptions = { readonly authorization?: string | undefined; readonly raw?: string };

/** The usual limit of 16 KiB is less than some deployments send. */
const dispatcher = new Agent({ maxHeaderSize: 256 * 1024 });

const parse = (text: string) => {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
};

/** Sends a request, and again after 429 and 503. */
const createAsk =
  ({ url, key }: Pick<RunningDeployment, 'url' | 'key'>) =>
  async (method: string, path: string, body?: unknown, options: AskOptions = {}): Promise<AppResponse> => {
    const { authorization, raw } = { authorization: `Bearer ${key}`, ...options };
    const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const headers = {
      ...(authorization === undefined ? {} : { authorization }),
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const request = { method, redirect: 'manual', dispatcher, headers, body: text ?? null } as const;
    const send = () => fetch(`${url}/api/v1${path}`, request);
    for (;;) {
      // A server may close a connection while a request is on its way: after an idle time, or instead of reading a body.
      const response = await send().catch(send);
      const received = await response.text();
      if (response.status !== 429 && response.status !== 503)
        return { status: response.status, json: parse(received) };
      await sleep(1000);
    }
  };

type Template = { readonly id?: unknown; readonly variables?: unknown };

/** What a request of each kind holds: the documented fields, and what else the deployment requires. */
const createBodies = (requirements: Requirements) => ({
  mail: () => ({
    subject: 'Subject today',
    from: 'ada@academy.example',
    html: '<p>Hi</p>',
    to: 'grace@academy.example',
    ...requirements.mail,
  }),
  templateMail: (template: Template | undefined) => ({
    template_id: template?.id,
    variables: Object.fromEntries(
      (Array.isArray(template?.variables) ? template.variables : []).map((name) => [name, 'x']),
    ),
    ...requirements.templateMail,
  }),
  lead: (name: string, fields: object = {}) => ({
    name,
    source: 'web today',
    note: `Note on ${name} today`,
    ...requirements.lead,
    ...fields,
  }),
  update: (fields: object) => ({ ...requirements.update, ...fields }),
});

const leadPath = (answer: AppResponse): string => {
  const data = answer.json.data as { lead_id?: unknown } | undefined;
  return `/leads/${encodeURIComponent(String(data?.lead_id))}`;
};

type Ask = ReturnType<typeof createAsk>;
type Bodies = ReturnType<typeof createBodies>;

const isSuccess = ({ status, json }: AppResponse): boolean => status === 200 && json.success === true;

/** What people write into forms. */
const texts = [
  'Met at the fair',
  'Called; wants the evening course',
  `She said "yes" & it's 100 % <b>sure</b>`,
  'first line\nsecond line',
  'Zoë Müller 🎨 漢字',
  'a  b   c',
  '12345',
  'true',
  'x'.repeat(40),
  'desk@example.com, https://example.com/a?b=1',
  '007',
  'ten € – “fifty” … 100%25 a+b',
];

const templatesIn = ({ json }: AppResponse): readonly Template[] =>
  Array.isArray(json.data) ? json.data.filter((item) => typeof item === 'object' && item !== null) : [];

/** Returns the first template. */
const listAndSend = async (ask: Ask, bodies: Bodies): Promise<Template | undefined> => {
  let templates: readonly Template[] = [];
  for (let round = 0; round < 6; round += 1) {
    const list = await ask('GET', round % 2 === 0 ? '/email/templates' : '/email/template');
    if (templatesIn(list).length > 0) templates = templatesIn(list);
  }
  for (let round = 0; round < 4; round += 1) await ask('POST', '/email/send', bodies.mail());
  const chosen = [...templates.slice(0, 2), ...templates.slice(-1)];
  for (const template of [...chosen, ...chosen, ...chosen])
    for (const path of ['/email/template', '/email/send-template'])
      await ask('POST', path, bodies.templateMail(template));
  for (let round = 0; round < 2; round += 1)
    for (const path of ['/email/templates', '/email/template']) await ask('GET', path);
  return templates[0];
};

const workWithLeads = async (ask: Ask, bodies: Bodies, settle: () => Promise<void>): Promise<void> => {
  const added: AppResponse[] = [];
  for (const [index, note] of texts.entries())
    added.push(await ask('POST', '/leads', bodies.lead(`Lead ${index} Zoë O'Brien`, { note })));
  added.push(
    ...(await Promise.all(
      ['A', 'B', 'C', 'D'].map((letter) => ask('POST', '/leads', bodies.lead(`Together ${letter}`))),
    )),
  );
  await settle();
  const paths = added.filter(isSuccess).map(leadPath);
  for (const round of [1, 2, 3])
    for (const [index, path] of paths.entries())
      await ask('PUT', path, bodies.update({ note: `${texts[index % texts.length]} ${round}` }));
  for (const path of paths) await ask('PUT', path, bodies.update({ source: 'Spring fair' }));
  for (const path of paths.slice(0, 3)) {
    await ask('PUT', path, bodies.update({ name: 'New name', note: 'with a name' }));
    await ask('PUT', path, bodies.update({ source: 'New source' }));
    await ask('PUT', path, bodies.update({ note: '' }));
    await ask('PUT', path, bodies.update({ note: 'again' }));
    await ask('PUT', path, bodies.update({ note: 'again' }));
    await ask('PUT', path, bodies.update({ note: 'with an email', email: 'lena@example.com' }));
    await ask('PUT', path, bodies.update({ note: 'nobody' }), { authorization: undefined });
    await ask('DELETE', path, undefined, { authorization: undefined });
    await ask('PUT', path, bodies.update({ note: 'somebody' }));
  }
  await Promise.all(
    paths.slice(0, 4).map((path, index) => ask('PUT', path, bodies.update({ note: `at once ${index}` }))),
  );
  const gone = paths.filter((_, index) => index % 2 === 0);
  for (const path of gone) await ask('DELETE', path);
  await settle();
  for (const path of paths) await ask('PUT', path, bodies.update({ note: 'after deletions' }));
  for (const path of gone.slice(0, 2)) await ask('DELETE', path);
  for (const name of ['Late', 'Later']) {
    const late = await ask('POST', '/leads', bodies.lead(name));
    await settle();
    if (!isSuccess(late)) continue;
    await ask('PUT', leadPath(late), bodies.update({ note: 'late' }));
    await ask('DELETE', leadPath(late));
  }
  for (const path of paths.filter((_, index) => index % 2 === 1)) await ask('DELETE', path);
};

/** What an app gets wrong now and then. */
const makeMistakes = async (ask: Ask, bodies: Bodies, template: Template | undefined): Promise<void> => {
  const none = { authorization: undefined };
  await ask('GET', '/email/templates', undefined, none);
  await ask('POST', '/email/send', bodies.mail(), none);
  await ask('POST', '/leads', bodies.lead('Nobody'), none);
  await ask('PUT', '/leads/unknown-lead', { note: 'x' }, none);
  await ask('DELETE', '/leads/unknown-lead', undefined, none);
  for (const authorization of ['Bearer not-a-key', 'Bearer null', 'Bearer', 'Basic eDp5'])
    for (const path of ['/email/templates', '/email/template'])
      await ask('GET', path, undefined, { authorization });
  for (const path of ['/email/template', '/email/send-template'])
    await ask('POST', path, bodies.templateMail(template), none);
  await ask('POST', '/leads', bodies.lead('Basic'), { authorization: 'Basic eDp5' });
  await ask('POST', '/leads', undefined, { raw: '{"name":' });
  await ask('POST', '/leads', bodies.lead('Wrong', { note: 5 }));
  await ask('POST', '/leads', bodies.lead('With email', { email: 'lena@example.com' }));
  await ask('POST', '/email/send', { subject: 5 });
  await ask('POST', '/email/template', bodies.templateMail({ id: 'no-such-template', variables: [] }));
  await ask('PUT', '/leads/unknown-lead', bodies.update({ note: 'x' }));
  await ask('DELETE', '/leads/unknown-lead');
  await ask('GET', '/contacts');
  await ask('PATCH', '/leads/unknown-lead', { note: 'x' });
};

/** The traffic of an app in daily use, with its mistakes; asserts nothing. */
const everydaySession = async (
  deployment: Pick<RunningDeployment, 'url' | 'key'>,
  requirements: Requirements = {},
): Promise<void> => {
  const ask = createAsk(deployment);
  const bodies = createBodies(requirements);
  const template = await listAndSend(ask, bodies);
  await workWithLeads(ask, bodies, () => sleep(requirements.settleMs ?? 0));
  await makeMistakes(ask, bodies, template);
};

/** What the passive judge made of one deployment. */
export type TrafficResult = Pick<SuiteResult, 'findings' | 'undecided'> & {
  readonly id: string;
  readonly judged: number;
  readonly observed: readonly ObservedExchange[];
};

type Subject = Deployment & { readonly requirements?: Requirements };

/** Puts a proxy before a deployment, lets an app work through it, and says what the proxy found. */
export const judgeTraffic = async (deployment: Subject): Promise<TrafficResult> => {
  const running = await deployment.start();
  const { settleMs = 0 } = deployment.requirements ?? {};
  const session = createTrafficSession({ checks, lagMs: settleMs });
  const observed: ObservedExchange[] = [];
  const proxy = await startProxy({
    upstream: new URL(running.url),
    host: '127.0.0.1',
    port: 0,
    allowedHosts: [],
    onReport: async () => ({}),
    journal: createProxyJournal(session.redact),
    page: undefined,
    faults: readFaults(),
    onExchange: (exchange) => {
      observed.push(exchange);
      session.observe(exchange);
      return undefined;
    },
  });
  try {
    await everydaySession({ url: proxy.url, key: running.key }, deployment.requirements);
  } finally {
    await proxy.close();
    await running.close();
  }
  return {
    id: deployment.id,
    observed,
    judged: session.counts.summary().judged,
    ...outcomeOf(session.run()),
  };
};

/** What the proxy records with `--record`. */
export const recordObservation = (url: string, observed: readonly ObservedExchange[]): string => {
  const recorder = createRecorder();
  for (const exchange of observed) recorder.add(exchange);
  return recorder.text({ url, redact: String });
};

/** What a recording in HAR shows. */
export const judgeRecording = (har: string): Pick<TrafficResult, 'findings' | 'undecided'> => {
  const directory = mkdtempSync(join(tmpdir(), 'email-leads-har-'));
  try {
    const file = join(directory, 'session.har');
    writeFileSync(file, har);
    const { exchanges, keysUnknown, lagMs } = readRecordings([file]);
    const session = createTrafficSession({ checks, keysUnknown, lagMs });
    for (const exchange of exchanges) session.observe(exchange);
    return outcomeOf(session.run());
  } finally {
    rmSync(directory, { recursive: true });
  }
};
