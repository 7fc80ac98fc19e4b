import { isObject } from '../../../rdf/json-object.js';
import { checkPrimitiveExtension, checkValue } from './value-checks.js';
import { primitiveProblem } from './check-schema.js';
import { structureOf, type Element, type Structure } from './structures.js';
import { quoted } from '../endpoint-problem.js';
import type { Holder, Walk } from './walk.js';

const UNDERSCORE = 95;
const MANY_CODES = 12;
const NOTHING = 'An element has a value or an extension; this one has none.';
const element: Element = {
  type: 'Element',
  repeats: false,
  primitive: false,
  isModifier: false,
  targets: undefined,
  codes: undefined,
};

/**
 * Checks an object and everything in it against its structure in R4: properties, cardinality, formats, codes,
 * references, constraints. Covers what the JSON Schema of the Endpoint leaves open: contained resources, and the
 * datatypes that only extensions hold.
 * @param resource the resource that holds the object, or the object itself if it is one
 */
export function walkStructure(walk: Walk, object: Holder, structure: Structure, resource: Holder): void {
  if (walk.isTooDeep()) return;
  // The primitive beside an Element reports what that lacks.
  let says = structure.isResource || structure.type === 'Element';
  let empty = true;
  for (const key in object) {
    empty = false;
    says ||= key !== 'id';
    const isCompanion = key.charCodeAt(0) === UNDERSCORE;
    const property = structure.elements.get(isCompanion ? key.slice(1) : key);
    if (property === undefined || (isCompanion && !hasCompanion(property, key, structure)))
      walk.note('unknown-property', `${quoted(key)} is no property of ${named(structure.type)}.`, key);
    else if (!isCompanion) {
      checkProperty(walk, object, key, property, resource);
      const id = key === 'id' && !structure.isResource ? object[key] : undefined;
      if (typeof id === 'string') walk.elementId(id, resource);
    } else {
      checkPrimitiveExtension(walk, object, key, true);
      entries(walk, key, object[key], (step, value) => {
        if (isObject(value)) inside(walk, step, value, element, resource);
      });
    }
  }
  if (empty) walk.note('empty', 'An object cannot be empty.');
  else if (!says) walk.note('element', NOTHING);
  else between(walk, object, structure, resource);
}

function hasCompanion({ primitive, type }: Element, key: string, { isResource }: Structure): boolean {
  return primitive && type !== 'xhtml' && type !== 'resourceType' && (key !== '_id' || isResource);
}

function checkProperty(walk: Walk, holder: Holder, key: string, property: Element, resource: Holder): void {
  const value = holder[key];
  if (property.repeats !== Array.isArray(value)) {
    if (value === null) walk.note('type', 'A property cannot be null; leave it out.', key);
    else if (property.repeats) walk.note('type', 'The value must be an array.', key);
    else walk.note('type', 'The value must be one value, not an array.', key);
    return;
  }
  if (Array.isArray(value) && value.length === 0) walk.note('empty', 'An array cannot be empty.', key);
  entries(walk, key, value, (step, each) => {
    if (property.primitive) primitive(walk, holder, key, step, each, property);
    else if (isObject(each)) inside(walk, step, each, property, resource);
    else walk.note('type', 'The value must be an object.', step);
  });
  checkValue(walk, holder, key, property.type, property.targets);
}

/** Yields each value of a property, with the step to it from the current place of the walk. */
function entries(
  walk: Walk,
  key: string,
  value: unknown,
  look: (step: string | number, value: unknown) => void,
): void {
  if (!Array.isArray(value)) {
    look(key, value);
    return;
  }
  walk.enter(key);
  for (const [index, each] of (value as unknown[]).entries()) look(index, each);
  walk.leave();
}

function inside(walk: Walk, step: string | number, value: Holder, { type }: Element, resource: Holder): void {
  walk.enter(step);
  const structure = type === 'Resource' ? resourceStructure(walk, value) : structureOf(type);
  if (structure) walkStructure(walk, value, structure, structure.isResource ? value : resource);
  walk.leave();
}

/** Returns the structure of a resource by its own type; notes unknown types as problems. */
export function resourceStructure(walk: Walk, { resourceType }: Holder): Structure | undefined {
  const structure = typeof resourceType === 'string' ? structureOf(resourceType) : undefined;
  if (structure?.isResource && resourceType !== 'DomainResource') return structure;
  if (typeof resourceType === 'string' && primitiveProblem('resourceType', resourceType) === undefined)
    walk.note('resource-type', `${quoted(resourceType)} is no type of resource in R4.`, 'resourceType');
  return undefined;
}

function primitive(
  walk: Walk,
  holder: Holder,
  key: string,
  step: string | number,
  value: unknown,
  { type, codes }: Element,
): void {
  if (value === null && typeof step === 'number') {
    if (holder[`_${key}`] === undefined)
      walk.note('companion', 'Null stands only where the primitive extension has an extension.', step);
    return;
  }
  if (typeof value === 'string') walk.string(value, step, type, key === 'reference');
  const problem = primitiveProblem(type, value);
  if (problem) walk.note(problem.rule, problem.message, step);
  else if (codes && typeof value === 'string' && !codes.has(value))
    walk.note('code', `The value must be ${listOf(codes)}, not ${quoted(value)}.`, step);
}

function listOf(codes: ReadonlySet<string>): string {
  return codes.size > MANY_CODES ? 'one of the codes of its value set' : `one of ${[...codes].join(', ')}`;
}

function between(walk: Walk, object: Holder, structure: Structure, resource: Holder): void {
  const isThere = (name: string): boolean => object[name] !== undefined || object[`_${name}`] !== undefined;
  for (const { name, properties } of structure.required) {
    if (!properties.some(isThere))
      walk.note('required', `${withArticle(structure.type)} needs the property "${name}".`);
  }
  for (const properties of structure.choices) {
    if (properties.filter(isThere).length > 1)
      walk.note('choice', `Only one of these can be there: ${properties.filter(isThere).join(', ')}.`);
  }
  // ext-1
  if (structure.type === 'Extension' && isThere('extension') === structure.choices[0]?.some(isThere)) {
    if (isThere('extension'))
      walk.note('choice', 'An extension has one value or further extensions, not several of these.');
    else walk.note('element', NOTHING);
  }
  for (const { key, sentence, holds } of structure.constraints) {
    if (!holds(object, resource)) walk.note('constraint', `${sentence} (${key}).`);
  }
}

function named(type: string): string {
  return type.replace(/\[x\]$/u, '');
}

function withArticle(type: string): string {
  return `${/^[AEIOU]/u.test(type) ? 'An' : 'A'} ${named(type)}`;
}
