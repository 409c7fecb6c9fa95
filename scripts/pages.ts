// The tables in the pages, each from where the program has its rows: the text between `<!-- name -->` and `<!-- /name -->`.
import { readFileSync } from 'node:fs';
import type { Option } from 'commander';
import { checks, usualChecks } from '../contract-tests/checks/index.ts';
import { adminDocument } from '../mock/admin/openapi.ts';
import { describeFlag } from '../mock/cli/flags.ts';
import type { Question } from '../mock/contract/questions.ts';
import { rules, type WarningId, warningIds } from '../mock/mail/warnings.ts';
import { bounds } from '../mock/service/options.ts';
import { limits } from '../mock/store/store.ts';
import { loadDefinitions } from './commands.ts';

const definitions = await loadDefinitions();

/** A page with new text in its parts. @throws Error if the page has no such part */
export const pageWith = (file: string, blocks: Readonly<Record<string, string>>): string => {
  let page = readFileSync(file, 'utf8');
  for (const [name, text] of Object.entries(blocks)) {
    const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [start, end] = [page.indexOf(open), page.indexOf(close)];
    if (start < 0 || end < start) throw new Error(`${file} has no ${open} … ${close}`);
    page = page.slice(0, start + open.length) + text + page.slice(end);
  }
  return page;
};

/** A table of Markdown with the names of its columns, and a row for each list of cells. */
const tableOf = (names: readonly string[], rows: readonly (readonly string[])[]): string => {
  const line = (cells: readonly string[]): string =>
    `|${cells.map((text) => (text === '' ? ' ' : ` ${text} `)).join('|')}|`;
  return [line(names), `|${names.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
};

/** A text without marks of Markdown. */
const cell = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll('*', '\\*').replaceAll('<', '&lt;');

type Described = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly summary?: string }>>>>;
};

/** The operations of the admin API, from its own document. */
export const adminTable = (): string => {
  const { paths } = adminDocument('0.0.0') as unknown as Described;
  const rows = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { summary = '' }]) => [
      `\`${method.toUpperCase()} /__admin${path}\``,
      summary,
    ]),
  );
  return tableOf(['Request', 'What it does'], rows);
};

type Flag = { readonly option: Option; readonly group: string; readonly commands: readonly string[] };

/** One row for each flag; two where commands give it different meanings. */
const flagsOf = (names: readonly string[]): Flag[] => {
  const rows = new Map<string, Flag>();
  for (const name of names)
    for (const option of definitions[name]?.().options ?? []) {
      if (option.hidden) continue;
      const key = `${option.flags} ${describeFlag(option)}`;
      const group = option.helpGroupHeading?.replace(':', '') ?? 'Other';
      const row = rows.get(key) ?? { option, group, commands: [] };
      rows.set(key, { ...row, commands: [...row.commands, name] });
    }
  return [...rows.values()];
};

/** A table of the flags of these commands, in the groups of their help. */
export const flagTable = (names: readonly string[]): string => {
  const flags = flagsOf(names);
  // A page of one command has no column for it.
  const line = (flag: string, does: string, commands: string): string[] =>
    names.length > 1 ? [flag, does, commands] : [flag, does];
  const rows = [...new Set(flags.map(({ group }) => group))].flatMap((group) => [
    line(`**${group}**`, '', ''),
    ...flags
      .filter((flag) => flag.group === group)
      .map(({ option, commands }) =>
        line(`\`${option.flags}\``, cell(describeFlag(option)), commands.join(', ')),
      ),
  ]);
  return tableOf(line('Flag', 'What it does', 'Commands'), rows);
};

const [kibi, mebi] = [1024, 1024 * 1024];

const count = (number: number): string => number.toLocaleString('en');

const size = (number: number): string =>
  number >= mebi ? `${number / mebi} Mi` : number >= kibi ? `${number / kibi} Ki` : count(number);

type Limit = readonly [what: string, count: string, characters: string, whenFull: string];

const oldest = 'the oldest are dropped';
const full = '507, nothing changes';

const limitRows: readonly Limit[] = [
  ['workspaces', count(limits.workspaces), size(limits.totalLength), 'the least recently used are dropped'],
  ['outbox', '1,000 messages (`--outbox-limit`)', size(limits.outboxLength), oldest],
  ['journal', `${count(limits.journalRequests)} requests`, size(limits.journalLength), oldest],
  ['leads', count(limits.leads), size(limits.leadsLength), full],
  ['templates', count(limits.templates), size(limits.templatesLength), full],
  ['placeholders of a template', count(limits.templatePlaceholders), '', '400'],
  ['a mail made from a template', '', size(limits.renderedCharacters), '413, nothing is sent'],
  ['fault rules', count(limits.faultRules), size(limits.faultRulesLength), full],
  [
    'a request body',
    `${count(limits.requestValues)} values if over 64 KiB`,
    '1 MiB (`limits.body-size`)',
    '413',
  ],
  [
    'a body of the admin API, and a state',
    `${count(limits.stateValues)} values`,
    `${size(limits.stateBytes)}B of JSON`,
    '413, nothing changes',
  ],
  ['open waits and event streams', count(limits.waiting), '', '429'],
  ['connections', count(limits.connections), '', 'closed'],
  ['a delay', `${count(bounds.delay[1])} ms`, '', 'refused'],
];

/** The limits of the mock. */
export const limitsTable = (): string =>
  tableOf(['', 'Number', 'Characters', 'When it is reached'], limitRows);

/** What a message that breaks the rule has. Here, because the mock itself does not need it. */
const titles: Readonly<Record<WarningId, string>> = {
  'unresolved-placeholder': 'a placeholder such as `{{first_name}}` in the subject, the text or an attribute',
  'empty-link': 'a link with `href=""` or `href="#"`',
  'image-without-alt': 'an image without `alt`; `alt=""` is one',
  'no-text': 'no text outside images',
  'subject-missing': 'an empty subject',
};

/** The rules for messages. */
export const warningTable = (): string => {
  const rows = warningIds.map((id) => {
    const { why, more } = rules[id];
    return [`[\`${id}\`](${more})`, titles[id], why];
  });
  return tableOf(['Warning', 'The message has', 'Reason'], rows);
};

/** How many checks the suite has, in one phrase. */
export const countChecks = (): string => {
  const count = (level: string): number => checks.filter((check) => check.level === level).length;
  return `${checks.length} checks, ${count('documented')} of them documented and ${count('derived')} derived; a run without \`--thorough\` has ${usualChecks.length}`;
};

const needs: Readonly<Record<string, string>> = {
  read: 'reading',
  writes: '`--allow-writes`',
  mail: '`--send-to`',
  unaddressed: '`--allow-unaddressed`',
};

const answersOf = ({ answers, assumed }: Question): string => {
  const others = answers.filter((answer) => answer !== assumed);
  return [`**${assumed}**`, ...others.map((answer) => `\`${answer}\``)].join(', ');
};

/** A table for each section of the open questions. @param needOf what the probe of a question needs; `undefined` if it has none */
export const questionTables = (
  questions: readonly Question[],
  needOf: (id: Question['id']) => string | undefined,
): Record<string, string> => {
  const names = ['Question', 'What is open', 'Answers', 'What depends on it', 'Probe'];
  const rowOf = (question: Question): string[] => [
    `<a id="${question.id}"></a>\`${question.id}\``,
    cell(question.question),
    answersOf(question),
    cell(question.impact),
    needs[needOf(question.id) ?? ''] ?? 'none',
  ];
  const sections = [...new Set(questions.map(({ section }) => section))];
  return Object.fromEntries(
    sections.map((section) => {
      const rows = questions.filter((question) => question.section === section).map(rowOf);
      return [`§${section}`, `\n\n${tableOf(names, rows)}\n\n`];
    }),
  );
};
