import type { ErrorObject } from 'ajv/dist/2020.js';
import {
  endpointProblem,
  escapeStep,
  quoted,
  type EndpointProblem,
  type EndpointRule,
} from '../endpoint-problem.js';
import { endpointSchema } from '../schema.js';

/** The rule and the sentence for an ajv error, and the step from its place to the problem's, if any. */
type Diagnostic = readonly [rule: EndpointRule, message: string, step?: string] | undefined;

const noObject: Diagnostic = ['empty', 'An object cannot be empty.'];
const noString: Diagnostic = ['empty', 'A string cannot be empty.'];

/** The meaning of a failure, for each schema keyword that can fail. */
const diagnostics: Readonly<
  Record<string, (error: ErrorObject, params: Record<string, unknown>) => Diagnostic>
> = {
  additionalProperties: (error, { additionalProperty }) => {
    const name = String(additionalProperty);
    return ['unknown-property', `${quoted(name)} is no property of ${typeOf(error)}.`, name];
  },
  required: (error, { missingProperty }) => [
    'required',
    `${withArticle(typeOf(error))} needs the property "${missingProperty}".`,
  ],
  const: ({ data }) => ['resource-type', `The resource type must be "Endpoint", not ${shown(data)}.`],
  enum: ({ data, propertyName }, { allowedValues }) => {
    // `propertyNames` reports the names that are not allowed beside the value of an extension.
    if (propertyName !== undefined) return undefined;
    const values = (allowedValues as string[]).join(', ');
    return data === '' ? noString : ['code', `The value must be one of ${values}, not ${shown(data)}.`];
  },
  propertyNames: (_error, { propertyName }) =>
    /^(?:extension$|_?value[A-Z])/u.test(String(propertyName))
      ? ['choice', 'An extension has one value or further extensions, not several of these.']
      : undefined,
  type: ({ data }, { type }) => {
    const types = [type].flat().map((name) => typeNames[String(name)] ?? String(name));
    return ['type', `The value must be ${types.join(' or ')}, not ${shown(data)}.`];
  },
  pattern: (error) =>
    error.data === ''
      ? noString
      : ['format', `${shown(error.data)} is not ${formatSentences[typeOf(error)]}.`],
  minimum: outOfRange,
  maximum: outOfRange,
  minItems: () => ['empty', 'An array cannot be empty.'],
  minProperties: () => noObject,
  not: (error) => {
    if (isOfNarrative(error)) return ['required', 'A Narrative needs the property "status".'];
    return isEmptyObject(error)
      ? noObject
      : ['element', 'An element has a value or an extension; this one has none.'];
  },
};

/** Translates an ajv error (made with `verbose`); undefined if another error covers it. */
export function problemOf(error: ErrorObject): EndpointProblem | undefined {
  const [rule, message, step] =
    diagnostics[error.keyword]?.(error, error.params as Record<string, unknown>) ?? [];
  if (rule === undefined || message === undefined) return undefined;
  const pointer = step === undefined ? error.instancePath : `${error.instancePath}/${escapeStep(step)}`;
  return endpointProblem(pointer, rule, message);
}

/** A narrative's `not` requires its status; every other `not` requires content. */
export function isOfNarrative(error: ErrorObject): boolean {
  return typeOf(error) === 'Narrative';
}

export function isEmptyObject(error: ErrorObject): boolean {
  const { data } = error as { data: unknown };
  return typeof data === 'object' && data !== null && Object.keys(data).length === 0;
}

function outOfRange(error: ErrorObject): Diagnostic {
  return ['range', `${shown(error.data)} is not ${formatSentences[typeOf(error)]}.`];
}

const definitions = new Map<unknown, string>(
  Object.entries(endpointSchema.$defs).map(([name, schema]) => [schema, name]),
);

/** Returns the datatype whose definition in the schema was broken. */
function typeOf({ parentSchema }: ErrorObject): string {
  return (definitions.get(parentSchema) ?? 'Endpoint').replace('nullable-', '');
}

function withArticle(type: string): string {
  if (type === 'ContainedResource') return 'A contained resource';
  return `${/^[AEIOU]/u.test(type) ? 'An' : 'A'} ${type}`;
}

const typeNames: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

/** Prepares a value for a message; only its kind if it is not a scalar. */
function shown(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

const date = 'a date as YYYY, YYYY-MM or YYYY-MM-DD';
const uri = 'a URI: it is empty, holds white space, or begins like a URN and is none';

/** Descriptions of FHIR R4's primitive datatypes, to follow "… is not". */
export const formatSentences: Readonly<Record<string, string>> = {
  base64Binary: 'base64: letters, digits, + and /, in groups of four, filled up with =',
  canonical: uri,
  code: 'a code: no space at its ends and single spaces inside',
  date,
  dateTime: `${date}, or a date with time and zone as YYYY-MM-DDThh:mm:ss+zz:zz`,
  id: 'an id: 1 to 64 letters, digits, hyphens and dots',
  instant: 'an instant: YYYY-MM-DDThh:mm:ss+zz:zz',
  integer: 'an integer between -2147483648 and 2147483647',
  oid: 'an OID as urn:oid:1.2.3',
  positiveInt: 'an integer between 1 and 2147483647',
  time: 'a time as hh:mm:ss',
  unsignedInt: 'an integer between 0 and 2147483647',
  uri,
  url: uri,
  uuid: 'a UUID as urn:uuid: with 8-4-4-4-12 hexadecimal digits in small letters',
  resourceType: 'the name of a resource type',
};
