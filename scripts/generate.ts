// Writes the files, and the parts of pages, that are generated from openapi.yaml, the schemas, the flags and the limits.
//   --check      writes nothing, and fails if a generated file in git is stale
//   --products   writes only files that are not in git
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import SwaggerParser from '@apidevtools/swagger-parser';
import { _, Ajv2020 } from 'ajv/dist/2020.js';
import standaloneModule from 'ajv/dist/standalone/index.js';
import openapiTypes, { astToString } from 'openapi-typescript';
import { parse } from 'yaml';
import { isTimestamp } from '../contract-tests/facts/timestamp.ts';
import { probeOf } from '../contract-tests/questions/probes/index.ts';
import { applyAnswers } from '../mock/contract/apply-answers.ts';
import { type Contract, listOperations, successSchema } from '../mock/contract/document.ts';
import { type Answer, type Answers, listQuestions, type Question } from '../mock/contract/questions.ts';
import { profileSchemaWith } from '../mock/validation/profile.ts';
import { products } from './build/products.mjs';
import {
  adminTable,
  countChecks,
  flagTable,
  limitsTable,
  pageWith,
  questionTables,
  warningTable,
} from './pages.ts';

const header = '// Made from openapi.yaml by `npm run generate`. Do not edit.\n';

const types = async (): Promise<string> =>
  header + astToString(await openapiTypes(pathToFileURL('openapi.yaml')));

/** The types of the contract with the assumed answer to every open question, which the mock implements by default. */
const assumedTypes = async (contract: Contract): Promise<string> => {
  const answers = Object.fromEntries(listQuestions(contract).map(({ id, assumed }) => [id, assumed]));
  const document = applyAnswers(answers as Answers, contract);
  return header + astToString(await openapiTypes(document as never));
};

const reportSchema = 'contract-tests/reports/report.schema.json';

/** The type of `report.json`, which a run creates and every report is created from. */
const reportTypes = async (): Promise<string> => {
  const Report = JSON.parse(readFileSync(reportSchema, 'utf8'));
  const document = {
    openapi: '3.1.0',
    info: { title: 'report', version: '1' },
    components: { schemas: { Report } },
  };
  const types = astToString(await openapiTypes(document as never, { immutable: true }));
  return `// Made from ${reportSchema} by \`npm run build\`. Do not edit.\n${types}`;
};

const answerType = (answer: Answer): string => {
  const range = typeof answer === 'string' ? /^(\d+)-(\d+)$/.exec(answer) : null;
  if (!range) return JSON.stringify(answer);
  const [from, to] = [Number(range[1]), Number(range[2])];
  // Statuses become literals; a length limit has too many values for that.
  if (to - from > 200) return 'number';
  return Array.from({ length: to - from + 1 }, (_, index) => from + index).join(' | ');
};

const spaceOf = ({ answers }: Question): string => answers.map(answerType).join(' | ');

const questionTypes = (questions: readonly Question[]): string => {
  // Those with all statuses of a range have a name.
  const long = new Set(questions.map(spaceOf).filter((type) => type.length > 200));
  const named = [...long].map((type) => ({
    type,
    name: type.startsWith('"accepted"') ? 'RefusalStatus' : 'Status',
  }));
  const typeOf = (question: Question): string => {
    const type = spaceOf(question);
    return named.find((space) => space.type === type)?.name ?? type;
  };
  return [
    header,
    ...named.map(({ name, type }) => `export type ${name} = ${type};`),
    '\n/** One answer for each open question of the contract. */\nexport type Answers = {',
    ...questions.map(
      (question) =>
        `  /** §${question.section} ${question.question} */\n  '${question.id}': ${typeOf(question)};`,
    ),
    '};\n\nexport type QuestionId = keyof Answers;\n',
  ].join('\n');
};

/** The ids of the documented operations (§4), without those of alias paths. */
const operationIds = (contract: Contract): string => {
  const ids = listOperations(contract).filter(({ alias }) => !alias);
  return [
    header,
    `/** The operations of openapi.yaml, by the names this project gives them. */`,
    `export const operationIds = ${JSON.stringify(ids.map(({ id }) => id))} as const;\n`,
    'export type OperationId = (typeof operationIds)[number];\n',
  ].join('\n');
};

/** The JSON Schema of a profile, with which an editor can complete ids and answers. */
const profileSchema = (questions: readonly Question[]): object => {
  const { $defs, ...schema } = profileSchemaWith({
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(questions.map((question) => [question.id, entryOf(question)])),
  });
  return { ...schema, $defs: { entry: { ...$defs.entry, ...reasonOfPin } } };
};

const reasonOfPin = {
  if: { properties: { state: { const: 'pinned' } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['reason'] },
};

const entryOf = ({ section, question, answers }: Question): object => ({
  description: `§${section} ${question}`,
  $ref: '#/$defs/entry',
  properties: { answer: schemaOf(answers) },
});

const schemaOf = (answers: readonly Answer[]): object => {
  const ranges = answers.flatMap((answer) => {
    const [, minimum, maximum] = /^(\d+)-(\d+)$/.exec(String(answer)) ?? [];
    return minimum === undefined
      ? []
      : [{ type: 'integer', minimum: Number(minimum), maximum: Number(maximum) }];
  });
  const literals = answers.filter((answer) => !/^\d+-\d+$/.test(String(answer)));
  return ranges.length === 0 ? { enum: literals } : { anyOf: [{ enum: literals }, ...ranges] };
};

/**
 * Replaces the `require` calls that Ajv writes even into ES modules by imports, so that they can be bundled. The default import
 * of a CommonJS module is the module or its `default`, depending on Node.js, the bundler or Vitest: both work.
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

/**
 * Validators of the documented success responses as code, so that starting neither compiles schemas nor loads Ajv, with the
 * suite's own format of timestamps.
 */
const responseValidators = (contract: Contract): string => {
  const timestamp = 'require("timestamp")["date-time"]';
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    code: { source: true, esm: true, lines: true, formats: _`require("timestamp")` },
  });
  ajv.addFormat('date-time', isTimestamp);
  const ids = listOperations(contract).flatMap(({ id, alias }) => (alias ? [] : [id]));
  for (const id of ids) ajv.addSchema(successSchema(contract, id), id);
  const code = standaloneModule
    .default(ajv, Object.fromEntries(ids.map((id) => [id, id])))
    .replaceAll(timestamp, 'isTimestamp');
  return [
    '// @ts-nocheck\n// Written by the build.',
    `import { isTimestamp } from '../facts/timestamp.ts';`,
    importsOf(code),
    `export const validators = { ${ids.join(', ')} };\n`,
  ].join('\n');
};

const files = async (contract: Contract): Promise<Record<string, string>> => ({
  'mock/generated/contract.json': `${JSON.stringify(contract, null, 1)}\n`,
  'mock/generated/openapi.ts': await types(),
  'mock/generated/assumed.ts': await assumedTypes(contract),
  'mock/generated/operations.ts': operationIds(contract),
  'mock/generated/questions.ts': questionTypes(listQuestions(contract)),
  'contract-tests/generated/response-validators.js': responseValidators(contract),
  'contract-tests/generated/report.ts': await reportTypes(),
  'contract-tests/generated/profile.schema.json': `${JSON.stringify(profileSchema(listQuestions(contract)), null, 2)}\n`,
  'contract-tests/open-questions.md': pageWith(
    'contract-tests/open-questions.md',
    questionTables(listQuestions(contract), (id) => probeOf(id)?.needs),
  ),
  'contract-tests/README.md': pageWith('contract-tests/README.md', {
    flags: `\n${flagTable(['contract', 'observe', 'proxy', 'check', 'waive', 'pin', 'spec', 'explain'])}\n`,
    checks: countChecks(),
  }),
  'mock/README.md': pageWith('mock/README.md', {
    flags: `\n${flagTable(['mock'])}\n`,
    limits: `\n${limitsTable()}\n`,
    warnings: `\n${warningTable()}\n`,
    admin: `\n${adminTable()}\n`,
  }),
});

const read = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined; // does not exist yet, so it is stale
  }
};

/** Writes a file atomically: another build or a test may be reading it. */
const write = (file: string, text: string): void => {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true });
  const temporaryFile = join(folder, `.${process.pid}.tmp`);
  writeFileSync(temporaryFile, text);
  renameSync(temporaryFile, file);
};

const isWanted = (file: string): boolean => {
  if (process.argv.includes('--check')) return !products.includes(file);
  return !process.argv.includes('--products') || products.includes(file);
};

/** @throws if the file is not valid OpenAPI; the message names the place */
const readContract = async (): Promise<Contract> => {
  const text = readFileSync('openapi.yaml', 'utf8');
  // The validator modifies its argument.
  await SwaggerParser.validate(parse(text, { maxAliasCount: -1 }));
  return parse(text, { maxAliasCount: -1 });
};

const contract = await readContract();
const outputs = Object.entries(await files(contract)).map(([file, text]) => ({ file, text }));
const stale = outputs.filter(({ file, text }) => isWanted(file) && read(file) !== text);
if (process.argv.includes('--check')) {
  for (const { file } of stale) console.error(`${file} is stale: run npm run generate and commit it`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const { file, text } of stale) write(file, text);
  console.log(
    stale.length > 0 ? `wrote ${stale.map(({ file }) => file).join(', ')}` : 'generated files are up to date',
  );
}
