// Generates validators as code, so that starting neither compiles schemas nor loads Ajv.
import { _, Ajv2020 } from 'ajv/dist/2020.js';
import standaloneModule from 'ajv/dist/standalone/index.js';
import formatsModule from 'ajv-formats';
import { isTimestamp } from '../../contract-tests/checks/support/timestamp.ts';
import { adminRoutes } from '../../mock/admin/routes/index.ts';
import { components, documentId, withAbsoluteRefs } from '../../mock/admin/schemas.ts';
import { applyAnswers } from '../../mock/contract/apply-answers.ts';
import { type Contract, listOperations, successSchema } from '../../mock/contract/document.ts';
import { type Answers, listQuestions } from '../../mock/contract/questions.ts';
import { ajvOptions } from '../../mock/validation/compiler.ts';
import { orderedSchema } from '../../mock/validation/request-body.ts';
import stateSchema from '../../mock/validation/seed.schema.json' with { type: 'json' };
import { profileReaderSchema } from './profile-schema.ts';

/** A module that exports its validators by name, or by the text of their schema. */
const product = (code: string, entries: readonly string[]): string =>
  `// @ts-nocheck\n// Written by the build.\n${code}\nexport const validators = {\n  ${entries.join(',\n  ')},\n};\n`;

/**
 * Validators of request bodies in the contract with the assumed answers. Nearly every mock uses them, and starts without Ajv.
 */
export const bodyValidators = (contract: Contract): string => {
  const assumed = Object.fromEntries(
    listQuestions(contract).map((question) => [question.id, question.assumed]),
  );
  const bodies = new Map(
    listOperations(applyAnswers(assumed as Answers, contract)).flatMap(({ id, body }) =>
      body ? [[id, body] as const] : [],
    ),
  );
  const ajv = new Ajv2020({ ...ajvOptions, code: { source: true, esm: true, lines: true } });
  formatsModule.default(ajv);
  for (const [id, schema] of bodies) ajv.addSchema(orderedSchema(schema), id);
  const code = standalone(ajv, [...bodies.keys()]);
  const bySchema = [...bodies].map(([id, schema]) => `${JSON.stringify(JSON.stringify(schema))}: ${id}`);
  return product(importsOf(code), bySchema);
};

/** Creates an Ajv whose errors contain their schema, for readable messages. */
const verboseAjv = (): Ajv2020 => {
  const code = { source: true, esm: true, lines: true } as const;
  const ajv = new Ajv2020({ ...ajvOptions, verbose: true, inlineRefs: false, code });
  formatsModule.default(ajv);
  ajv.addVocabulary(['x-form', 'components']);
  return ajv;
};

/** Removes texts for readers from a schema, because every start reads the generated code. */
const withoutWords = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withoutWords);
  if (typeof schema !== 'object' || schema === null) return schema;
  const keywords = Object.entries(schema).filter(
    ([name, value]) => !(words.has(name) && (typeof value === 'string' || Array.isArray(value))),
  );
  return Object.fromEntries(keywords.map(([name, value]) => [name, withoutWords(value)]));
};

const words = new Set(['$comment', 'title', 'description', 'examples']);

/** Validators of states, seeds and fault rules: compiling them takes longer than starting the mock. */
export const stateValidators = (): string => {
  const ajv = verboseAjv();
  ajv.addSchema(withoutWords(stateSchema) as object, 'state');
  const rule = { $ref: 'state#/$defs/FaultRule' };
  ajv.addSchema({ type: 'array', maxItems: 1000, items: rule }, 'faultRules');
  const code = standalone(ajv, ['state', 'faultRules']);
  return product(importsOf(code), ['state', 'faultRules']);
};

/** A validator of profiles, without the answer spaces. */
export const profileValidator = (contract: Contract): string => {
  const ajv = verboseAjv();
  ajv.addSchema(withoutWords(profileReaderSchema(listQuestions(contract))) as object, 'validate');
  return product(importsOf(standalone(ajv, ['validate'])), ['validate']);
};

/** Validators of the request bodies of the admin API, by operation id in its document. */
export const adminValidators = (): string => {
  const ajv = verboseAjv();
  ajv.addSchema(withoutWords({ components: { schemas: components } }) as object, documentId);
  const bodies = adminRoutes.flatMap(({ doc, validatesOwnBody }) =>
    doc?.body && !validatesOwnBody
      ? [[doc.id, withoutWords(withAbsoluteRefs(doc.body)) as object] as const]
      : [],
  );
  for (const [id, schema] of bodies) ajv.addSchema(schema, id);
  const ids = bodies.map(([id]) => id);
  return product(importsOf(standalone(ajv, ids)), ids);
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
  const imports = `import { isTimestamp } from '../checks/support/timestamp.ts';\n`;
  return product(imports + importsOf(code), ids);
};
