import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listOperations, type Schema } from '../contract/document.ts';
import { applyAnswers } from '../contract/in-force.ts';
import { type Answers, listQuestions } from '../contract/questions.ts';
import { isWhole } from '../testing/scale.ts';
import { compileJsonSchema, type JsonSchema, orderedSchema } from './json-schema.ts';
import stateSchema from './seed.schema.json' with { type: 'json' };

// Values are validated as sent: nothing is coerced, removed or filled in.
const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, verbose: true });
formats.default(ajv);
ajv.addVocabulary(['x-form']);

/** Values that come near to a schema: most parts right, some of them odd. */
const valueFor = (schema: JsonSchema | boolean | undefined, root: JsonSchema): fc.Arbitrary<unknown> => {
  if (typeof schema !== 'object') return odd;
  const { $ref } = schema as { $ref?: string };
  const { type, enum: values, properties = {}, items, required = [] } = schema as Schema & Fields;
  if ($ref)
    return valueFor((root.$defs as Readonly<Record<string, JsonSchema>>)[$ref.split('/').at(-1) ?? ''], root);
  const kinds: fc.Arbitrary<unknown>[] = [...(values ? [fc.constantFrom(...values)] : []), texts];
  if (type?.includes('object')) {
    const fields = Object.entries(properties).map(([name, part]) => [
      name,
      valueFor(part as JsonSchema, root),
    ]);
    const record = { ...Object.fromEntries(fields), 'a/b': odd };
    kinds.push(
      fc.record(record, { requiredKeys: [] }),
      fc.record(record, { requiredKeys: required as never[] }),
    );
    kinds.push(fc.dictionary(texts, odd, { maxKeys: 2 }));
  }
  if (type?.includes('array')) kinds.push(fc.array(valueFor(items as JsonSchema, root), { maxLength: 3 }));
  if (type?.includes('integer') || type?.includes('number')) kinds.push(fc.integer({ min: -1, max: 70_000 }));
  if (type?.includes('boolean')) kinds.push(fc.boolean());
  return fc.oneof({ arbitrary: kinds.at(-1) ?? odd, weight: 9 }, ...kinds, odd);
};
type Fields = Readonly<Record<string, never>>;
const texts = fc.constantFrom(
  '',
  'x',
  '𝄞',
  'a@example.com',
  '2026-02-30T10:00:00Z',
  '2026-03-02T10:15:30.5Z',
  'POST',
  '/api',
  'latest',
  'req_000001',
  'x'.repeat(1001),
  '\u0001',
);
const odd = fc.oneof(texts, fc.constantFrom(null, 0, 1.5, true, [], {}, ['x'], { a: 1 }));

const expectSameErrors = (schema: JsonSchema, root = schema): void => {
  const validate = ajv.compile(schema);
  const own = compileJsonSchema(schema);
  fc.assert(
    fc.property(valueFor(root, schema), (value) => {
      validate(value);
      const [error] = validate.errors ?? [];
      const found = own(value);
      expect(found && [found.pointer, found.keyword, found.value, found.name]).toEqual(
        error && [
          error.instancePath,
          error.keyword,
          error.data,
          error.params.missingProperty ?? error.params.additionalProperty,
        ],
      );
      if (error && error.keyword !== 'false schema') expect(found?.schema).toEqual(error.parentSchema);
    }),
    { numRuns: isWhole ? 300 : 60 },
  );
};

const bodies = (answers: Partial<Answers>): Schema[] => {
  const assumed = Object.fromEntries(listQuestions().map(({ id, assumed }) => [id, assumed])) as Answers;
  return listOperations(applyAnswers({ ...assumed, ...answers })).flatMap(({ body }) => (body ? [body] : []));
};

test.each<Partial<Answers>>([
  {},
  { 'lead.unknown-field': 'rejected', 'lead.email': 'rejected', 'lead.update-empty': 'rejected' },
  { 'lead.wrong-type': 'accepted', 'lead.name-limit': 64, 'lead.control-characters': 'rejected' },
  { 'template-send.to': 'rejected', 'template-send.variables': 'optional', 'send.to': 'required' },
])('the errors are those of Ajv for bodies with %j', (answers) => {
  for (const body of bodies(answers)) expectSameErrors(orderedSchema(body), body as JsonSchema);
});

test('the errors are those of Ajv for states', () => {
  expectSameErrors(stateSchema);
});

test('the errors are those of Ajv for fault rules', () => {
  const { FaultRule, ...$defs } = stateSchema.$defs;
  expectSameErrors({ ...FaultRule, $defs });
});
