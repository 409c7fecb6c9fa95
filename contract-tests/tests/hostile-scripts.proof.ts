// Ids, names of fields and texts that a shell, curl, sed or a terminal could take for something else, in findings of `contract`: the
// scripts and commands of its reports send the requests of the finding, and do nothing else.
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serve } from '../../mock/testing/serve.ts';
import { temporaryDirectory } from '../../mock/testing/temporary-directory.ts';
import { checks } from '../checks/index.ts';
import { skippingClock } from '../client/clock.ts';
import { everythingPermitted } from '../client/permissions.ts';
import { runContract } from '../proof/suite-result.ts';
import { buildReport } from '../reports/build-report.ts';
import type { FindingReport, Report } from '../reports/report.ts';

const texts = [
  'lead_0001-$(touch PWNED)',
  "lead_0002'; touch PWNED; '",
  'lead_0003"; touch PWNED; "`touch PWNED`',
  '***',
  '[1-400]7',
  '{a,b}',
  '-o PWNED',
  '@/etc/passwd',
  '../email/send',
  '..',
  'a/b\\c\\/d\\&e',
  's/x/y/e;w PWNED\n$IFS%s%n&|><',
  '\u001b]0;PWNED\u0007\u001b[31m\u009b31m\u202e\r\u0008',
  'Zoë 漢字 👩‍🎨 \ud800 \u0000',
];

const key = `it's_a_"key"_\\_of_$(touch\${IFS}PWNED)`;

type Received = { readonly method: string; readonly url: string };
const received: Received[] = [];
const given: string[] = [];

/** Breaks facts, with the text in each part. */
const wrongResponse = (id: string, text: string) => ({
  error: text,
  data: { lead_id: id, name: text, source: text, note: text, created_at: text, [text]: text },
  message: text,
  [text]: text,
});

/** Breaks facts in every operation, with one of the texts in each part of a response. */
const base = await serve((incoming, response) => {
  const { method = '', url = '' } = incoming;
  received.push({ method, url });
  const text = texts[received.length % texts.length] ?? '';
  const isAddition = method === 'POST' && url === '/api/v1/leads';
  const id = isAddition ? (texts[given.length % texts.length] ?? '') : text;
  if (isAddition) given.push(id);
  const { error, ...others } = wrongResponse(id, text);
  const body = JSON.stringify({ success: true, ...(isAddition ? {} : { error }), ...others });
  incoming.resume().on('end', () => {
    response.setHeader('content-type', `application/json; x="$(touch PWNED)'\``);
    response.setHeader('x-note', Buffer.from(text.replaceAll(/[^ -~\u0080-\uffff]/g, '')).toString('latin1'));
    response.end(body);
  });
});

const root = temporaryDirectory();
const program = execFileSync('sh', ['-c', 'command -v curl'], { encoding: 'utf8' }).trim();
const noting = `#!/bin/sh\nprintf '%s\\0' "$*" >> "$ARGUMENTS"\nexec '${program}' "$@"\n`;
writeFileSync(join(root, 'curl'), noting, { mode: 0o755 });

const wellFormed = (text: string): string => Buffer.from(text).toString();

const findingsOf = ({ checks }: Report): FindingReport[] => checks.flatMap(({ finding }) => finding ?? []);

const contractReport = async (ids: RegExp): Promise<Report> => {
  const some = checks.filter(({ id }) => ids.test(id));
  // The server has no clock.
  const clock = skippingClock(() => undefined);
  const run = await runContract({ url: base, key, permissions: everythingPermitted, checks: some, clock });
  const target = { kind: 'deployment', url: base, key, close: async () => undefined } as const;
  return buildReport({ target, run, version: '0' });
};

type Ran = { readonly output: string; readonly requests: readonly Received[]; readonly commands: string };

/** Runs a script in a directory with two files, and expects that no other file is left. */
const run = async (shell: string, script: string): Promise<Ran> => {
  const directory = mkdtempSync(join(root, 'run-'));
  const [work, temporary, log] = [
    join(directory, 'work'),
    join(directory, 'temporary'),
    join(directory, 'log'),
  ];
  for (const name of [work, temporary]) mkdirSync(name);
  for (const name of ['decoy-1', 'decoy-2']) writeFileSync(join(work, name), '');
  writeFileSync(log, '');
  const env = {
    PATH: `${root}:${process.env.PATH}`,
    LANG: 'C.UTF-8',
    ARGUMENTS: log,
    TMPDIR: temporary,
    HOME: work,
    EMAIL_LEADS_API_KEY: key,
  };
  received.length = 0;
  const options = { cwd: work, env, timeout: 120_000, maxBuffer: 2 ** 26 };
  const output = await new Promise<string>((resolve, reject) => {
    const child = execFile(shell, ['-s'], options, (error, stdout, stderr) =>
      error?.killed ? reject(error) : resolve(stdout + stderr),
    );
    child.stdin?.end(script);
  });
  expect([readdirSync(work).sort(), readdirSync(temporary)], script).toEqual([['decoy-1', 'decoy-2'], []]);
  return { output, requests: [...received], commands: readFileSync(log, 'utf8') };
};

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** Whether a request is one of the finding, with the id of a lead that the server gave, as JSON or sed show it. */
const isIntended = ({ url }: Received, finding: FindingReport): boolean => {
  const paths = [finding, ...(finding.exchanges ?? [])].map(({ request: sent }) => sent?.path);
  if (paths.includes(url)) return true;
  const id = decoded(url.slice('/api/v1/leads/'.length));
  const ids = given.flatMap((name) => [
    wellFormed(name),
    JSON.stringify(name).slice(1).split(/[",}]/)[0] ?? '',
  ]);
  return url.startsWith('/api/v1/leads/') && id !== '' && ids.some((name) => id.startsWith(name.slice(0, 4)));
};

const expectHarmless = async (findings: readonly FindingReport[]): Promise<void> => {
  expect(findings.length).toBeGreaterThan(0);
  for (const finding of findings)
    for (const shell of ['dash', 'bash']) {
      const { replay = '' } = finding;
      const { output, requests, commands } = await run(shell, replay);
      expect(output).toContain('== Result: ');
      expect(/[^\P{Cc}\n\t]/u.exec(output), output).toBeNull();
      expect(commands).not.toContain(key);
      for (const command of commands.split('\0').slice(0, -1)) expect(command).toMatch(/ --max-time \d+ /);
      expect(requests.length).toBeLessThan(200);
      expect(requests.filter((sent) => !isIntended(sent, finding))).toEqual([]);
    }
};

/** Findings of each kind: about a list, with a wrong key, of an unknown lead, of a lead that is gone, with a mail. */
const kinds = [
  /^templates\.list\.data$/,
  /^leads\.add\.auth\./,
  /^leads\.update\.refuses-/,
  /^leads\.delete\./,
  /^email\.send\.auth\./,
];

test('contract', async () => {
  const own = await contractReport(/^leads\.(add|update|delete)\.(success|echoes-fields|id-is-text|message)/);
  await expectHarmless(findingsOf(own).slice(0, 4));
  for (const { curl } of own.leftovers.slice(0, texts.length)) await run('dash', curl);
  const { checks: judged } = await contractReport(
    /^(templates\.list\.|leads\.\w+\.(auth\.|refuses-)|email\.send\.auth\.)/,
  );
  const found = kinds.flatMap(
    (kind) => judged.find(({ id, finding }) => finding && kind.test(id))?.finding ?? [],
  );
  expect(found).toHaveLength(kinds.length);
  await expectHarmless(found);
});
