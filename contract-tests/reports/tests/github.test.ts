import { expect, test } from 'vitest';
import { calmReport, hostileReport } from '../../testing/hostile-report.ts';
import { githubReport } from '../github.ts';

const commands = githubReport(hostileReport).trimEnd().split('\n');

test('errors come first, then warnings; what is waived or fine is not mentioned', () => {
  expect(commands.map((line) => /^::(\w+) title=(.*?)(?: \(.*?)?::/.exec(line)?.slice(1))).toEqual([
    ['error', 'email-leads contract'],
    ['error', 'fail leads.add.name'],
    ['error', 'fail leads.update.name'],
    ['error', 'drift lead.duplicate'],
    ['error', 'error replies.encoding'],
    ['warning', 'warn leads.add.keeps-texts'],
    ['warning', 'unstable leads.add.created-at'],
    ['warning', 'inconclusive leads.delete.success'],
    ['notice', expect.stringMatching(/^request POST <script>/)],
  ]);
});

test('a line is one command that names its section, and its message comes out as it went in', () => {
  for (const line of commands) expect(line).toMatch(/^::(error|warning|notice) title=[^:,]*::./);
  expect(commands[1]).toContain('(section 4.5 of the interface document%3A Add lead)::');
  // As GitHub's runner reads a line: the percent sign comes back last.
  const decoded = (commands[1] ?? '').replaceAll('%0A', '\n').replaceAll('%25', '%');
  expect(decoded).toContain('expected: <script>alert(1)</script>');
  expect(decoded).toContain('\n%0A%25');
});

test('a mistake of a client is a warning, unless the document leaves it open', () => {
  const [open] = hostileReport.traffic?.requests ?? [];
  const { question: _, ...mistake } = { ...open, operation: 'addLead', message: 'no key', section: '5' };
  const traffic = { ...hostileReport.traffic, requests: [mistake] };
  const suite = { ...calmReport.suite, command: 'proxy' };
  expect(githubReport({ ...calmReport, suite, traffic } as typeof hostileReport)).toMatch(
    /^::warning title=request addLead \(section 5 of the interface document\)::addLead%?:? no key .*against the client/,
  );
});

test.each([
  [0, 'conforms', ''],
  [3, 'could not test: addLead', '::error title=email-leads contract::could not test: addLead\n'],
] as const)('exit code %i without a finding (%s) is "%s"', (exit_code, headline, output) => {
  expect(githubReport({ ...calmReport, verdict: { exit_code, headline } })).toBe(output);
});
