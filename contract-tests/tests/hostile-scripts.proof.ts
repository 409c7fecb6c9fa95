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

/** Breaks facts in every operation, with one of the texts in each part of a response. */
const base = await serve((incoming, response) => {
  const { method = '', url = '' } = incoming;
  received.push({ method, url });
  const text = texts[received.length % texts.length] ?? '';
  const isAddition = method === 'POST' && url === '/api/v1/leads';
  const id = isAddition ? (texts[given.length % texts.length] ?? '') : text;
  if (isAddition) given.push(id);
  const data = { lead_id: id, name: text, source: text, note: text, created_at: text, [text]: text };
  const body = { success: true, ...(isAddition ? {} : { error: text }), data, message: text, [text]: text };
  incoming.resume().on('end', () => {
    response.setHeader('content-type', `application/json; x="$(touch PWNED)'\``);
    response.setHeader('x-note', Buffer.from(text.replaceAll(/[^ -~\u0080-\uffff]/g, '')).toString('latin1'));
    response.end(JSON.stringify(body));
  });
});

const root = temporaryDirectory();
const program = execFileSync('sh', ['-c', 'command -v curl'], { encoding: 'utf8' }).trim();
const noting = `#!/bin/sh\nprintf '%s\\0' "$*" >> "$ARGUMENTS"\nexec '${program}' "$@"\n`;
writeFileSync(join(root, 'curl'), noting, { mode: 0o755 });

/** A report about what the server breaks, which has no clock. */
const contractReport = async (ids: RegExp): Promise<Report> => {
  const options = { key, permissions: everythingPermitted, clock: skippingClock(() => undefined) };
  const run = await runContract({ ...options, url: base, checks: checks.filter(({ id }) => ids.test(id)) });
  const target = { kind: 'deployment', url: base, key, close: async () => undefined } as const;
  return buildReport({ target, run, version: '0' });
};

type Ran = { readonly output: string; readonly requests: readonly Received[]; readonly commands: string };

/** Runs a script in a directory with two files, and expects that no other file is left. */
const run = async (shell: string, script: string): Promise<Ran> => {
  const directory = mkdtempSync(join(root, 'run-'));
  const [work = '', temporary = '', log = ''] = ['work', 'temporary', 'log'].map((name) =>
    join(directory, name),
  );
  for (const name of [work, temporary]) mkdirSync(name);
  for (const name of ['decoy-1', 'decoy-2']) writeFileSync(join(work, name), '');
  writeFileSync(log, '');
  const own = { ARGUMENTS: log, TMPDIR: temporary, HOME: work, EMAIL_LEADS_API_KEY: key };
  const env = { PATH: `${root}:${process.env.PATH}`, LANG: 'C.UTF-8', ...own };
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

/** Whether a request is one of the finding, with the id of a lead that the server gave, as JSON or sed show it. */
const isIntended = ({ url }: Received, finding: FindingReport): boolean => {
  const paths = (finding.exchanges ?? []).map(({ request: sent }) => sent.path);
  const [, id = ''] = /^\/api\/v1\/leads\/(.+)$/.exec(url) ?? [];
  const shown = id.includes('%') ? unescape(id) : id;
  const ids = given.flatMap((name) => [Buffer.from(name).toString('latin1'), JSON.stringify(name).slice(1)]);
  return paths.includes(url) || (shown !== '' && ids.some((name) => name.startsWith(shown.slice(0, 4))));
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
  /^email\./,
];

test('contract', async () => {
  const own = await contractReport(/^leads\.(add|update|delete)\.(success|echoes-fields|id-is-text|message)/);
  await expectHarmless(own.checks.flatMap(({ finding }) => finding ?? []).slice(0, 4));
  for (const { curl } of own.leftovers.slice(0, texts.length)) await run('dash', curl);
  const others = /^(templates\.list\.|leads\.\w+\.(auth\.|refuses-)|email\.send\.auth\.)/;
  const { checks: judged } = await contractReport(others);
  const found = kinds.map((kind) => judged.find(({ id, finding }) => finding && kind.test(id))?.finding);
  await expectHarmless(found.filter((finding) => finding !== undefined));
  expect(found).not.toContain(undefined);
});
