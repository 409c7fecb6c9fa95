// Validators as code: what is compiled here need not be compiled at every start, nor Ajv be loaded.
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

/** Validators of the bodies of the contract as assumed: nearly every mock runs with these, and starts without Ajv. */
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

/** Its errors say which schema they are of, for words to people. */
const verboseAjv = (): Ajv2020 => {
  const code = { source: true, esm: true, lines: true } as const;
  const ajv = new Ajv2020({ ...ajvOptions, verbose: true, inlineRefs: false, code });
  formatsModule.default(ajv);
  ajv.addVocabulary(['x-form', 'components']);
  return ajv;
};

/** A schema without what is for its readers: it goes into the code, and every start reads that. */
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

/** A validator of profiles, but for the answer spaces. */
export const profileValidator = (contract: Contract): string => {
  const ajv = verboseAjv();
  ajv.addSchema(withoutWords(profileReaderSchema(listQuestions(contract))) as object, 'validate');
  return product(importsOf(standalone(ajv, ['validate'])), ['validate']);
};

/** Validators of the bodies of the admin API, by the id its document gives an operation. */
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

const standalone = (ajv: Ajv2020, ids: readonly string[]): string =>
  standaloneModule.default(ajv, Object.fromEntries(ids.map((id) => [id, id])));

/** Validators of the success responses the document states, with the suite's own reading of a timestamp. */
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
