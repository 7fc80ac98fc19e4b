import { readFileSync } from 'node:fs';

/** A schema of the kinds that endpoint.schema.json is made of. */
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

/** The text of the published JSON Schema, as it is served. */
export const endpointSchemaText = readFileSync(new URL('./endpoint.schema.json', import.meta.url), 'utf8');

/**
 * The JSON Schema (draft 2020-12) of the Endpoint resource and of the datatypes it uses. It says everything that a
 * schema can say; `validateEndpoint` says the rest.
 */
export const endpointSchema = JSON.parse(endpointSchemaText) as EndpointSchema;
