import { command, jsonFlag, runCommand, UsageError } from '../../mock/cli/flags.ts';
import { print, printJson } from '../../mock/contract/printable.ts';
import {
  describeUnknown,
  findQuestion,
  listQuestions,
  type Question,
  type QuestionId,
} from '../../mock/contract/questions.ts';
import { checks } from '../checks/index.ts';
import { matchesId } from '../checks/patterns.ts';
import { type CheckEntry, decisionText, describeChecks } from '../cost/cost.ts';
import type { Check, Level } from '../facts/check.ts';
import { probeOf } from '../questions/probes/index.ts';
import type { Probe } from '../questions/probes/probe.ts';
import { plural } from '../runner/summary.ts';

type Subjects = { readonly questions: readonly Question[]; readonly claims: readonly Check[] };

/** The question or the check with this id, or else the members of the group. */
const subjectsOf = (id: string): Subjects => {
  const question = findQuestion(id);
  if (question) return { questions: [question], claims: [] };
  const claim = checks.find((candidate) => candidate.id === id);
  if (claim) return { questions: [], claims: [claim] };
  return {
    questions: listQuestions().filter((member) => matchesId(id, member.id)),
    claims: checks.filter((member) => matchesId(id, member.id)),
  };
};

/** What `--json` prints: one question or check, or all of a group. */
type Explanation = {
  /** Each with how `observe` asks it, and the flags that this needs; `null` if it cannot be observed from outside. */
  readonly questions: readonly (Question & { probe: string | null; needs: readonly string[] | null })[];
  readonly checks: readonly CheckEntry[];
};

const explainAsJson = (id: string): Explanation => {
  const { questions, claims } = subjectsOf(id);
  return {
    questions: questions.map((question) => {
      const probe = probeOf(question.id);
      return {
        ...question,
        probe: probe?.description ?? null,
        needs: probe ? requirements[probe.needs].flags : null,
      };
    }),
    checks: describeChecks(claims, false),
  };
};

/** Lines about a question, a check or a group of them; `undefined` for an unknown id. */
export const explain = (id: string): string[] | undefined => {
  const { questions, claims } = subjectsOf(id);
  if (questions.length + claims.length === 0) return undefined;
  const [question, claim] = [questions[0], claims[0]];
  if (question?.id === id) return explainQuestion(question);
  return claim?.id === id ? explainCheck(claim) : explainGroup(id, { questions, claims });
};

/** The members of a group, with the subject of each question and the title of each check. */
const explainGroup = (group: string, { questions, claims }: Subjects): string[] => {
  const width = Math.max(...[...questions, ...claims].map(({ id }) => id.length));
  const row = (id: string, section: string, text: string): string =>
    `  ${id.padEnd(width)}  §${section.padEnd(4)} ${text}`;
  return [
    ...(questions.length === 0 ? [] : [`${group}: ${plural(questions.length, 'open question')}`]),
    ...questions.map(({ id, section, question }) => row(id, section, question)),
    ...(claims.length === 0 ? [] : [`${group}: ${plural(claims.length, 'check')}`]),
    ...claims.map(({ id, section, level, title }) => row(id, section, `${level}: ${title}`)),
  ];
};

const entry = (name: string, text: string): string => `  ${`${name}:`.padEnd(10)}${text}`;

const explainQuestion = (question: Question): string[] => {
  const { id, section, assumed, answers, document, impact } = question;
  const probe = probeOf(id);
  return [
    `${id}  §${section}, open question`,
    `  ${question.question}`,
    '',
    entry('document', document),
    entry('impact', impact),
    entry('answers', answers.join(', ')),
    entry(
      'probe',
      probe
        ? `${probe.description}. Asked twice; requires ${permissionOf(probe)}`
        : 'none: not observable from outside',
    ),
    entry('mock', `assumes ${assumed}`),
    entry('change', question.imitated === false ? 'none: the mock imitates no other answer' : changeOf(id)),
    entry(
      'pin',
      `email-leads pin FILE ${id}${probe ? '' : '=ANSWER'} --reason TEXT; contract --profile FILE ${probe ? 'then exits with 4 when it changes' : 'cannot check it'}`,
    ),
    entry('page', `contract-tests/open-questions.md#${id}`),
  ];
};

/** What requests do, and the flags that permit it. */
const requirements: Readonly<Record<Probe['needs'], { readonly does: string; readonly flags: string[] }>> = {
  read: { does: 'read only', flags: [] },
  writes: { does: 'adds, changes and deletes leads of its own', flags: ['--allow-writes'] },
  send: { does: 'requests mail', flags: ['--send-to'] },
  unaddressed: {
    does: 'requests mail whose recipient the deployment chooses',
    flags: ['--send-to', '--allow-unaddressed'],
  },
};

const permissionOf = ({ needs }: Probe): string => requirements[needs].flags.join(' and ') || 'no permission';

const needsOf = ({ needs, operation }: Check): string => {
  const need = needs === 'mail' ? 'send' : needs;
  const { does, flags } = requirements[operation === 'sendTemplateEmail' ? 'unaddressed' : need];
  return flags.length === 0 ? does : `${does} (${flags.join(' and ')})`;
};

const changeOf = (id: QuestionId): string =>
  `email-leads mock --answer ${id}=ANSWER, or --profile FILE${
    id.startsWith('auth.') ? ' (for the whole server)' : '; while it runs, PATCH /__admin/answers'
  }`;

const levels: Readonly<Record<Level, string>> = {
  documented: 'The document states it: a deployment that breaks it fails (exit code 1).',
  derived: 'The document implies it: a deployment that breaks it gets a warning, with --strict a failure.',
};

const explainCheck = (check: Check): string[] => [
  `${check.id}  §${check.section}, ${check.level}`,
  `  ${check.title}`,
  '',
  entry('level', levels[check.level]),
  entry('costs', decisionText(check, false)),
  entry('needs', needsOf(check)),
  entry('run', `email-leads contract --only ${check.id}`),
  entry('waive', `email-leads waive REPORT.json ${check.id} --reason TEXT --until DAY, then --waivers FILE`),
];

const knownIds = (): string[] => [...listQuestions(), ...checks].map(({ id }) => id);

export const definition = () =>
  command(
    'email-leads explain',
    'Explain an open question or a check, and how the suite and the mock treat it; list a group of them.',
    'email-leads explain lead.duplicate',
  )
    .argument('<id>', 'id of an open question or of a check, or the beginning of one: leads.add')
    .addOption(jsonFlag('as JSON: {questions, checks}, each a list with an object for each'));

/** `email-leads explain` */
export const runExplainCommand = (argv: readonly string[]): Promise<number> =>
  runCommand(async () => {
    const parsed = definition().parse(argv, { from: 'user' });
    const [id] = parsed.processedArgs as [string];
    const lines = explain(id);
    if (!lines) {
      const otherwise =
        'email-leads contract --list lists the checks, contract-tests/open-questions.md the questions';
      throw new UsageError(describeUnknown('question or check', id, knownIds(), otherwise));
    }
    if (parsed.opts<{ json?: boolean }>().json) printJson(explainAsJson(id));
    else for (const line of lines.flatMap((text) => text.split('\n'))) print(line);
    return 0;
  });
