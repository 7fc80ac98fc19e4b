import { readFileSync } from 'node:fs';

/** A schema, as used in endpoint.schema.json. */
export interface PropertySchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly items?: PropertySchema;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, PropertySchema>>;
}

export interface EndpointSchema extends PropertySchema {
  readonly $schema: string;
  readonly $id: string;
  readonly properties: Readonly<Record<string, PropertySchema>>;
  readonly $defs: Readonly<Record<string, PropertySchema>>;
}

/** The text of the published JSON Schema, as served. */
export const endpointSchemaText = readFileSync(new URL('./endpoint.schema.json', import.meta.url), 'utf8');

/**
 * The JSON Schema (draft 2020-12) of the Endpoint resource and the datatypes it uses. It has every rule that a schema
 * can express; `validateEndpoint` has the rest.
 */
export const endpointSchema = JSON.parse(endpointSchemaText) as EndpointSchema;
