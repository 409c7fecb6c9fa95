// Writes mock/generated and the README's table of open questions from openapi.yaml. With --check it writes nothing and fails when a file is stale.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneModule from 'ajv/dist/standalone/index.js';
import formatsModule from 'ajv-formats';
import openapiTypes, { astToString } from 'openapi-typescript';
import { ajvOptions, inOrder } from '../mock/body-rules.ts';
import { contractUnder } from '../mock/contract-view.ts';
import { type Answer, type Answers, listQuestions, type Question } from '../mock/questions.ts';
import { type Contract, listOperations, loadContract } from '../mock/spec.ts';

const directory = join('mock', 'generated');
const header = '// Made from openapi.yaml by `npm run generate`. Do not edit.\n';

const types = async (): Promise<string> =>
  header + astToString(await openapiTypes(pathToFileURL('openapi.yaml')));

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

/** Rules for the bodies of the contract as assumed: nearly every mock runs with these, and starts without Ajv. */
const bodyRules = (contract: Contract): string => {
  const assumed = Object.fromEntries(
    listQuestions(contract).map((question) => [question.id, question.assumed]),
  );
  const bodies = new Map(
    listOperations(contractUnder(assumed as Answers, contract)).flatMap(({ id, body }) =>
      body ? [[id, body] as const] : [],
    ),
  );
  const ajv = new Ajv2020({ ...ajvOptions, code: { source: true, esm: true, lines: true } });
  formatsModule.default(ajv);
  for (const [id, schema] of bodies) ajv.addSchema(inOrder(schema), id);
  const code = standaloneModule.default(ajv, Object.fromEntries([...bodies.keys()].map((id) => [id, id])));
  const pairs = [...bodies].map(
    ([id, schema]) => `  { schema: ${JSON.stringify(JSON.stringify(schema))}, rule: ${id} },`,
  );
  return `// @ts-nocheck\n${header}${importsOf(code)}\nexport const precompiledRules = [\n${pairs.join('\n')}\n];\n`;
};

/**
 * Ajv writes `require` even into ES modules; as imports they can be bundled. What a default import of CommonJS is differs
 * between Node.js, bundlers and Vitest: the module, or the `default` within it. Both will do.
 */
const importsOf = (code: string): string => {
  const imports: string[] = [];
  const body = code.replaceAll(
    /require\("(ajv[^"]*)"\)(\.default)?/g,
    (_, module: string, whole?: string) => {
      const name = `module${imports.length}`;
      imports.push(`import ${name} from '${module}.js';`);
      return whole ? `(${name}.default ?? ${name})` : name;
    },
  );
  return `${imports.join('\n')}\n${body.replace('"use strict";', '')}`;
};

const files = async (contract: Contract): Promise<Record<string, string>> => ({
  'contract.json': `${JSON.stringify(contract, null, 1)}\n`,
  'openapi.ts': await types(),
  'questions.ts': questionTypes(listQuestions(contract)),
  'body-rules.js': bodyRules(contract),
});

const questionRow = ({ id, section, question, answers, assumed, observable }: Question): string => {
  const others = answers.filter(
    (answer) => answer !== assumed && !(answer === '400-499' && typeof assumed === 'number'),
  );
  const accepted = others.includes('accepted') ? 'accepted, ' : '';
  const space = others.length > 4 ? `${accepted}200 or a status from 400 to 599` : others.join(', ');
  return `| \`${id}\`${observable ? '' : ' ¹'} | §${section} | ${question} | **${assumed}** ${others.length > 0 ? `/ ${space}` : ''} |`;
};

/** The README with its table of open questions made anew. */
const readme = (contract: Contract): string => {
  const questions = listQuestions(contract).sort((one, other) => Number(one.section) - Number(other.section));
  const rows = questions.map(questionRow);
  const table = [
    '| question | | asks | answers |',
    '|---|---|---|---|',
    ...rows,
    '',
    '¹ cannot be found out from outside.',
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

mkdirSync(directory, { recursive: true });
const contract = await loadContract('openapi.yaml');
const made = [
  ...Object.entries(await files(contract)).map(([name, text]) => ({ file: join(directory, name), text })),
  { file: 'README.md', text: readme(contract) },
];
const stale = made.filter(({ file, text }) => read(file) !== text);
if (process.argv.includes('--check')) {
  for (const { file } of stale) console.error(`${file} is stale: run npm run generate and commit it`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const { file, text } of stale) writeFileSync(file, text);
  console.log(
    stale.length > 0 ? `wrote ${stale.map(({ file }) => file).join(', ')}` : 'generated files are up to date',
  );
}
