import { createRequire } from 'node:module';
import type { Ajv2020, ErrorObject } from 'ajv/dist/2020.js';

export { validators as precompiled } from '../generated/body-validators.js';

export type Validator = ((body: unknown) => boolean) & { errors?: readonly ErrorObject[] | null };

export type JsonSchema = { readonly [keyword: string]: unknown };

/** Makes validators of request bodies. The builds for browsers have `compiler.browser.ts` in place of this file. */
export const createCompiler = (): ((schema: JsonSchema) => Validator) => {
  let ajv: Ajv2020 | undefined;
  return (schema) => {
    ajv ??= loadAjv();
    const validator = ajv.compile(schema);
    // Ajv would keep every schema it ever saw.
    ajv.removeSchema(schema);
    return validator as Validator;
  };
};

/** Ajv as this project uses it, loaded on first need: the precompiled validators are enough for a mock that answers as assumed. */
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
  // `orderedSchema` splits what is required from what is described.
  strictRequired: false,
} as const;
