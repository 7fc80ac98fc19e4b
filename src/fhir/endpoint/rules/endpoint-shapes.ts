import { endpointSchema, type PropertySchema } from '../schema.js';

/** The allowed values of a property, from the schema. */
export interface Property {
  /** The FHIR datatype: `Coding`, `uri`; `Complex` and `ContainedResource` are not described in the schema. */
  readonly type: string;
  readonly repeats: boolean;
  readonly primitive: boolean;
}

/** The described properties of a datatype by name, without primitive extensions. */
export type Shape = ReadonlyMap<string, Property>;

/** Types without a description: the structures of R4 define their content. */
const undescribed = new Set(['Complex', 'ContainedResource']);

/** Every described datatype, and `Endpoint` itself. */
export const shapes: ReadonlyMap<string, Shape> = new Map(
  Object.entries({ ...endpointSchema.$defs, Endpoint: endpointSchema })
    .filter(([name, { properties }]) => properties && !undescribed.has(name) && !name.startsWith('nullable-'))
    .map(([name, { properties = {} }]) => [name, shapeOf(properties)]),
);

function shapeOf(properties: Readonly<Record<string, PropertySchema>>): Shape {
  return new Map(
    Object.entries(properties)
      .filter(([name]) => !name.startsWith('_') && name !== 'resourceType')
      .map(([name, schema]) => [name, propertyOf(schema)]),
  );
}

function propertyOf(schema: PropertySchema): Property {
  const { $ref } = schema.items ?? schema;
  // A bound value set replaces the reference to `code`.
  const type = $ref === undefined ? 'code' : $ref.replace('#/$defs/', '').replace('nullable-', '');
  return { type, repeats: schema.items !== undefined, primitive: /^[a-z]/u.test(type) };
}

/** Returns the names of the properties of all datatypes that pass a test. */
export function propertyNames(test: (property: Property) => boolean): ReadonlySet<string> {
  const all = [...shapes.values()].flatMap((shape) => [...shape]);
  return new Set(all.filter(([, property]) => test(property)).map(([name]) => name));
}

/**
 * Properties whose values the schema leaves open, each with its type in R4: `Quantity`, or `ContainedResource`, whose
 * values name their own type.
 */
export const openProperties: ReadonlyMap<string, string> = new Map(
  [...propertyNames(({ type }) => undescribed.has(type))].map((name) => [
    name,
    name === 'contained' ? 'ContainedResource' : name.replace(/^value/u, ''),
  ]),
);

/** The types of properties by name; if several types share a name, the most specific. */
export const propertyTypes: ReadonlyMap<string, string> = new Map(
  [...shapes.values()].flatMap((shape) =>
    [...shape]
      .filter(([, { type }]) => ['string', 'markdown', 'uri', 'url', 'canonical'].includes(type))
      .map(([name, { type }]) => [name, type] as const),
  ),
);
