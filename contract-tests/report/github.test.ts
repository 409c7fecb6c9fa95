import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checks } from '../checks/index.ts';
import { githubReport } from './github.ts';
import { calmReport, hostileReport } from './hostile.ts';
import { linesIn } from './promise-lines.ts';
import type { CheckReport } from './report.ts';

const yaml = readFileSync('openapi.yaml', 'utf8');
const lines = yaml.split('\n');
const lineOf = await linesIn(yaml);
const commands = githubReport(hostileReport, lineOf).trimEnd().split('\n');

test.each([
  ['leads.add.created-at', 'addLead', '2.3', '', 'created_at:', 'LeadAdded:'],
  ['leads.update.updated-at', 'updateLead', '2.3', '', 'updated_at:', 'LeadUpdated:'],
  ['leads.update.echoes-note', 'updateLead', '4.6', '', 'note:', 'LeadUpdated:'],
  ['leads.update.keeps-other-fields', 'updateLead', '4.6', '/data/name', 'name:', 'LeadUpdated:'],
  ['templates.list.error', 'listTemplates', '7', '/error', 'error:', 'TemplateList:'],
  ['templates.list.id', 'listTemplates', '2.2', '/data/3/id', 'id:', 'Template:'],
  ['templates.list.items', 'listTemplates', '4.2', '/data/3', 'data:', 'TemplateList:'],
  [
    'templates.list.placeholders-listed',
    'listTemplates',
    '2.2',
    '',
    'operationId: listTemplates',
    '/api/v1/email/templates:',
  ],
  ['email.send.success', 'sendEmail', '4.1', '', 'success:', 'EmailSent:'],
  ['email.send.survives-bad-input', 'sendEmail', '7', '', 'operationId: sendEmail', '/api/v1/email/send:'],
  ['leads.delete.auth.no-key', 'deleteLead', '5', '', 'bearer:', 'securitySchemes:'],
  ['failures.error', 'every', '7', '', 'Failure:', 'responses:'],
  ['replies.encoding', 'every', '4', '', 'Success:', 'schemas:'],
])('%s of %s (§%s %s) is promised at "%s" of %s', (id, operation, section, pointer, text, parent) => {
  const finding = { expected: '', actual: '', pointer };
  const line = lineOf({ ...(hostileReport.checks[0] as CheckReport), id, operation, section, finding });
  expect(lines[(line ?? 0) - 1]?.trim()).toBe(text);
  expect(enclosing(line ?? 0)).toContain(parent);
});

/** The lines that a line stands below. */
const enclosing = (line: number): string[] => {
  const indentOf = (text: string): number => text.search(/\S/);
  let indent = indentOf(lines[line - 1] ?? '');
  return lines
    .slice(0, line - 1)
    .reverse()
    .filter((text) => {
      if (text.trim() === '' || indentOf(text) >= indent) return false;
      indent = indentOf(text);
      return true;
    })
    .map((text) => text.trim());
};

test('every check of the suite has a line', () => {
  const without = checks.filter((check) => {
    const operation = 'scope' in check ? 'every' : check.operation;
    return lineOf({ ...check, operation, status: 'pass' }) === undefined;
  });
  expect(without.map(({ id }) => id)).toEqual([]);
});

test('errors come first, then warnings; what is waived or fine is not mentioned', () => {
  expect(commands.map((line) => /^::(\w+) .*?title=(.*?)::/.exec(line)?.slice(1))).toEqual([
    ['error', 'fail leads.add.name'],
    ['error', 'fail leads.update.name'],
    ['error', 'error replies.encoding'],
    ['warning', 'warn leads.add.keeps-quotes'],
    ['warning', 'unstable leads.add.created-at'],
    ['warning', 'inconclusive leads.delete.success'],
  ]);
});

/** As GitHub's runner reads a line: the percent sign comes back last. */
const decoded = (text: string): string =>
  text
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%25', '%');

test('a line is one command, and its message comes out as it went in', () => {
  for (const line of commands)
    expect(line).toMatch(/^::(error|warning) file=openapi\.yaml,line=\d+,title=[^:,]*::./);
  const message = decoded(commands[0]?.replace(/^::.*?::/, '') ?? '');
  expect(message).toContain('expected: <script>alert(1)</script>');
  expect(message).toContain('\n%0A%25');
});

test('no more than GitHub shows, and how many there are besides', () => {
  const many = Array.from({ length: 25 }, (_, index) => ({
    ...hostileReport.checks[0],
    id: `leads.add.x-${index}`,
  }));
  const groups = many.map(({ id }) => ({ ...hostileReport.groups[0], checks: [id] }));
  const report = { ...hostileReport, checks: many, groups } as typeof hostileReport;
  const written = githubReport(report, () => undefined)
    .trimEnd()
    .split('\n');
  expect(written.filter((line) => line.startsWith('::error '))).toHaveLength(10);
  expect(written.at(-1)).toMatch(/^::notice .*::15 more/);
});

test.each([
  [0, 'conforms', ''],
  [3, 'could not test: addLead', '::error title=email-leads contract::could not test: addLead\n'],
])('exit code %i without a finding (%s) is "%s"', (exit_code, headline, output) => {
  expect(githubReport({ ...calmReport, verdict: { exit_code, headline } }, lineOf)).toBe(output);
});
