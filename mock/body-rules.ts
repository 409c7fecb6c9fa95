import { createRequire } from 'node:module';
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { createRecent } from './recent.ts';
import type { Schema } from './spec.ts';

export type BodyRule = ((body: unknown) => boolean) & { errors?: readonly ErrorObject[] | null };

type JsonSchema = { readonly [keyword: string]: unknown };

type Precompiled = { readonly schema: string; readonly rule: BodyRule };

/**
 * The same demands as `schema`, one step after the other, so that the first error is always the one of the earliest step:
 * an object → required → types → fields not taken → limits and formats → emptiness. Ajv alone goes field by field.
 */
export const inOrder = (schema: Schema): JsonSchema => {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema | boolean>);
  const { required, minProperties, additionalProperties = true } = schema;
  const each = (...keywords: string[]): JsonSchema => ({
    properties: Object.fromEntries(
      properties.flatMap(([name, field]) =>
        typeof field === 'object' ? [[name, pick(field, keywords)]] : [],
      ),
    ),
  });
  const taken = Object.fromEntries(properties.map(([name, field]) => [name, field !== false]));
  return {
    allOf: [
      { type: 'object' },
      { ...(required ? { required } : {}), ...(minProperties ? { minProperties } : {}) },
      each('type', 'additionalProperties'),
      { properties: taken, additionalProperties },
      each('maxLength', 'format'),
      each('minLength'),
    ],
  };
};

const pick = (schema: JsonSchema, keywords: readonly string[]): JsonSchema =>
  Object.fromEntries(
    keywords.filter((keyword) => schema[keyword] !== undefined).map((keyword) => [keyword, schema[keyword]]),
  );

// Of changing answers; five bodies to a view.
const mostRules = 500;

/** Rules for request bodies: the precompiled ones where the schema is the one they were made from, else from Ajv. */
export const createBodyRules = (precompiled: readonly Precompiled[]): ((schema: Schema) => BodyRule) => {
  const ready = new Map(precompiled.map(({ schema, rule }) => [schema, rule]));
  let ajv: Ajv2020 | undefined;
  const compiled = createRecent(mostRules, (text): BodyRule => {
    ajv ??= loadAjv();
    const ordered = inOrder(JSON.parse(text));
    const rule: ValidateFunction = ajv.compile(ordered);
    // Ajv would keep every schema it ever saw.
    ajv.removeSchema(ordered);
    return rule as BodyRule;
  });
  return (schema) => {
    const text = JSON.stringify(schema);
    return ready.get(text) ?? compiled.get(text);
  };
};

// Loaded on first need: the precompiled rules are enough for a mock that answers as assumed.
/** Ajv as this project uses it. */
const loadAjv = (): Ajv2020 => {
  const load = createRequire(import.meta.url);
  const ajvModule = load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const formats = load('ajv-formats') as typeof import('ajv-formats');
  const ajv = new ajvModule.Ajv2020(ajvOptions);
  formats.default(ajv);
  return ajv;
};

/** Judged as sent: nothing is coerced, stripped or filled in. */
export const ajvOptions = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allErrors: false,
  strict: true,
  strictTypes: false,
  // `inOrder` splits what is required from what is described.
  strictRequired: false,
} as const;

/** `body/from must match format "email"`: where and what, for the `error` of a refusal. */
export const describeRuleError = (errors: readonly ErrorObject[] | null | undefined): string => {
  const first = errors?.[0];
  if (!first) return 'body is not valid';
  const place = cut(`body${first.instancePath}`);
  return (wordings[first.keyword] ?? ((at, { message }) => `${at} ${message ?? 'is not valid'}`))(
    place,
    first,
  );
};

type Wording = (place: string, error: ErrorObject) => string;

// Where Ajv's own words would puzzle a reader; names of fields come from the client and are cut.
const wordings: Readonly<Record<string, Wording>> = {
  required: (place, { params }) => `${place}/${params.missingProperty} is required`,
  type: (place, { params }) =>
    `${place} must be ${[params.type].flat().join(' or ')}${place === 'body' ? ', not a list or a single value' : ''}`,
  minProperties: (place) => `${place} must change at least one field`,
  minLength: (place) => `${place} must not be empty`,
  'false schema': (place) => `${place} is not taken here`,
  additionalProperties: (place, { params }) =>
    `${place}/${cut(String(params.additionalProperty))} is not a field of this request`,
};

const cut = (text: string): string => (text.length > 120 ? `${text.slice(0, 117)}...` : text);
