import { connect, type Socket } from 'node:net';
import { Agent, request } from 'undici';

export type Report = {
  readonly counts: Readonly<Record<string, number>>;
  readonly failures: readonly string[];
};

type Clients = {
  readonly stop: () => Promise<void>;
  /** Holds what is in every workspace against what was accepted. */
  readonly check: () => Promise<Report>;
};

/** What a workspace must hold: kept by its only client, so that nothing is in doubt. */
type Ledger = { readonly key: string; readonly leads: Set<string>; mails: string[]; sent: number };

type Reply = { readonly status: number; readonly body: unknown };

const lanes = 16;
const keptMails = 1000;

/** Clients that do all that a mock is for, and some that behave badly. */
export const startClients = (url: string, workspaces: number): Clients => {
  const agent = new Agent({ connections: 4 * lanes, headersTimeout: 60_000, bodyTimeout: 60_000 });
  const counts: Record<string, number> = {
    requests: 0,
    mails: 0,
    leads: 0,
    faults: 0,
    resets: 0,
    imports: 0,
    waits: 0,
  };
  const failures: string[] = [];
  let running = true;
  const count = (name: string): void => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  const fail = (what: string): void => {
    if (failures.length < 20) failures.push(what);
  };
  const ask = async (key: string, method: string, path: string, body?: object): Promise<Reply> => {
    count('requests');
    const response = await request(url + path, {
      dispatcher: agent,
      method: method as 'GET',
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.body.text();
    return { status: response.statusCode, body: text === '' ? undefined : JSON.parse(text) };
  };
  const expectStatus = async (key: string, method: string, path: string, body?: object, status = 200) => {
    const reply = await ask(key, method, path, body);
    if (reply.status !== status)
      fail(
        `${method} ${path} of ${key} answered ${reply.status}: ${JSON.stringify(reply.body).slice(0, 200)}`,
      );
    return reply;
  };

  const addLead = async (ledger: Ledger): Promise<void> => {
    const { body } = await expectStatus(ledger.key, 'POST', '/api/v1/leads', { name: `Lead ${ledger.sent}` });
    const { lead_id } = (body as { data: { lead_id: string } }).data;
    if (ledger.leads.has(lead_id)) fail(`${ledger.key} gave ${lead_id} twice`);
    ledger.leads.add(lead_id);
    count('leads');
  };
  const sendMail = async (ledger: Ledger, length = 200): Promise<void> => {
    ledger.sent += 1;
    const subject = `${ledger.key} ${ledger.sent}`;
    const body = { subject, from: 'a@example.com', to: 'b@example.com', html: 'я'.repeat(length) };
    await expectStatus(ledger.key, 'POST', '/api/v1/email/send', body);
    ledger.mails.push(subject);
    count('mails');
  };
  const reset = async (ledger: Ledger): Promise<void> => {
    await expectStatus(ledger.key, 'POST', '/__admin/reset');
    ledger.leads.clear();
    ledger.mails = [];
    count('resets');
  };
  const importState = async (ledger: Ledger): Promise<void> => {
    const leads = Array.from({ length: 50 }, (_, number) => ({ lead_id: `imported_${number}`, name: 'x' }));
    const outbox = [{ operation: 'sendEmail', subject: `${ledger.key} imported` }];
    await expectStatus(ledger.key, 'PUT', '/__admin/state', { leads, outbox });
    ledger.leads.clear();
    for (const { lead_id } of leads) ledger.leads.add(lead_id);
    ledger.mails = [`${ledger.key} imported`];
    count('imports');
  };
  const failOnce = async (ledger: Ledger): Promise<void> => {
    await expectStatus(ledger.key, 'PUT', '/__admin/faults', {
      rules: [{ operation: 'addLead', status: 503, times: 1 }],
    });
    await expectStatus(ledger.key, 'POST', '/api/v1/leads', { name: 'lost' }, 503);
    await expectStatus(ledger.key, 'DELETE', '/__admin/faults');
    count('faults');
  };
  const waitForMail = async (ledger: Ledger): Promise<void> => {
    const subject = encodeURIComponent(`${ledger.key} ${ledger.sent + 1}`);
    const wait = expectStatus(ledger.key, 'GET', `/__admin/outbox/wait?subject=${subject}&timeout_ms=30000`);
    await sendMail(ledger);
    await wait;
    count('waits');
  };
  const steps: readonly ((ledger: Ledger) => Promise<void>)[] = [
    ...[addLead, addLead, addLead, sendMail, sendMail, sendMail],
    ...[waitForMail, failOnce, addLead, sendMail],
  ];
  const ledgers: Ledger[] = Array.from({ length: workspaces }, (_, number) => ({
    key: `test_soak_${number}`,
    leads: new Set(),
    mails: [],
    sent: 0,
  }));
  /** Works in turn on the workspaces of a lane, which no other lane shares: so it is known what each must hold. */
  const work = async (lane: number): Promise<void> => {
    const own = ledgers.filter((_, number) => number % lanes === lane);
    for (let turn = 0; running; turn += 1) {
      const ledger = own[turn % own.length];
      if (!ledger) return;
      try {
        for (const step of steps) await step(ledger);
        if (turn % 40 === 0) await sendMail(ledger, 300_000);
        if (turn % 7 === 0) await reset(ledger);
        if (turn % 11 === 0) await importState(ledger);
      } catch (error) {
        fail(`${ledger.key}: ${(error as Error).message}`);
      }
    }
  };
  const silent = startSilentReaders(
    url,
    ledgers.slice(0, 30).map(({ key }) => key),
  );
  const working = Array.from({ length: lanes }, (_, lane) => work(lane));

  const check = async (): Promise<Report> => {
    for (const { key, leads, mails } of ledgers) {
      const state = (await ask(key, 'GET', '/__admin/state')).body as {
        leads: { lead_id: string }[];
        outbox: { subject: string }[];
      };
      const found = state.leads
        .map(({ lead_id }) => lead_id)
        .sort()
        .join();
      if (found !== [...leads].sort().join())
        fail(`${key} has ${state.leads.length} leads instead of ${leads.size}`);
      const subjects = state.outbox.map(({ subject }) => subject).join();
      // The oldest may have been dropped at the limit of all together.
      const expected = mails.slice(-Math.min(keptMails, state.outbox.length)).join();
      if (subjects !== expected || (mails.length > 0 && state.outbox.length === 0))
        fail(`${key} has mails that were not sent, or lacks some`);
    }
    await agent.close();
    return { counts, failures };
  };
  return {
    stop: async () => {
      running = false;
      await Promise.all(working);
      silent.stop();
    },
    check,
  };
};

/** Clients that ask for event streams and never read them, over and over. */
const startSilentReaders = (url: string, keys: readonly string[]): { stop: () => void } => {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let running = true;
  const open = (key: string): void => {
    const socket = connect(Number(port), hostname);
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      sockets.delete(socket);
      if (running) setTimeout(() => open(key), 200);
    });
    socket.pause();
    socket.write(`GET /__admin/events?key=${key} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  };
  for (const key of keys) open(key);
  return {
    stop: () => {
      running = false;
      for (const socket of sockets) socket.destroy();
    },
  };
};
