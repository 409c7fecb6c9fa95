// Validators as code: what is compiled here need not be compiled at every start, nor Ajv be loaded.
import { _, Ajv2020 } from 'ajv/dist/2020.js';
import standaloneModule from 'ajv/dist/standalone/index.js';
import formatsModule from 'ajv-formats';
import { isTimestamp } from '../../contract-tests/timestamp.ts';
import { adminRoutes } from '../../mock/admin/routes.ts';
import { components, documentId, placed } from '../../mock/admin/schemas.ts';
import { ajvOptions, inOrder } from '../../mock/body-rules.ts';
import { contractUnder } from '../../mock/contract-view.ts';
import { type Answers, listQuestions } from '../../mock/questions.ts';
import stateSchema from '../../mock/seed.schema.json' with { type: 'json' };
import { type Contract, listOperations, resolveRefs } from '../../mock/spec.ts';

export const header = '// Made from openapi.yaml by `npm run generate`. Do not edit.\n';

/** Rules for the bodies of the contract as assumed: nearly every mock runs with these, and starts without Ajv. */
export const bodyRules = (contract: Contract): string => {
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
  const code = standalone(ajv, [...bodies.keys()]);
  const pairs = [...bodies].map(
    ([id, schema]) => `  { schema: ${JSON.stringify(JSON.stringify(schema))}, rule: ${id} },`,
  );
  return `// @ts-nocheck\n${header}${importsOf(code)}\nexport const precompiledRules = [\n${pairs.join('\n')}\n];\n`;
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
  const kept = Object.entries(schema).filter(
    ([name, value]) => !(words.has(name) && (typeof value === 'string' || Array.isArray(value))),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutWords(value)]));
};

const words = new Set(['$comment', 'title', 'description', 'examples']);

/** Rules for states, seeds and fault rules: compiling them takes longer than starting the mock. */
export const stateRules = (): string => {
  const ajv = verboseAjv();
  ajv.addSchema(withoutWords(stateSchema) as object, 'stateRule');
  const rule = { $ref: 'stateRule#/$defs/FaultRule' };
  ajv.addSchema({ type: 'array', maxItems: 1000, items: rule }, 'faultRules');
  const code = standalone(ajv, ['stateRule', 'faultRules']);
  return `// @ts-nocheck\n${header.replace('openapi.yaml', 'mock/seed.schema.json')}${importsOf(code)}\n`;
};

/** Rules for the bodies of the admin API, by the id its document gives an operation. */
export const adminRules = (): string => {
  const ajv = verboseAjv();
  ajv.addSchema(withoutWords({ components: { schemas: components } }) as object, documentId);
  const bodies = adminRoutes.flatMap(({ doc, checksBody }) =>
    doc?.body && !checksBody ? [[doc.id, withoutWords(placed(doc.body)) as object] as const] : [],
  );
  for (const [id, schema] of bodies) ajv.addSchema(schema, id);
  const ids = bodies.map(([id]) => id);
  return `// @ts-nocheck\n${header.replace('openapi.yaml', 'mock/admin')}${importsOf(standalone(ajv, ids))}\nexport const adminRules = { ${ids.join(', ')} };\n`;
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

type Responses = Record<string, { content?: Record<string, { schema?: object }> }>;

/** Rules for the success replies the document states, with the suite's own reading of a timestamp. */
export const replyRules = (contract: Contract): string => {
  const timestamp = 'require("timestamp")["date-time"]';
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    code: { source: true, esm: true, lines: true, formats: _`require("timestamp")` },
  });
  ajv.addFormat('date-time', isTimestamp);
  const stated = listOperations(contract).filter(({ alias }) => !alias);
  for (const { id, responses } of stated) {
    const schema = (resolveRefs(contract, responses) as Responses)['200']?.content?.['application/json']
      ?.schema;
    if (!schema) throw new Error(`openapi.yaml: ${id} has no JSON schema for 200`);
    ajv.addSchema(schema, id);
  }
  const ids = stated.map(({ id }) => id);
  const code = standalone(ajv, ids).replaceAll(timestamp, 'isTimestamp');
  const exported = `export const replyRules = { ${ids.join(', ')} };`;
  return `// @ts-nocheck\n${header}import { isTimestamp } from '../timestamp.ts';\n${importsOf(code)}\n${exported}\n`;
};
