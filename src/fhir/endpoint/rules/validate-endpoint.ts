import { isObject } from '../../../rdf/json-object.js';
import { checkSchema } from './check-schema.js';
import { distinctProblems, endpointProblem, quoted, type EndpointProblem } from '../endpoint-problem.js';
import { endpointSchema } from '../schema.js';
import { structureOf, type Constraint } from './structures.js';
import { checkValue } from './value-checks.js';
import { MAX_DEPTH, Walk, type Holder } from './walk.js';

export interface ValidateOptions {
  /**
   * What the reader understands: URIs of implicit rules and modifier extensions, or the names of warning rules,
   * such as `modifier-extension`, for all of them.
   */
  readonly allow?: Iterable<string> | undefined;
}

/**
 * Checks a value, as `JSON.parse` returns it, against FHIR R4 (4.0.1) Endpoint: its JSON Schema, and what no schema can
 * express (primitive extensions that line up, narratives, periods, contained resources). It warns of implicit rules,
 * which must be understood, and modifier extensions, which must be checked. Never throws; time is linear in the size.
 * @returns one problem for each error; none for a valid endpoint
 */
export function validateEndpoint(value: unknown, { allow = [] }: ValidateOptions = {}): EndpointProblem[] {
  const walk = new Walk(value);
  const endpoint = isObject(value) ? value : undefined;
  if (endpoint) walk.object(endpoint);
  if (walk.tooDeep)
    return [
      endpointProblem(
        '',
        'nesting',
        `Objects and arrays nest deeper than ${MAX_DEPTH}, which is not looked at.`,
      ),
    ];
  const found = checkSchema(value);
  if (!endpoint || found.some(({ rule }) => rule === 'resource-type')) return found;
  if (walk.local.length > 0 || endpoint['contained'] !== undefined) checkContained(walk, endpoint);
  if (endpoint['text'] !== undefined) checkValue(walk, endpoint, 'text', 'Narrative', undefined);
  askedByR4(walk, endpoint);
  const allowed = new Set(allow);
  if (endpoint['implicitRules'] !== undefined || endpoint['modifierExtension'] !== undefined)
    warn(walk, endpoint, allowed);
  const noted = walk.problems.filter(({ severity, rule }) => severity === 'error' || !allowed.has(rule));
  return noted.length === 0 ? found : distinctProblems([...found, ...noted]);
}

const ownRequired = new Set(endpointSchema.required);
/** Properties that R4 requires but the specification of the health record service does not. */
const requiredByR4 = (structureOf('Endpoint')?.required ?? []).filter(({ name }) => !ownRequired.has(name));

function askedByR4(walk: Walk, endpoint: Holder): void {
  for (const { name } of requiredByR4) {
    if (endpoint[name] === undefined && endpoint[`_${name}`] === undefined)
      walk.note('required-by-r4', `FHIR R4 asks for the property "${name}".`);
  }
}

/** Finds what a reader must understand before it may use the endpoint at all. */
function warn(walk: Walk, { implicitRules, modifierExtension }: Holder, allowed: ReadonlySet<string>): void {
  if (typeof implicitRules === 'string' && !allowed.has(implicitRules))
    walk.note('implicit-rules', `The rules ${quoted(implicitRules)} must be understood.`, 'implicitRules');
  if (!Array.isArray(modifierExtension)) return;
  for (const [index, extension] of modifierExtension.entries()) {
    const { url } = (extension ?? {}) as { url?: unknown };
    if (typeof url === 'string' && !allowed.has(url))
      walk.note(
        'modifier-extension',
        `The modifier extension ${quoted(url)} must be checked.`,
        'modifierExtension',
        index,
      );
  }
}

/**
 * Checks contained resources (FHIR R4 dom-3, ref-1): ids are unique, something in the endpoint refers to each as `#id`
 * or it refers to the endpoint as `#`, and every such reference finds its resource.
 */
function checkContained(walk: Walk, endpoint: Holder): void {
  const contained: unknown[] = Array.isArray(endpoint['contained']) ? endpoint['contained'] : [];
  const referrers = referrersOf(walk);
  const ids = new Set<string>();
  for (const [index, resource] of contained.entries()) {
    const { id } = (resource ?? {}) as { id?: unknown };
    if (typeof id !== 'string') continue;
    const others = new Set(referrers.get(`#${id}`)).add(index).size > 1;
    if (ids.has(id))
      walk.note(
        'contained-id',
        `Another contained resource has the id ${quoted(id)}.`,
        'contained',
        index,
        'id',
      );
    else if (!others && !referrers.get('#')?.has(index))
      walk.note(
        'contained-reference',
        `Nothing refers to this resource as ${quoted(`#${id}`)}.`,
        'contained',
        index,
      );
    ids.add(id);
  }
  for (const [index, resource] of contained.entries()) checkAlone(walk, resource, index);
  for (const { text, pointer, isReference } of walk.local) {
    if (isReference && text !== '#' && !ids.has(text.slice(1)))
      walk.noteAt(pointer, 'reference', `${quoted(text)} refers to no contained resource.`);
  }
}

/** Who refers to which resource: positions of contained resources, -1 for the endpoint itself. */
function referrersOf({ local }: Walk): Map<string, Set<number>> {
  const referrers = new Map<string, Set<number>>();
  for (const { text, pointer } of local) {
    const position = /^\/contained\/(\d+)\//u.exec(pointer)?.[1];
    const own = referrers.get(text) ?? new Set();
    referrers.set(text, own.add(position === undefined ? -1 : Number(position)));
  }
  return referrers;
}

/** Checks a contained resource (FHIR R4 dom-2, dom-4, dom-5). */
function checkAlone(walk: Walk, resource: unknown, index: number): void {
  for (const constraint of constraintsOfContained) {
    if (!isFulfilled(constraint, resource))
      walk.note('constraint', `${constraint.sentence} (${constraint.key}).`, 'contained', index);
  }
}

const constraintsOfContained = structureOf('DomainResource')?.constraints ?? [];

function isFulfilled({ holds }: Constraint, resource: unknown): boolean {
  const holder = { contained: [resource] };
  return holds(holder, holder);
}
