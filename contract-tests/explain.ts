import { findQuestion, listQuestions, nearest, type Question, type QuestionId } from '../mock/questions.ts';
import type { Check, Level } from './check.ts';
import { checks } from './checks/index.ts';
import { pointOf } from './open-points.ts';
import { probeOf } from './probes/index.ts';
import type { Probe } from './probes/probe.ts';
import { questionTexts } from './question-texts.ts';

/** What there is to know of a question or a check, in lines. `undefined` where there is neither. */
export const explain = (id: string): string[] | undefined => {
  const question = findQuestion(id);
  if (question) return explainQuestion(question);
  const check = checks.find((one) => one.id === id);
  return check ? explainCheck(check) : undefined;
};

/** The question or check nearest in spelling. */
export const nearestId = (id: string): string =>
  nearest(
    id,
    [...listQuestions(), ...checks].map((one) => one.id),
  );

const entry = (name: string, text: string): string => `  ${`${name}:`.padEnd(10)}${text}`;

const explainQuestion = (question: Question): string[] => {
  const { id, section, assumed, answers } = question;
  const point = pointOf(id);
  const probe = probeOf(id);
  return [
    `${id}  §${section}, open question`,
    `  ${question.question}`,
    '',
    entry('document', `§${point?.section ?? section}: ${point?.says ?? 'it is silent.'}`),
    entry('matters', questionTexts[id][1]),
    entry('answers', answers.join(', ')),
    entry(
      'probe',
      probe
        ? `${probe.asks}. Asked twice; needs ${permissionOf(probe)}`
        : 'none: it cannot be found out from outside',
    ),
    entry('mock', `assumes ${assumed}`),
    entry('change', changeOf(id)),
    entry(
      'decide',
      `email-leads pin FILE ${id}${probe ? '' : '=ANSWER'} --reason TEXT; contract --profile FILE ${probe ? 'then gates on it' : 'cannot gate on it'}`,
    ),
  ];
};

const permissions: Readonly<Record<Probe['needs'], string>> = {
  read: 'no permission',
  writes: '--allow-writes',
  send: '--send-to',
  unaddressed: '--send-to and --allow-unaddressed',
};

const permissionOf = ({ needs }: Probe): string => permissions[needs];

const changeOf = (id: QuestionId): string =>
  `email-leads mock --answer ${id}=ANSWER, or --profile FILE${
    id.startsWith('auth.') ? ' (for the whole server)' : '; while it runs, PATCH /__admin/answers'
  }`;

const levels: Readonly<Record<Level, string>> = {
  documented: 'The document states it: a deployment that breaks it fails (exit 1).',
  derived:
    'The document does not state it, and no sensible reading goes without it: a warning, with --strict a failure.',
};

const needs: Readonly<Record<Check['needs'], string>> = {
  read: 'reads only',
  writes: 'adds, changes and deletes leads of its own (--allow-writes)',
  mail: 'asks for mail (--send-to)',
};

const explainCheck = (check: Check): string[] => [
  `${check.id}  §${check.section}, ${check.level}`,
  `  ${check.title}`,
  '',
  entry('level', levels[check.level]),
  entry('looks', looksAt(check)),
  entry('needs', needs[check.needs]),
  entry('run', `email-leads contract --only ${check.id}`),
  entry('waive', `a list of {check: ${check.id}, reason: TEXT} in a file for --waivers`),
];

const looksAt = (check: Check): string =>
  'run' in check
    ? `sends requests of its own to ${check.operation}`
    : `at every reply of ${'scope' in check ? 'all operations' : check.operation} the run has seen`;
