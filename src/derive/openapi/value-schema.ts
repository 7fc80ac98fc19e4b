import { factsOfType, valueTypes, type ValueSchema } from '../../ontology/value-types.js';
import type { Argument } from '../call-arguments.js';
import type { JsonObject } from '../../rdf/json-object.js';

/** The schema of a parameter; types that have a name of their own refer to `valueComponents`. */
export function valueSchema({ valueType, schema }: Argument): ValueSchema {
  const { shared } = factsOfType(valueType);
  return shared === undefined ? schema : { $ref: `#/components/schemas/${shared.name}` };
}

/** The schemas that parameters refer to. */
export function valueComponents(): JsonObject {
  return Object.fromEntries(
    valueTypes.map(factsOfType).flatMap(({ shared, schema }) => {
      return shared === undefined
        ? []
        : [[shared.name, { description: shared.description, ...schema }] as const];
    }),
  );
}
