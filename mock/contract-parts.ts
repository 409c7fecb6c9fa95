import type { OpenAPIV3_1 } from 'openapi-types';
import type { Contract, Schema } from './spec.ts';

/** An operation as openapi.yaml writes it, with this project's extensions. */
export type Extended = OpenAPIV3_1.OperationObject & { 'x-alias-of'?: string };

type Properties = Record<string, Schema | boolean>;

/** A schema of `components`, to be changed in place. */
export const schemaOf = (document: Contract, name: string): Schema => {
  const found = document.components?.schemas?.[name];
  if (!found) throw new Error(`openapi.yaml: components/schemas/${name} is missing`);
  return found as Schema;
};

/** Its properties, made where it has none. */
export const propertiesOf = (document: Contract, name: string): Properties => {
  const schema = schemaOf(document, name);
  schema.properties ??= {};
  return schema.properties as Properties;
};

/** Adds the fields whose answer is `required` to the required list of a schema. */
export const requireIn = (
  document: Contract,
  name: string,
  fields: Readonly<Record<string, string>>,
): void => {
  const required = Object.keys(fields).filter((field) => fields[field] === 'required');
  const schema = schemaOf(document, name);
  const all = [...new Set([...(schema.required ?? []), ...required])];
  if (all.length > 0) schema.required = all;
};

/** A `$ref` into `components`. */
export const reference = (kind: 'schemas' | 'responses', name: string): OpenAPIV3_1.ReferenceObject => ({
  $ref: `#/components/${kind}/${name}`,
});
