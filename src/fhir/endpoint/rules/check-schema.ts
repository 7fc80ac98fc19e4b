import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { distinctProblems, type EndpointProblem } from '../endpoint-problem.js';
import { endpointSchema } from '../schema.js';
import { isEmptyObject, isOfNarrative, problemOf } from './schema-problems.js';

const OPTIONS = { allowUnionTypes: true, messages: false };

/** Stops at the first error: most endpoints have none, and this takes half the time. Compiled on first use. */
let isValid: ValidateFunction | undefined;
let finder: ValidateFunction | undefined;

/** By the names of primitive datatypes. */
const ajv = new Ajv2020({ verbose: true, messages: false });
const compiled = new Map<string, ValidateFunction>();

/** Returns one problem for each schema error in a value. Values nest no deeper than the walk allows. */
export function checkSchema(value: unknown): EndpointProblem[] {
  isValid ??= new Ajv2020(OPTIONS).compile(endpointSchema);
  if (isValid(value)) return [];
  const options = { ...OPTIONS, allErrors: true, verbose: true };
  finder ??= new Ajv2020(options).compile(endpointSchema);
  finder(value);
  const errors = finder.errors ?? [];
  // Every property of another resource type would be unknown here: the wrong type is problem enough.
  const other = errors.find(
    ({ keyword, instancePath }) => keyword === 'const' && instancePath === '/resourceType',
  );
  const causes = other ? [other] : dropConsequences(errors);
  return distinctProblems(causes.map(problemOf).filter((problem) => problem !== undefined));
}

/** An empty object also lacks required properties; an object that lacks them may be empty, too. */
function dropConsequences(errors: readonly ErrorObject[]): ErrorObject[] {
  const pathsOf = (test: (error: ErrorObject) => boolean): Set<string> =>
    new Set(errors.filter(test).map(({ instancePath }) => instancePath));
  const empty = pathsOf((error) => saysNothing(error) && isEmptyObject(error));
  const incomplete = pathsOf(({ keyword }) => keyword === 'required');
  return errors.filter((error) =>
    empty.has(error.instancePath)
      ? saysNothing(error)
      : !(saysNothing(error) && incomplete.has(error.instancePath)),
  );
}

function saysNothing(error: ErrorObject): boolean {
  return error.keyword === 'minProperties' || (error.keyword === 'not' && !isOfNarrative(error));
}

/** Returns the schema error of a value of a primitive datatype, with a pointer from the value. */
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
