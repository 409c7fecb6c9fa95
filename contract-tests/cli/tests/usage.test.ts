// Wrong usage of any command: one line that says what is wrong and what helps, exit code 2, and nothing in it of a key or for a terminal.
import { expect, test } from 'vitest';
import { runHealth } from '../../../mock/cli/health.ts';
import { runMock } from '../../../mock/cli/mock.ts';
import { runInProcess } from '../../../mock/testing/in-process.ts';
import { temporaryFile } from '../../../mock/testing/temporary.ts';
import { key, withKey } from '../../testing/command.ts';
import { runCheckCommand } from '../check.ts';
import { runContractCommand } from '../contract.ts';
import { runExplainCommand } from '../explain.ts';
import { runObserveCommand } from '../observe.ts';
import { runPinCommand, runSpecCommand } from '../profile.ts';
import { runProxyCommand } from '../proxy.ts';

const commands = {
  check: runCheckCommand,
  contract: runContractCommand,
  explain: runExplainCommand,
  health: runHealth,
  mock: runMock,
  observe: runObserveCommand,
  pin: runPinCommand,
  proxy: runProxyCommand,
  spec: runSpecCommand,
};

type Row = [
  command: keyof typeof commands,
  argv: readonly string[],
  message: RegExp,
  env?: Readonly<Record<string, string>>,
  content?: string | undefined,
];

/** FILE among the arguments is a file with the content. */
const expectRefused = async ([name, argv, message, env = withKey, content = '']: Row): Promise<void> => {
  const file = temporaryFile(content);
  const args = argv.map((word) => word.replace('FILE', file));
  const { code, stdout, stderr } = await runInProcess(commands[name], args, env);
  const said = stderr.trimEnd();
  expect(said).toMatch(message);
  expect(code).toBe(2);
  expect(said).not.toMatch(/[\p{Cc}\p{Cf}]|^::|##\w*\[/u); // no second line either
  expect(stdout).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|^::|##\w*\[/mu);
  expect(stdout + stderr).not.toMatch(/secret|sécret/);
  expect((stdout + stderr).toLowerCase()).not.toContain(key.slice(3, 15));
};

const url = ['--url', 'https://a.test'];
const upstream = (address: string, ...flags: string[]) => ['--upstream', address, ...flags];
const nobody = upstream('http://localhost:1');
const faults = [...nobody, '--faults', 'FILE'];
const keyIs = (EMAIL_LEADS_API_KEY: string) => ({ EMAIL_LEADS_API_KEY });
const noSuchQuestion = /no question "nonsense"; contract-tests\/open-questions\.md lists them/;

test.each<Row>([
  ['contract', ['--rate-limit', '5'], /--rate-limit.*like 5\/s or 90\/m/],
  ['contract', ['--timeout', '0s'], /a time like 500ms, 30s or 2m, at least 1ms and at most 10m\.$/],
  ['contract', url, /EMAIL_LEADS_API_KEY is not set/, {}],
  ['contract', ['--url', 'https://a.test//b'], /empty path segment \(\/\/\): use https:\/\/a\.test\/b$/],
  ['contract', ['--url', 'a.test/b'], /not an http or https address; write it as https:\/\/a.test\/b$/],
  ['contract', ['https://a.test'], /too many arguments\..*; name a target before all flags, or set .* --url/],
  ['contract', [...url, '--allow-unaddressed'], /--allow-unaddressed needs --send-to/],
  ['explain', ['leads.upd'], /did you mean leads\.update\?$/],
  ['contract', upstream('https://a.test'), /'--upstream'; .* with --url$/],
  ['contract', url, /HTTPS_PROXY is not the http address/, { ...withKey, HTTPS_PROXY: 'socks5://secret@p' }],
  ['contract', ['--waivers', 'none.yaml'], /^email-leads: --waivers none\.yaml does not exist$/],
  ['contract', ['--clean', 'FILE'], /file\.json is not a ledger of this suite$/],
  ['contract', ['--report', 'xml'], /one or more of: console, json, junit, html, markdown, github\.$/],
  ['contract', ['--report', 'junit', '--report-dir', 'FILE/x'], /cannot be written: /],
  ['contract', ['--only', 'leads.updaet'], /group of checks "leads\.updaet"; did you mean leads\.update\?$/],
  ['contract', ['--only', 'nonsense'], /"nonsense"; email-leads contract --list lists them all$/],
  ['contract', ['--quiet', '--verbose'], /--quiet and --verbose exclude each other/],
  ['contract', ['--json'], /--json belongs to --list: .*--report json$/],
  ['contract', ['--record', 'FILE/x'], /--record .* cannot be written/],
  ['contract', [...url, '--client-cert', 'a.pem'], /belong together: give both/],
  ['contract', [...url, '--ca', 'none.pem'], /--ca none\.pem does not exist/],
  ['contract', [...url, '--ca', 'FILE'], /contains no certificate in PEM/],
  ['health', ['--url', 'localhost:4010'], /an http or https address; write it as http:\/\/localhost:4010$/],
  ['health', ['--url', 'http://a:b@localhost'], /must not contain a user/],
  ['health', ['--wait', '61m'], /at most 60m/],
  ['health', ['--key', 'x'], /unknown option '--key'/],
  ['mock', ['--port', 'x'], /option '--port <number>' argument 'x' is invalid/],
  ['mock', ['--port', '65536'], /a whole number from 0 to 65535/],
  ['mock', ['--profile', 'no/such.json'], /the mock cannot start: no\/such\.json does not exist$/],
  ['mock', ['--profile', 'package.json'], /is not a profile; email-leads observe --output FILE writes/],
  ['mock', ['--tls-cert', 'no.pem', '--tls-key', 'no.pem'], /--tls-cert no\.pem does not exist$/],
  ['mock', ['--tls-cert', 'LICENSE', '--tls-key', 'LICENSE'], /LICENSE contains no certificate in PEM$/],
  ['mock', ['--seed', 'none.json'], /none\.json does not exist$/],
  ['mock', ['--seed', ''], /the seed "" does not exist/],
  ['mock', ['--seed', 'test_key.json', '--accept-key', 'test_key.json'], /test_key\.json does not exist$/],
  ['mock', ['--seed', 'scripts/screenshot.png'], /screenshot\.png is not UTF-8/],
  ['mock', ['--allowed-host', 'http://foo'], /http:\/\/foo: write it as a host name without scheme/],
  ['mock', ['--seed', 'package.json'], /the seed package\.json: \/name is not known here/],
  ['mock', ['--answer', 'send.to'], /--answer send\.to: write it as id=value/],
  ['mock', ['--answer', 'send.too=required'], /did you mean send\.to\? Its answers are optional, required/],
  ['mock', ['--accept-key', ''], /It must not be empty/],
  ['mock', ['--accept-key=test_a', '--accept-key=a b'], /key 2 of those to accept is not 1 to 1000 visible/],
  ['mock', ['--allowed-origin', 'http://localhost:5173/'], /write it as an origin/],
  ['mock', ['--host', 'no.such.host.invalid'], /no\.such\.host\.invalid is not an address of this machine/],
  ['mock', [], /EMAIL_LEADS_DELAY/, { EMAIL_LEADS_PORT: '', EMAIL_LEADS_DELAY: '-1' }],
  ['mock', [], /NO_ADMIN is "no"; it must be 1, true, 0 or false/, { EMAIL_LEADS_NO_ADMIN: 'no' }],
  ['mock', [], /--answer nonsense: write it as id=/, { EMAIL_LEADS_ANSWER: 'send.to=required\nnonsense' }],
  ['observe', ['--seed', 'FILE/x'], /--seed .* cannot be written/],
  ['observe', ['--only', 'lead.nmae'], /did you mean lead\.name\?/],
  ['observe', ['--only', 'nonsense'], noSuchQuestion],
  ['observe', ['--only', 'key-scope'], /cannot be observed from outside/],
  ['pin', ['x.json'], /name the questions to pin, or use --all for every observed one/],
  ['pin', ['x.json', 'lead.name', '--all'], /name the questions to pin, or use --all, not both/],
  ['pin', ['none.json', '--all', '--json'], /none\.json does not exist$/],
  ['spec', ['--format', 'xml'], /yaml, json/],
  ['spec', ['--json'], /--json belongs to --diff: .*--format json$/],
  ['contract', ['--only-failed', 'none.json'], /\(contract writes report\.json with --report json\)/],
  ['explain', ['lead.nmae'], /no question or check "lead\.nmae"; did you mean lead\.name\?$/],
  ['explain', ['addLead'], /contract --list lists the checks, \S+\/open-questions\.md the questions$/],
  ['proxy', [], /--upstream is missing/],
  ['proxy', upstream('ftp://x'), /--upstream "ftp:\/\/x" is not an http or https address/],
  ['proxy', url, /unknown option '--url'; .* is set with --upstream$/],
  ['proxy', [...nobody, '--require', 'sendMail'], /one or more of: sendEmail, /],
  ['proxy', [...nobody, 'npm', 'run', '--silent'], /'--silent'; if .* of npm, put -- before npm: proxy --up/],
  ['proxy', [...nobody, '--enforc', '--', 'npm'], /unknown option '--enforc' \(Did you mean --enforce\?\)$/],
  ['proxy', [...nobody, '--port', '0', '--', 'no-such-program'], /there is no such program in PATH$/],
  ['proxy', [...nobody, '--host', '203.0.113.1'], /the proxy cannot start: 203\.0\.113\.1 is not an address/],
  ['proxy', upstream('http://localhost:4020'), /where the proxy itself would listen; choose another --port$/],
  ['proxy', faults, /: \/rules\/0\/nth must be/, {}, '{"rules":[{"status":503,"nth":0}]}'],
  ['proxy', faults, /: it must be a JSON object, not a list/, {}, '[]'],
  ['proxy', faults, / cannot be read: /, {}, '{"rules":'],
])('%s %j', async (...row) => await expectRefused(row));

test.each<Row>([
  ['contract', [...url, '--key', 'secret'], /'--key'; no flag accepts a key: .* EMAIL_LEADS_API_KEY$/, {}],
  ['contract', ["--api-key=top'secret'"], /unknown option '--api-key'; no flag accepts a key/],
  ['mock', ['sk_live_secret'], /^email-leads: too many arguments/],
  ['contract', ['-ksecret'], /unknown option '-k'$/],
  ['contract', url, /_API_KEY begins with the word Bearer: set only the key/, keyIs('Bearer secret')],
  ['contract', url, /_API_KEY contains a line break: set only the key/, keyIs('secret\n')],
  ['contract', url, /are both set: keep one/, { ...withKey, EMAIL_LEADS_API_KEY_FILE: 'none' }],
  ['observe', ['--url', `http://${key}`], /_API_KEY/, keyIs(`Bearer ${key}`)],
  ['proxy', upstream(`http://${key}`), /_API_KEY/, keyIs(`${key}ü`)],
  ['check', [import.meta.filename], /./, keyIs(`${key} x`)],
  ['contract', [...url, '--header', 'Authorization: secret'], /must not replace Authorization: it carries/],
  ['contract', [...url, '--header', 'content-type: secret'], /must not replace content-type: each request/],
  ['contract', [...url, '--header', 'secret'], /does not begin with its name/],
  ['contract', [...url, '--header', 'X-A:'], /--header X-A has no value/],
  ['contract', [...url, '--header', 'X-A: sécret'], /a character that no header may contain/],
  ['contract', [...url, '--header', 'X-A: 1', '--header', 'x-a: secret'], /is given twice/],
  ['mock', ['--seed', key, '--accept-key', key], /^/, {}],
  ['mock', ['--seed', 'secret%2Flive', '--accept-key', 'secret/live'], /^/, {}],
  ['mock', [`--port=${key}`, `--accept-key=${key}`], /^/, {}],
  ['mock', ['--answer', key], /^/, { EMAIL_LEADS_ACCEPT_KEY: `test_a\n${key}` }],
])('a secret is not repeated: %s %j', async (...row) => await expectRefused(row));

/** The key, and what a terminal and CI servers obey. */
const nasty = `${key}\u001b[31m\u202e\r\n::error::owned\n##[error]x ##vso[task.x]y`;
const profile = JSON.stringify({ deployment: nasty, questions_digest: nasty, answers: { [nasty]: {} } });

test.each<[Row[0], string[], content?: string, env?: Record<string, string>]>([
  ['contract', ['--url', nasty]],
  ['contract', ['--rate-limit', nasty]],
  ['contract', [], '', { EMAIL_LEADS_STRICT: nasty }],
  ['contract', ['--report', 'json', '--report-dir', `/dev/null/${nasty}`]],
  ['contract', ['--waivers', 'FILE'], JSON.stringify([{ check: nasty }])],
  ['contract', ['--profile', 'FILE'], profile],
  ['check', [nasty]],
  ['proxy', [...nobody, '--host', nasty]],
  ['explain', [nasty]],
  ['pin', ['FILE', nasty, '--reason', nasty], profile],
  ['spec', ['--profile', 'FILE'], profile],
  ['health', ['--url', `http://${nasty}`]],
  ['mock', [`--${nasty}`]],
  ['mock', ['--profile', 'FILE'], profile],
])('neither a key nor a command of a value comes out: %s %j', async (name, argv, content, env = {}) => {
  await expectRefused([name, argv, /^/, { ...withKey, ...env }, content]);
});
