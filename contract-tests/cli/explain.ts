import { command, jsonFlag } from '../../mock/cli/flags.ts';
import { print, printJson } from '../../mock/contract/printable.ts';
import {
  describeUnknown,
  listQuestions,
  type Question,
  type QuestionId,
} from '../../mock/contract/questions.ts';
import { UsageError } from '../../mock/contract/system-errors.ts';
import { checks } from '../checks/index.ts';
import { matchesId, withGroups } from '../checks/patterns.ts';
import { decisionText, describeCheck } from '../cost/cost.ts';
import { plural } from '../exchange/describe.ts';
import type { Check, Level } from '../facts/check.ts';
import { probeOf } from '../questions/probes/index.ts';
import type { Probe } from '../questions/probes/probe.ts';
import { rowLine } from '../reports/items.ts';
import { runDeploymentCommand } from './lifecycle.ts';

type Subjects = { readonly questions: readonly Question[]; readonly claims: readonly Check[] };

/** The question or the check with this id, or the members of the group. */
const subjectsOf = (id: string): Subjects => ({
  questions: listQuestions().filter((question) => matchesId(id, question.id)),
  claims: checks.filter((check) => matchesId(id, check.id)),
});

/** What `--json` prints; the probe of a question and its flags are `null` if it cannot be observed from outside. */
const asJson = ({ questions, claims }: Subjects) => ({
  questions: questions.map((question) => {
    const probe = probeOf(question.id);
    const needs = probe ? requirements[probe.needs].flags : null;
    return { ...question, probe: probe?.description ?? null, needs };
  }),
  checks: claims.map((claim) => describeCheck(claim)),
});

/** Lines about a question, a check or a group of them; `undefined` for an unknown id. */
export const explain = (id: string): string[] | undefined => {
  const { questions, claims } = subjectsOf(id);
  const members = [
    ...questions.map((question) => ({ ...question, text: `open question: ${question.question}` })),
    ...claims.map((claim) => ({ ...claim, text: `${claim.level}: ${claim.title}` })),
  ];
  if (members.length === 0) return undefined;
  if (members.length === 1) return [...questions.map(explainQuestion), ...claims.map(explainCheck)].flat();
  const counts = [
    ...(questions.length > 0 ? [plural(questions.length, 'open question')] : []),
    ...(claims.length > 0 ? [plural(claims.length, 'check')] : []),
  ];
  const width = Math.max(...members.map((member) => member.id.length));
  return [
    `${id}: ${counts.join(', ')}`,
    ...members.map((member) => `  ${member.id.padEnd(width)}  §${member.section.padEnd(4)} ${member.text}`),
  ];
};

const explained = (head: string, text: string, rows: Readonly<Record<string, string>>): string[] => [
  ...[head, `  ${text}`, ''],
  ...Object.entries(rows).map((row) => `  ${rowLine(row)}`),
];

const explainQuestion = (question: Question): string[] => {
  const { id, section, assumed, answers, document, impact } = question;
  const probe = probeOf(id);
  const asked = probe && `${probe.description}. Asked twice; requires ${permissionOf(probe)}`;
  const gate = probe ? 'then exits with 4 when it changes' : 'cannot check it';
  return explained(`${id}  §${section}, open question`, question.question, {
    document,
    impact,
    answers: answers.join(', '),
    probe: asked ?? 'none: not observable from outside',
    mock: `assumes ${assumed}`,
    change:
      question.imitated === false || answers.length === 1
        ? 'none: the mock imitates no other answer'
        : changeOf(id),
    pin: `email-leads pin FILE ${id}${probe ? '' : '=ANSWER'} --reason TEXT; contract --profile FILE ${gate}`,
    page: `contract-tests/open-questions.md#${id}`,
  });
};

/** What requests do, and the flags that permit it. */
const requirements: Readonly<Record<Probe['needs'], { readonly does: string; readonly flags: string[] }>> = {
  read: { does: 'read only', flags: [] },
  writes: { does: 'adds, changes and deletes leads of its own', flags: ['--allow-writes'] },
  mail: { does: 'requests mail', flags: ['--send-to'] },
  unaddressed: {
    does: 'requests mail whose recipient the deployment chooses',
    flags: ['--send-to', '--allow-unaddressed'],
  },
};

const permissionOf = ({ needs }: Probe): string => requirements[needs].flags.join(' and ') || 'no permission';

const needsOf = ({ needs, operation }: Check): string => {
  const { does, flags } = requirements[operation === 'sendTemplateEmail' ? 'unaddressed' : needs];
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

const explainCheck = (check: Check): string[] =>
  explained(`${check.id}  §${check.section}, ${check.level}`, check.title, {
    level: levels[check.level],
    costs: decisionText(check),
    needs: needsOf(check),
    run: `email-leads contract --only ${check.id}`,
    waive: `email-leads waive REPORT.json ${check.id} --reason TEXT --until DAY, then --waivers FILE`,
  });

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
  runDeploymentCommand({ definition, argv }, async ({ json }: { json?: boolean }, args) => {
    const [id] = args as [string];
    const lines = explain(id);
    if (!lines) {
      const known = withGroups([...listQuestions(), ...checks].map((subject) => subject.id));
      const otherwise =
        'email-leads contract --list lists the checks, contract-tests/open-questions.md the questions';
      throw new UsageError(describeUnknown('question or check', id, known, otherwise));
    }
    if (json) printJson(asJson(subjectsOf(id)));
    else for (const line of lines.flatMap((text) => text.split('\n'))) print(line);
    return 0;
  });
