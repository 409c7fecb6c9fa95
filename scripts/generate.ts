// Writes what is made from openapi.yaml: the generated folders and the README's table of open questions.
// With --check it writes nothing and fails when a file is stale.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTypes, { astToString } from 'openapi-typescript';
import { contractUnder } from '../mock/contract-view.ts';
import { type Answer, type Answers, listQuestions, type Question } from '../mock/questions.ts';
import { type Contract, loadContract } from '../mock/spec.ts';
import { profileSchema } from './generate/profile-schema.ts';
import { adminRules, bodyRules, header, replyRules, stateRules } from './generate/rules.ts';

const types = async (): Promise<string> =>
  header + astToString(await openapiTypes(pathToFileURL('openapi.yaml')));

/** The same of the contract that the mock obeys until it is told otherwise: every open question answered. */
const assumedTypes = async (contract: Contract): Promise<string> => {
  const answers = Object.fromEntries(listQuestions(contract).map(({ id, assumed }) => [id, assumed]));
  const document = contractUnder(answers as Answers, contract);
  return header + astToString(await openapiTypes(document as never));
};

const answerType = (answer: Answer): string => {
  const range = typeof answer === 'string' ? /^(\d+)-(\d+)$/.exec(answer) : null;
  if (!range) return JSON.stringify(answer);
  const [from, to] = [Number(range[1]), Number(range[2])];
  // Statuses become literals; a length limit has too many values for that.
  if (to - from > 200) return 'number';
  return Array.from({ length: to - from + 1 }, (_, index) => from + index).join(' | ');
};

const spaces = (questions: readonly Question[]): Map<string, string> =>
  new Map(
    questions
      .map(({ answers }) => [answers.join(), answers.map(answerType).join(' | ')] as const)
      .filter(([, type]) => type.length > 200),
  );

const questionTypes = (questions: readonly Question[]): string => {
  const named = [...spaces(questions)].map(([key, type]) => ({
    key,
    type,
    name: key.startsWith('accepted') ? 'RefusalStatus' : 'Status',
  }));
  const nameOf = (question: Question): string =>
    named.find(({ key }) => key === question.answers.join())?.name ??
    question.answers.map(answerType).join(' | ');
  return [
    header,
    ...named.map(({ name, type }) => `export type ${name} = ${type};`),
    '\n/** One answer for each open question of the contract. */\nexport type Answers = {',
    ...questions.map(
      (question) =>
        `  /** §${question.section} ${question.question} */\n  '${question.id}': ${nameOf(question)};`,
    ),
    '};\n\nexport type QuestionId = keyof Answers;\n',
  ].join('\n');
};

const files = async (contract: Contract): Promise<Record<string, string>> => ({
  'mock/generated/contract.json': `${JSON.stringify(contract, null, 1)}\n`,
  'mock/generated/openapi.ts': await types(),
  'mock/generated/assumed.ts': await assumedTypes(contract),
  'mock/generated/questions.ts': questionTypes(listQuestions(contract)),
  'mock/generated/body-rules.js': bodyRules(contract),
  'mock/generated/state-rules.js': stateRules(),
  'mock/generated/admin-rules.js': adminRules(),
  'contract-tests/generated/reply-rules.js': replyRules(contract),
  'contract-tests/generated/profile.schema.json': profileSchema(listQuestions(contract)),
  'README.md': readme(contract),
});

/** One row for the questions of a section that have the same answers. */
const questionRow = (questions: readonly [Question, ...Question[]]): string => {
  const [{ section, answers, assumed }] = questions;
  const others = answers.filter(
    (answer) => answer !== assumed && !(answer === '400-499' && typeof assumed === 'number'),
  );
  const accepted = others.includes('accepted') ? 'accepted, ' : '';
  const space = others.length > 4 ? `${accepted}200 or a status from 400 to 599` : others.join(', ');
  const ids = questions.map(({ id }) => `\`${id}\``).join('<br>');
  const asked = questions.map(({ question }) => question).join('<br>');
  return `| ${ids} | §${section} | ${asked} | **${assumed}** ${others.length > 0 ? `/ ${space}` : ''} |`;
};

const alike = (questions: readonly Question[]): [Question, ...Question[]][] => {
  const groups = new Map<string, [Question, ...Question[]]>();
  for (const question of questions) {
    const key = JSON.stringify([question.section, question.answers, question.assumed]);
    const group = groups.get(key);
    if (group) group.push(question);
    else groups.set(key, [question]);
  }
  return [...groups.values()];
};

/** What nobody can find out from outside, in a sentence: `spec` and `mock` know the answers all the same. */
const unobservable = (questions: readonly Question[]): string => {
  const listed = questions.map(({ id, section, answers }) => {
    const space = answers.length > 1 ? `: ${answers.join(' / ')}` : '';
    return `\`${id}\` (§${section}${space})`;
  });
  return `Registered too, though nobody can find them out from outside: ${listed.join(' · ')}.`;
};

/** The README with its table of open questions made anew. */
const readme = (contract: Contract): string => {
  const questions = listQuestions(contract).sort((one, other) => Number(one.section) - Number(other.section));
  const table = [
    '| question | | asks | answers |',
    '|---|---|---|---|',
    ...alike(questions.filter(({ observable }) => observable)).map(questionRow),
    '',
    unobservable(questions.filter(({ observable }) => !observable)),
  ].join('\n');
  return readFileSync('README.md', 'utf8').replace(
    /(<!-- open-questions -->\n)[\s\S]*(<!-- \/open-questions -->)/,
    (_, before: string, after: string) => `${before}${table}\n${after}`,
  );
};

const read = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined; // not there yet: stale
  }
};

const contract = await loadContract('openapi.yaml');
const made = Object.entries(await files(contract)).map(([file, text]) => ({ file, text }));
const stale = made.filter(({ file, text }) => read(file) !== text);
if (process.argv.includes('--check')) {
  for (const { file } of stale) console.error(`${file} is stale: run npm run generate and commit it`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const { file, text } of stale) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  console.log(
    stale.length > 0 ? `wrote ${stale.map(({ file }) => file).join(', ')}` : 'generated files are up to date',
  );
}
