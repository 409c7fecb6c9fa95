// The script of a finding, run as it is, on the broken server and on the same one without its defect.
import { execFile } from 'node:child_process';
import { expect } from 'vitest';
import type { Exchange } from '../../exchange/exchange.ts';
import { buildReport } from '../../reports/build-report.ts';
import { findingsOf } from '../../reports/items.ts';
import { stepsOf } from '../../reports/replay/steps.ts';
import type { Run } from '../../runner/run.ts';
import type { BrokenDeployment } from '../broken/mutation.ts';
import { conformingVariants } from '../conforming/index.ts';
import { createService } from '../server/server.ts';
import type { RunningDeployment } from '../server/types.ts';
import type { SuiteResult } from '../suite-result.ts';

type Replay = {
  readonly script: string;
  /** The response that is wrong. */
  readonly evidence: Exchange;
};

/** The script of the first finding of a run. */
const replayOf = (run: Run, url: string): Replay => {
  const target = { kind: 'deployment', url, key: '', close: async () => undefined } as const;
  const report = buildReport({ target, run });
  const [cause] = findingsOf(report);
  const script = cause?.first.replay;
  const verdict = run.verdicts.find(({ check }) => check.id === cause?.first.id);
  const evidence = verdict?.failure && stepsOf(verdict.failure, run).exchanges.at(-1);
  if (!script || !evidence) throw new Error(`no script: ${report.verdict.headline}`);
  return { script, evidence };
};

type Played = { readonly code: number; readonly output: string };

const play = (script: string, { url, key }: RunningDeployment): Promise<Played> =>
  new Promise((resolve) => {
    const environment = { PATH: process.env.PATH, EMAIL_LEADS_API_KEY: key };
    const child = execFile('sh', { env: environment, encoding: 'utf8' }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: `${stdout}${stderr}` }),
    );
    child.stdin?.end(script.replace(/^base=.*$/m, `base='${url.replace(/\/$/, '')}'`));
  });

/** The server without its defect. */
const mendedOf = ({ base }: BrokenDeployment) =>
  createService(conformingVariants.find(({ id }) => id === base)?.behaviour);

/** What a script shows as wrong, or where it cannot compare it, as the last response. */
const shownIn = (output: string): string[] =>
  [...output.matchAll(/<- the (?:wrong response|response to compare)\n([\s\S]*?)(?=\n\n== |\n$|$)/g)].map(
    ([, shown]) => shown ?? '',
  );

const time = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?|\b\d{10,13}\b|\d\d:\d\d(:\d\d)?/g;

/** A response without what differs from run to run: ids and times. */
const likeness = (status: string, body: string): string => {
  const stable = body
    .replace(/[^\P{Cc}\n\t]|^\ufffd\ufffd|\ufeff/gu, '')
    .replace(time, '<time>')
    .replace(/("lead_id": *)("[^"]*"|\d+)/g, '$1<id>')
    .replace(/\b[0-9a-f-]{12,}\b|\b(?=\w*\d)\w{6,}\b/gi, '<id>');
  return `${status} ${stable.trim()}`;
};

const responseIn = (shown: string): string => {
  const [head = '', ...rest] = shown.split('\n\n');
  return likeness(/^HTTP\S+ (\d+)/.exec(head)?.[1] ?? '?', rest.join('\n\n'));
};

/** Of requests that are sent at once nobody knows which comes first, and some servers count: their numbers are nothing to compare. */
const withoutNumbers = (response: string): string =>
  response.slice(0, 4) + response.slice(4).replaceAll(/\d+/g, '#');

/** There a second deletion brings a lead back, and a script deletes at its end what its steps have deleted. */
const restoring = 'Deleting twice is deleting never';

/** A script cannot show these. */
const notComparable: ReadonlySet<string> = new Set([
  // It shows in two requests at the same time.
  'Takes any key while a request with the right one is handled',
  // Only a wrong key, which a script does not send again, stores the lead that the list shows, or has the next request refused.
  'Stores a lead that it refuses for its key',
  // They show after more requests than a script sends, or in every second or third response.
  'Every second list of templates is a 304',
  'Every second deletion has no message',
  'Every fourth template mail is refused',
  'Every fifth lead is refused at 200',
  'Every third valid mail is refused',
  'Stores a lead that it refuses for its fields',
  // Every response is another one.
  'Every list has other ids of its templates, and those of the list before are unknown',
]);

/** What a script says where another response shows nothing. */
const nowAndThen = 'in the run, the wrong one came only now and then';

/** The script shows the wrong response again, and says that it does not come from a server that is mended. */
export const expectReplay = async (
  deployment: BrokenDeployment,
  { run, url, left }: SuiteResult,
): Promise<void> => {
  if (run === undefined || notComparable.has(deployment.id)) return;
  const { script, evidence } = replayOf(run, url);
  const fresh = await deployment.start();
  const mended = await mendedOf(deployment).start();
  try {
    const { code, output } = await play(script, fresh);
    expect([0, 3], output).toContain(code);
    const onMended = await play(script, mended);
    expect(onMended.code, `on a mended server\n${script}\n${onMended.output}`).not.toBe(0);
    const wanted = likeness(String(evidence.status), evidence.rawText);
    const plain = /^wait$/m.test(script) || /\bcount\b/.test(deployment.title) ? withoutNumbers : String;
    const shown = shownIn(output).map(responseIn).map(plain);
    if (!output.includes(nowAndThen)) expect(shown, `${script}\n${output}`).toContain(plain(wanted));
    if (left === 0 && evidence.outcome !== 'refusal' && deployment.title !== restoring)
      expect(fresh.leads(), `${script}\n${output}`).toBe(0);
  } finally {
    await fresh.close();
    await mended.close();
  }
};
