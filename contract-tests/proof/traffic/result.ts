import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checks } from '../../checks/index.ts';
import { createProxyJournal } from '../../proxy/journal.ts';
import { startProxy } from '../../proxy/server.ts';
import type { ObservedExchange } from '../../traffic/exchanges/observed.ts';
import { readRecordings } from '../../traffic/har.ts';
import { createRecorder } from '../../traffic/record.ts';
import { createTrafficSession, type TrafficSession } from '../../traffic/session.ts';
import type { Requirements } from '../conforming/variant.ts';
import type { Deployment } from '../server/types.ts';
import { everydaySession } from './everyday-session.ts';

/** What the passive judge made of one deployment. */
export type TrafficResult = {
  readonly id: string;
  /** Ids of the checks that found something, with what they found. */
  readonly findings: readonly { readonly check: string; readonly level: string; readonly reason: string }[];
  readonly undecided: readonly string[];
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
  return { id: deployment.id, observed, judged: session.counts.summary().judged, ...outcomeOf(session) };
};

/** What the proxy records with `--record`. */
export const recordObservation = (url: string, observed: readonly ObservedExchange[]): string => {
  const recorder = createRecorder();
  for (const exchange of observed) recorder.add(exchange);
  return recorder.text({ url, version: '0', redact: String });
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
    return outcomeOf(session);
  } finally {
    rmSync(directory, { recursive: true });
  }
};

/** Findings and open checks of a session. */
export const outcomeOf = (session: TrafficSession): Pick<TrafficResult, 'findings' | 'undecided'> => {
  const { verdicts } = session.run();
  return {
    findings: verdicts
      .filter(({ status }) => status === 'fail' || status === 'warn')
      .map(({ check, reason = '' }) => ({ check: check.id, level: check.level, reason })),
    undecided: verdicts
      .filter(({ status }) => status === 'inconclusive')
      .map(({ check, reason }) => `${check.id}: ${reason}`),
  };
};
