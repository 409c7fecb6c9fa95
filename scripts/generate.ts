// Writes the files, and the parts of pages, that are generated from openapi.yaml, the schemas, the flags and the limits.
//   --check      writes nothing, and fails if a generated file in git is stale
//   --products   writes only files that are not in git
import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import SwaggerParser from '@apidevtools/swagger-parser';
import { _, Ajv2020 } from 'ajv/dist/2020.js';
import standaloneModule from 'ajv/dist/standalone/index.js';
import openapiTypes, { astToString } from 'openapi-typescript';
import { isTimestamp } from '../contract-tests/facts/timestamp.ts';
import { scores } from '../contract-tests/proof/framework-expectations.ts';
import { probeOf } from '../contract-tests/questions/probes/index.ts';
import { contract, listOperations, successSchema } from '../mock/contract/document.ts';
import { applyAnswers } from '../mock/contract/in-force.ts';
import {
  type Answer,
  assumedAnswers,
  collectQuestions,
  type Question,
  rangeOf,
} from '../mock/contract/questions.ts';
import { profileSchemaWith } from '../mock/validation/profile.ts';
import { products, writeWhole } from './build/products.mjs';
import * as pages from './pages.ts';

// Throws if it is not valid OpenAPI, and names the place. The validator modifies its argument.
await SwaggerParser.validate(structuredClone(contract) as never);

const questions = collectQuestions(contract);

/** The ids of the documented operations (§4), without those of alias paths. */
const operations = listOperations(contract).flatMap(({ id, alias }) => (alias ? [] : [id]));

const header = '// Made from openapi.yaml by `npm run generate`. Do not edit.\n';

const typesOf = async (contract: object): Promise<string> =>
  header + astToString(await openapiTypes(contract as never));

/** The types of a JSON Schema and of its definitions. @param name of the type of the whole */
const typesIn = async (schemaFile: string, name: string): Promise<string> => {
  const text = readFileSync(schemaFile, 'utf8').replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $defs, ...schema } = JSON.parse(text);
  const document = {
    openapi: '3.1.0',
    info: { title: name, version: '1' },
    components: { schemas: { [name]: schema, ...$defs } },
  };
  const types = astToString(await openapiTypes(document as never, { immutable: true }));
  return `// Made from ${schemaFile} by \`npm run build\`. Do not edit.\n${types}`;
};

const answerType = (answer: Answer): string => {
  const range = rangeOf(answer);
  if (!range) return JSON.stringify(answer);
  const [from, to] = range;
  // Statuses become literals; a length limit has too many values for that.
  if (to - from > 200) return 'number';
  return Array.from({ length: to - from + 1 }, (_, index) => from + index).join(' | ');
};

const spaceOf = ({ answers }: Question): string => answers.map(answerType).join(' | ');

const questionTypes = (): string => {
  // Those with all statuses of a range have a name.
  const long = questions.map(spaceOf).filter((type) => type.length > 200);
  const names = new Map(
    long.map((type) => [type, type.startsWith('"accepted"') ? 'RefusalStatus' : 'Status']),
  );
  const lineOf = (question: Question): string => {
    const type = spaceOf(question);
    return `  /** §${question.section} ${question.question} */\n  '${question.id}': ${names.get(type) ?? type};`;
  };
  return [
    header,
    ...[...names].map(([type, name]) => `export type ${name} = ${type};`),
    '\n/** One answer for each open question of the contract. */\nexport type Answers = {',
    ...questions.map(lineOf),
    '};\n\nexport type QuestionId = keyof Answers;\n',
  ].join('\n');
};

const operationIds = (): string =>
  [
    header,
    `/** The operations of openapi.yaml, by the names this project gives them. */`,
    `export const operationIds = ${JSON.stringify(operations)} as const;\n`,
    'export type OperationId = (typeof operationIds)[number];\n',
  ].join('\n');

/** The JSON Schema of a profile, with which an editor can complete ids and answers. */
const profileSchema = (): object => {
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
  const ranges = answers.map(rangeOf).filter((range) => range !== undefined);
  const literals = { enum: answers.filter((answer) => !rangeOf(answer)) };
  if (ranges.length === 0) return literals;
  return {
    anyOf: [literals, ...ranges.map(([minimum, maximum]) => ({ type: 'integer', minimum, maximum }))],
  };
};

/**
 * Validators of the documented success responses as code, so that starting neither compiles schemas nor loads Ajv, with the
 * suite's own format of timestamps. Ajv writes `require` even into ES modules: what it names is in the head of the file.
 */
const responseValidators = (): string => {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    code: { source: true, esm: true, lines: true, formats: _`require("timestamp")` },
  });
  ajv.addFormat('date-time', isTimestamp);
  for (const id of operations) ajv.addSchema(successSchema(contract, id), id);
  const code = standaloneModule
    .default(ajv, Object.fromEntries(operations.map((id) => [id, id])))
    .replace('"use strict";', '')
    .replaceAll('require("timestamp")["date-time"]', 'isTimestamp')
    .replaceAll('require("ajv/dist/runtime/ucs2length").default', 'countCharacters');
  return [
    '// @ts-nocheck\n// Written by the build.',
    `import { isTimestamp } from '../facts/timestamp.ts';\n`,
    'const countCharacters = (text) => [...text].length;\n',
    code,
    `export const validators = { ${operations.join(', ')} };\n`,
  ].join('\n');
};

const files: Readonly<Record<string, string>> = {
  'mock/generated/openapi.ts': await typesOf(pathToFileURL('openapi.yaml')),
  // What the mock implements by default.
  'mock/generated/assumed.ts': await typesOf(applyAnswers(assumedAnswers())),
  'mock/generated/operations.ts': operationIds(),
  'mock/generated/questions.ts': questionTypes(),
  'contract-tests/generated/response-validators.js': responseValidators(),
  'contract-tests/generated/report.ts': await typesIn('contract-tests/reports/report.schema.json', 'Report'),
  'mock/generated/profile.ts': await typesIn('mock/validation/profile.schema.json', 'Profile'),
  'mock/generated/state.ts': await typesIn('mock/validation/seed.schema.json', 'State'),
  'contract-tests/generated/profile.schema.json': `${JSON.stringify(profileSchema(), null, 2)}\n`,
  'contract-tests/open-questions.md': pages.pageWith(
    'contract-tests/open-questions.md',
    pages.questionTables(questions, (id) => probeOf(id)?.needs),
  ),
  'contract-tests/README.md': pages.pageWith('contract-tests/README.md', {
    flags: `\n${pages.flagTable(['contract', 'observe', 'proxy', 'check', 'waive', 'pin', 'spec', 'explain'])}\n`,
    checks: pages.countChecks(),
    ...scores(),
  }),
  'mock/README.md': pages.pageWith('mock/README.md', {
    flags: `\n${pages.flagTable(['mock'])}\n`,
    limits: `\n${pages.limitsTable()}\n`,
    warnings: `\n${pages.warningTable()}\n`,
    admin: `\n${pages.adminTable()}\n`,
  }),
};

const read = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

const isWanted = (file: string): boolean => {
  if (process.argv.includes('--check')) return !products.includes(file);
  return !process.argv.includes('--products') || products.includes(file);
};

const stale = Object.entries(files).filter(([file, text]) => isWanted(file) && read(file) !== text);
const names = stale.map(([file]) => file);
if (process.argv.includes('--check')) {
  for (const name of names) console.error(`${name} is stale: run npm run generate and commit it`);
  process.exitCode = names.length > 0 ? 1 : 0;
} else {
  for (const [file, text] of stale) writeWhole(file, text);
  console.log(names.length > 0 ? `wrote ${names.join(', ')}` : 'generated files are up to date');
}
