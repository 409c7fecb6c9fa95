// The JSON Schema of profiles, and validators as code.

import { _, Ajv2020 } from 'ajv/dist/2020.js';
import standaloneModule from 'ajv/dist/standalone/index.js';
import { isTimestamp } from '../../contract-tests/facts/timestamp.ts';
import { type Contract, listOperations, successSchema } from '../../mock/contract/document.ts';
import type { Answer, Question } from '../../mock/contract/questions.ts';
import { profileSchemaWith } from '../../mock/validation/profile.ts';

/** The JSON Schema of a profile, with which an editor can complete ids and answers. */
export const profileSchema = (questions: readonly Question[]): object => {
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
  properties: { answer: spaceOf(answers) },
});

const spaceOf = (answers: readonly Answer[]): object => {
  const ranges = answers.flatMap((answer) => {
    const [, minimum, maximum] = /^(\d+)-(\d+)$/.exec(String(answer)) ?? [];
    return minimum === undefined
      ? []
      : [{ type: 'integer', minimum: Number(minimum), maximum: Number(maximum) }];
  });
  const literals = answers.filter((answer) => !/^\d+-\d+$/.test(String(answer)));
  return ranges.length === 0 ? { enum: literals } : { anyOf: [{ enum: literals }, ...ranges] };
};

// Generates validators as code, so that starting neither compiles schemas nor loads Ajv.

/** A module that exports its validators by name, or by the text of their schema. */
const product = (code: string, entries: readonly string[]): string =>
  `// @ts-nocheck\n// Written by the build.\n${code}\nexport const validators = {\n  ${entries.join(',\n  ')},\n};\n`;

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

const standalone = (ajv: Ajv2020, ids: readonly string[]): string =>
  standaloneModule.default(ajv, Object.fromEntries(ids.map((id) => [id, id])));

/** Validators of the documented success responses, with the suite's own timestamp format. */
export const responseValidators = (contract: Contract): string => {
  const timestamp = 'require("timestamp")["date-time"]';
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    code: { source: true, esm: true, lines: true, formats: _`require("timestamp")` },
  });
  ajv.addFormat('date-time', isTimestamp);
  const ids = listOperations(contract).flatMap(({ id, alias }) => (alias ? [] : [id]));
  for (const id of ids) ajv.addSchema(successSchema(contract, id), id);
  const code = standalone(ajv, ids).replaceAll(timestamp, 'isTimestamp');
  const imports = `import { isTimestamp } from '../facts/timestamp.ts';\n`;
  return product(imports + importsOf(code), ids);
};
