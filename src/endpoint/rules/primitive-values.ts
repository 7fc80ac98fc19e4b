import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { endpointSchema } from '../schema.js';
import type { EndpointProblem } from '../endpoint-problem.js';
import { quickRegExp } from './quick-reg-exp.js';
import { problemOf } from './schema-problems.js';

const ajv = new Ajv2020({ verbose: true, messages: false, code: { regExp: quickRegExp } });
const compiled = new Map<string, ValidateFunction>();

/** What the schema finds wrong with a value of a primitive datatype, with a pointer from the value. */
export function primitiveProblem(type: string, value: unknown): EndpointProblem | undefined {
  let isValid = compiled.get(type);
  if (isValid === undefined) {
    isValid = ajv.compile(endpointSchema.$defs[type] ?? {});
    compiled.set(type, isValid);
  }
  if (isValid(value)) return undefined;
  const [error] = isValid.errors ?? [];
  return error && problemOf(error);
}
