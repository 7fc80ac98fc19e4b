import { endpointSchema, type PropertySchema } from '../schema.js';

/** What may stand at one property, read out of the schema. */
export interface Property {
  /** The FHIR datatype: `Coding`, `uri`; `Complex` and `ContainedResource` are not described any further. */
  readonly type: string;
  readonly repeats: boolean;
  readonly primitive: boolean;
}

/** The described properties of a datatype by name, without primitive extensions. */
export type Shape = ReadonlyMap<string, Property>;

/** Types that have no description: only the general rules of FHIR's JSON hold inside. */
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
  // A value set that a property is bound to stands in its place instead of a reference to `code`.
  const type = $ref === undefined ? 'code' : $ref.replace('#/$defs/', '').replace('nullable-', '');
  return { type, repeats: schema.items !== undefined, primitive: /^[a-z]/u.test(type) };
}

/** The names of the properties, of whatever datatype, that a test holds for. */
export function propertyNames(test: (property: Property) => boolean): ReadonlySet<string> {
  const all = [...shapes.values()].flatMap((shape) => [...shape]);
  return new Set(all.filter(([, property]) => test(property)).map(([name]) => name));
}

/** Properties whose values are not described: their insides follow the general rules alone. */
export const freeProperties = propertyNames(({ type }) => undescribed.has(type));
