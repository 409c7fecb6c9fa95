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
import { decisionText, describeCheck } from '../cost/cost.ts';
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

/** What `--json` prints; the probe of a question and its flags are `null` if it cannot be observed from outside. */
const asJson = ({ questions, claims }: Subjects) => ({
  questions: questions.map((question) => {
    const probe = probeOf(question.id);
    return {
      ...question,
      probe: probe?.description ?? null,
      needs: probe ? requirements[probe.needs].flags : null,
    };
  }),
  checks: claims.map((claim) => describeCheck(claim)),
});

/** Lines about a question, a check or a group of them; `undefined` for an unknown id. */
export const explain = (id: string): string[] | undefined => {
  const { questions, claims } = subjectsOf(id);
  const [question, claim] = [questions[0], claims[0]];
  if (question?.id === id) return explainQuestion(question);
  if (claim?.id === id) return explainCheck(claim);
  const members = [
    ...questions.map((member) => [member.id, member.section, member.question] as const),
    ...claims.map(
      ({ level, title, ...member }) => [member.id, member.section, `${level}: ${title}`] as const,
    ),
  ];
  if (members.length === 0) return undefined;
  const width = Math.max(...members.map(([member]) => member.length));
  const rows = members.map(
    ([member, section, text]) => `  ${member.padEnd(width)}  §${section.padEnd(4)} ${text}`,
  );
  const part = (name: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`${id}: ${plural(lines.length, name)}`, ...lines];
  return [
    ...part('open question', rows.slice(0, questions.length)),
    ...part('check', rows.slice(questions.length)),
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
  entry('costs', decisionText(check)),
  entry('needs', needsOf(check)),
  entry('run', `email-leads contract --only ${check.id}`),
  entry('waive', `email-leads waive REPORT.json ${check.id} --reason TEXT --until DAY, then --waivers FILE`),
];

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
      const known = [...listQuestions(), ...checks].map((subject) => subject.id);
      const otherwise =
        'email-leads contract --list lists the checks, contract-tests/open-questions.md the questions';
      throw new UsageError(describeUnknown('question or check', id, known, otherwise));
    }
    if (parsed.opts<{ json?: boolean }>().json) printJson(asJson(subjectsOf(id)));
    else for (const line of lines.flatMap((text) => text.split('\n'))) print(line);
    return 0;
  });
