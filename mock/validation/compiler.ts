import { createRequire } from 'node:module';
import type { Ajv2020, ErrorObject } from 'ajv/dist/2020.js';

export { validators as precompiled } from '../generated/body-validators.js';

export type Validator = ((body: unknown) => boolean) & { errors?: readonly ErrorObject[] | null };

export type JsonSchema = { readonly [keyword: string]: unknown };

/** Compiles validators of request bodies. The builds for browsers use `compiler.browser.ts` instead of this file. */
export const createCompiler = (): ((schema: JsonSchema) => Validator) => {
  let ajv: Ajv2020 | undefined;
  return (schema) => {
    ajv ??= loadAjv();
    const validator = ajv.compile(schema);
    // Ajv would keep every schema.
    ajv.removeSchema(schema);
    return validator as Validator;
  };
};

/** Loads Ajv on first use: a mock with the assumed answers needs only the precompiled validators. */
const loadAjv = (): Ajv2020 => {
  const load = createRequire(import.meta.url);
  const ajvModule = load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const formats = load('ajv-formats') as typeof import('ajv-formats');
  const ajv = new ajvModule.Ajv2020(ajvOptions);
  formats.default(ajv);
  return ajv;
};

/** Values are validated as sent: nothing is coerced, removed or filled in. */
export const ajvOptions = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allErrors: false,
  strict: true,
  strictTypes: false,
  // `orderedSchema` separates `required` from `properties`.
  strictRequired: false,
} as const;
