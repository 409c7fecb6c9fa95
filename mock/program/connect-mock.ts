import { URL } from 'node:url';
import type { ClockChange, ClockReading } from '../clock.ts';
import type { FaultState } from '../faults.ts';
import { type AdminClient, adminClient } from './admin-client.ts';
import { checkFields, shown, text } from './check-fields.ts';
import { advanceBy, frozenAt, timeText } from './clock-access.ts';
import { remoteOutbox } from './remote-outbox.ts';
import { remoteRequests } from './remote-requests.ts';
import type { RemoteWorkspace } from './remote-workspace.ts';

export type ConnectOptions = {
  /** The key whose workspace it is; `test_key` by default. Tests that run side by side each take one of their own. */
  readonly apiKey?: string;
};

/**
 * A workspace of a mock that runs in another process, for tests that do not start it themselves. Nothing is asked of the mock
 * before a method is called.
 * @param url base URL of the mock, e.g. `http://127.0.0.1:4010`
 * @throws TypeError for what is no URL
 */
export const connectMock = (url: string, options: ConnectOptions = {}): RemoteWorkspace => {
  if (!URL.canParse(url) || !/^https?:/i.test(url))
    throw new TypeError(`the URL of a mock is, for example, http://127.0.0.1:4010, not ${shown(url)}`);
  checkFields('the options of connectMock', options, { apiKey: text });
  const { apiKey = 'test_key' } = options;
  const base = url.replace(/\/+$/, '');
  const client = adminClient(base, apiKey);
  const { call, tell } = client;
  return {
    url: base,
    apiKey,
    outbox: remoteOutbox(client),
    requests: remoteRequests(client),
    faults: {
      set: (rules) => tell('PUT', '/faults', { body: { rules: [rules].flat() } }),
      list: async () => (await call<{ rules: FaultState[] }>('GET', '/faults')).rules,
      clear: () => tell('DELETE', '/faults'),
    },
    clock: remoteClock(client),
    answers: {
      get: () => call('GET', '/answers'),
      set: (changes) => tell('PATCH', '/answers', { body: changes }),
    },
    seed: (data) => tell('PUT', '/state', { query: { seed: true }, body: data }),
    state: () => call('GET', '/state'),
    reset: () => tell('POST', '/reset'),
  };
};

const remoteClock = ({ call, tell }: AdminClient): RemoteWorkspace['clock'] => {
  const now = (): Promise<ClockReading> => call('GET', '/clock');
  const change = (body: ClockChange): Promise<void> => tell('PUT', '/clock', { body });
  return {
    now,
    freeze: async (at) => change(frozenAt(at)),
    set: async (time) => change({ now: timeText('set', time), frozen: (await now()).frozen }),
    advance: async (ms) => change(advanceBy(ms)),
    reset: () => tell('DELETE', '/clock'),
  };
};
