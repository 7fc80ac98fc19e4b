import { valueSchemas, type Argument, type ValueSchema } from '../call-arguments.js';
import type { JsonObject } from './operation.js';

/** Types of values whose schema is too long to be repeated at every parameter. */
const shared = { date: 'PartialDate', code: 'Codes' } as const;

/** The schema of a parameter; dates and codes refer to `valueComponents`. */
export function valueSchema({ valueType, schema }: Argument): ValueSchema {
  const name = valueType === 'date' || valueType === 'code' ? shared[valueType] : undefined;
  return name === undefined ? schema : { $ref: `#/components/schemas/${name}` };
}

/** The schemas that parameters refer to. */
export function valueComponents(): JsonObject {
  return {
    [shared.date]: {
      description: 'A date of ISO 8601, perhaps a part of one: it then means a period.',
      ...valueSchemas.date,
    },
    [shared.code]: {
      description: 'The identifier of a code, or several separated by a vertical bar.',
      ...valueSchemas.code,
    },
  };
}
